import { beforePrint } from "./print.js";
import { take } from "./take.js";

// Elements, texts and numbers. A text of a record is put in as a text, never as HTML.

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...parts(children));
  return element;
}

// parts returns the elements and texts in nested lists.
export function parts(...children) {
  return children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false && c !== "");
}

// h returns an element of HTML, and s one of SVG.
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

// style sets properties of an element that no style sheet can know.
export function style(element, properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
  return element;
}

// whole writes an integer of an answer as people read it.
export function whole(n) {
  return Number.isInteger(n) ? n.toLocaleString(document.documentElement.lang) : String(n);
}

// counted is a number that the page itself has counted: of things that it shows or hides.
export function counted(n) {
  return h("span", { "data-counted": n }, whole(n));
}

// plain returns the number that a verbatim text is, or null. "<0.001" and "12 (3)" are none.
export function plain(text) {
  return typeof text === "string" && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text.trim()) ? Number(text) : null;
}

// words writes a value of an enumeration in words: NOT_YET_RECRUITING.
export function words(value) {
  if (!/^[A-Z0-9_/ ]+$/.test(value || "")) return value || "";
  const known = { NA: "Not applicable", NIH: "NIH", FED: "US federal", INDIV: "Individual", OTHER_GOV: "Other government" };
  return known[value] || value.split("/").map(sentence).join("/");
}

function sentence(value) {
  const text = value.replaceAll("_", " ").toLowerCase().replace(/(phase) ?(\d)/, "$1 $2");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// announce says a text to those who do not see the page change.
export function announce(text) {
  document.getElementById("status").textContent = text;
}

// note is a remark that stands out.
export function note(...children) {
  return h("p", { class: "note" }, ...children);
}

// more is what a reader may open, of text that is long or secondary.
export function more(label, ...children) {
  return h("details", null, h("summary", null, label), ...children);
}

// paragraphs returns a text of a record with its line breaks.
export function paragraphs(text) {
  return h("p", { class: "text" }, text);
}

// table returns a table that can be scrolled sideways by keyboard too.
export function table(label, head, rows, attributes, foot) {
  const heads = parts(head);
  // Columns are equally wide, so that the bars in them can be compared.
  const grid = style(h("table", attributes, h("caption", { class: "hidden" }, label), h("thead", null, h("tr", null, heads)), h("tbody", null, rows), foot ? h("tfoot", null, foot) : null), { "--columns": heads.length - 1 });
  const drawn = grid.querySelector("svg.plot, svg.axis");
  return h("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": label }, grid, take(label, { grid, picture: drawn && grid }));
}

export function column(...children) {
  return h("th", { scope: "col" }, ...children);
}

export function rowHead(...children) {
  return h("th", { scope: "row" }, ...children);
}

// swatch is the mark of a group: a color, and its number for those who do not see colors.
export function swatch(number) {
  return h("span", { class: "swatch g" + (((number - 1) % 8) + 1) });
}

// limited shows the first of many rows in a container, and says how many are hidden.
export function limited({ rows, draw, into, step, what }) {
  let shown = 0;
  const foot = h("p", { class: "foot" });
  const show = (n) => {
    into.append(...rows.slice(shown, shown + n).map(draw));
    shown = Math.min(rows.length, shown + n);
    const left = rows.length - shown;
    foot.replaceChildren(h("span", null, counted(shown), " ", what, " shown", left ? [", ", counted(left), " hidden"] : ""));
    if (left) {
      foot.append(h("button", { type: "button", onclick: () => show(step) }, "Show more"), h("button", { type: "button", onclick: () => show(left) }, "Show all"));
    }
  };
  show(step);
  foot.drawAll = () => { if (shown < rows.length) show(rows.length - shown); };
  if (into.closest && into.closest("table")) into.closest("table").drawAll = foot.drawAll;
  beforePrint(foot, () => { if (shown < Math.min(rows.length, 200)) show(200 - shown); });
  return foot;
}

// choice is a labelled list to choose from. Options are values, or pairs of a value and its text.
export function choice(label, options, value, onchange) {
  const select = h("select", { onchange: () => onchange(select.value) },
    options.map((o) => h("option", { value: Array.isArray(o) ? o[0] : o }, Array.isArray(o) ? o[1] : words(o))));
  select.value = value;
  return h("label", { class: "field" }, h("span", null, label), select);
}

// entry is a labelled field of text.
export function entry(label, attributes, oninput) {
  const input = h("input", { ...attributes, oninput: () => oninput && oninput(input.value) });
  return h("label", { class: "field" }, h("span", null, label), input);
}
