import { s } from "./dom.js";

// A picture of the page as an SVG that stands alone: with its texts, its numbers and its source.

const styles = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "paint-order", "opacity", "fill-opacity", "font-size"];

// standing copies an element of SVG with the styles that the page gives it.
function standing(element) {
  const copy = element.cloneNode(true);
  const [from, to] = [[element, ...element.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  from.forEach((original, i) => {
    const look = getComputedStyle(original);
    for (const name of styles) if (look.getPropertyValue(name)) to[i].setAttribute(name, look.getPropertyValue(name));
    for (const name of ["class", "onclick", "aria-hidden", "focusable", "data-counted"]) to[i].removeAttribute(name);
  });
  return copy;
}

const color = (name) => getComputedStyle(document.body).getPropertyValue(name === "ink" ? "color" : "background-color");

function write(x, y, content, { size = 12, bold, width = 1e9 } = {}) {
  const most = Math.floor(width / (size * 0.55));
  const short = content.length > most ? `${content.slice(0, most - 1)}…` : content;
  return s("text", { x, y, "font-size": size, "font-weight": bold ? 600 : 400, fill: color("ink") }, short);
}

const oneLine = (element) => (element ? element.innerText.replace(/\s+/g, " ").trim() : "");

// drawnRows returns what can be drawn of a table or of a list of bars: a text, its values and its picture.
function drawnRows(grid) {
  if (grid.drawAll) grid.drawAll();
  if (grid.tagName === "TABLE") {
    return [...grid.rows].flatMap((row) => {
      const plots = [...row.querySelectorAll("svg.plot, svg.axis")];
      if (!plots.length) return row.querySelector(".outcome") ? [{ text: oneLine(row), bold: true }] : [];
      const [head, ...cells] = [...row.cells];
      const only = plots.length === 1;
      return plots.map((plot) => ({ text: row.closest("thead, tfoot") ? "" : oneLine(head), values: row.closest("thead, tfoot") ? "" : only ? cells.filter((c) => c.innerText.trim()).map(oneLine).join(" · ") : oneLine(plot.closest("td")), plot }));
    });
  }
  return [...grid.querySelectorAll("[data-value]")].map((item) => ({ text: item.dataset.value, values: oneLine(item.querySelector(".num, .small")), part: parseFloat((item.querySelector("i") || item).style.getPropertyValue("--part")) || 0 }));
}

function composed(grid, title) {
  const width = 900;
  let y = 30;
  const out = [write(16, y, title, { size: 15, bold: true, width: width - 32 })];
  for (const row of drawnRows(grid)) {
    y += 26;
    out.push(write(16, y, row.text, { bold: row.bold, width: row.bold ? width - 32 : 250 }));
    if (row.values) out.push(write(270, y, row.values, { size: 11, width: 250 }));
    if (row.plot) {
      const plot = standing(row.plot);
      for (const [name, value] of Object.entries({ x: 530, y: y - 13, width: 350, height: 20 })) plot.setAttribute(name, value);
      out.push(plot);
    } else if (row.part !== undefined) {
      out.push(s("rect", { x: 530, y: y - 11, width: (350 * row.part) / 100, height: 13, fill: getComputedStyle(grid.querySelector("i")).backgroundColor }));
    }
  }
  return { out, width, y };
}

// captionLines returns the lines of the caption that stands after a picture.
function captionLines(picture, width) {
  let next = picture.closest(".scroll, figure > svg, div, .timeline");
  while (next && !(next.matches(".caption"))) next = next.nextElementSibling;
  const lines = [""];
  for (const word of oneLine(next).split(" ")) {
    if (lines.at(-1).length + word.length > (width - 32) / 5.8) lines.push("");
    lines[lines.length - 1] += `${word} `;
  }
  return lines.filter((text) => text.trim());
}

// drawing returns the SVG of a table with pictures, of bars, or of a picture that stands alone.
export function drawing(picture, title) {
  let [out, width, y] = [[], 900, 30];
  if (picture.tagName === "svg") {
    const copy = standing(picture);
    const { width: w, height } = picture.getBoundingClientRect();
    for (const [name, value] of Object.entries({ x: 0, y: 44, width: w, height })) copy.setAttribute(name, value);
    [out, width, y] = [[write(16, 30, title, { size: 15, bold: true, width: w - 32 }), copy], Math.ceil(w), 50 + height];
  } else ({ out, width, y } = composed(picture, title));
  for (const text of captionLines(picture, width)) out.push(write(16, (y += 18), text, { size: 11 }));
  const dated = oneLine(document.querySelector(".dated"));
  const height = Math.ceil(y + 58);
  const svg = s("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif" },
    s("rect", { x: 0, y: 0, width, height, fill: color("back") }), out,
    write(16, y + 26, document.title, { size: 11, width: width - 32 }), write(16, y + 44, dated, { size: 11, width: width - 32 }));
  return { text: new XMLSerializer().serializeToString(svg), size: [width, height] };
}
