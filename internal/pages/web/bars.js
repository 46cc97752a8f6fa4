import { h, whole, style } from "./dom.js";
import { take } from "./take.js";

// part is how long a bar is beside the longest one.
export function part(count, most) {
  return { "--part": `${most > 0 ? (100 * count) / most : 0}%` };
}

// bars shows rows {name, count, label?, rest?} as bars: rest is what is no group of its own.
export function bars(rows) {
  const most = Math.max(...rows.map((r) => r.count));
  const list = h("ul", { class: "bars" }, rows.map((r) => h("li", { class: r.rest ? "rest" : null, "data-value": r.name },
    h("span", { class: "name" }, r.label || r.name), h("span", { class: "track" }, style(h("i", { "aria-hidden": "true" }), part(r.count, most)), h("span", { class: "num" }, whole(r.count)), r.beside))));
  return h("div", null, list, take("bars", { grid: list, picture: list }));
}
