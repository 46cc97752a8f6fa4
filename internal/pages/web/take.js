import { h, announce } from "./dom.js";
import { drawing } from "./drawing.js";

// Taking things away: a table as CSV, a picture as SVG or PNG, and a link to a place in the page.

// saver writes a file: the reader's browser does it, or the host. It is null where neither can.
let saver = null;

// saveWith sets how files are written.
export function saveWith(save) {
  saver = save;
}

// download lets the browser write a file.
export function download({ name, type, text, blob }) {
  const url = URL.createObjectURL(blob || new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// wordsOf returns the text of a cell on one line, without pictures and buttons.
function wordsOf(cell) {
  const out = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) out.push(node.data);
    else if (!/^(svg|button)$/i.test(node.tagName)) {
      const block = /^(div|p|li|details|summary)$/i.test(node.tagName);
      if (block) out.push(" ");
      node.childNodes.forEach(walk);
      if (block) out.push(" ");
    }
  };
  walk(cell);
  return out.join("").replace(/\s+/g, " ").trim();
}

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// csvOf returns a table as CSV (RFC 4180). A cell over several columns stands in the first of them. Where the numbers have a disclaimer
// (data-note), each row has it.
export function csvOf(grid) {
  if (grid.drawAll) grid.drawAll();
  if (grid.tagName !== "TABLE") {
    const said = grid.closest("[data-note]")?.dataset.note;
    return [...grid.querySelectorAll("[data-value]")].map((item) => [item.dataset.value, wordsOf(item.querySelector(".num, .small")), said].filter((text) => text !== undefined).map(quoted).join(",")).join("\r\n") + "\r\n";
  }
  const rows = [...grid.querySelectorAll("thead tr, tbody tr")].filter((row) => !row.classList.contains("scales"));
  return rows.map((row) => [...row.cells].flatMap((cell) => [quoted(wordsOf(cell)), ...Array(cell.colSpan - 1).fill("")]).join(",")).join("\r\n") + "\r\n";
}

function fileName(label, ending) {
  return `${(document.title + " " + label).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80)}.${ending}`;
}

// png draws an SVG into a picture, at twice its size.
async function png(svg, [width, height]) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = h("canvas", { width: width * 2, height: height * 2 });
  canvas.getContext("2d").drawImage(image, 0, 0, width * 2, height * 2);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

function button(text, label, act) {
  return h("button", { type: "button", "aria-label": `${text}: ${label}`, onclick: () => Promise.resolve(act()).then(() => announce(`${text} is written`), (e) => announce(e.message)) }, text);
}

// take returns the buttons that take a table or a picture away. They are no part of print.
export function take(label, { grid, picture }) {
  if (!saver) return null;
  const svg = () => drawing(picture, label);
  return h("p", { class: "take screen" },
    grid ? button("CSV", label, () => saver({ name: fileName(label, "csv"), type: "text/csv", text: csvOf(grid) })) : null,
    picture ? [button("SVG", label, () => saver({ name: fileName(label, "svg"), type: "image/svg+xml", text: svg().text })),
      button("PNG", label, async () => { const made = svg(); await saver({ name: fileName(label, "png"), type: "image/png", blob: await png(made.text, made.size) }); })] : null);
}
