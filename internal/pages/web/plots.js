import { s, plain, words } from "./dom.js";
import { scale, percent } from "./axis.js";

// Small pictures of values. Each stands beside the texts that it shows, and is hidden from screen readers.

// marks tells the kinds of spread apart: each has a mark of its own, and words for it.
const marks = [
  [/^standard.?deviation/i, "sd", () => "pale band: ± 1 SD, the spread of the values and no interval of the mean"],
  [/^standard.?error/i, "se", () => "line without ends: ± 1 SE"],
  [/confidence|credible/i, "ci", (text) => `line with ends: ${text.replace(/(\d) ?%/, "$1 %").replace(/confidence interval/i, "CI")}`],
  [/quartile/i, "iqr", () => "open box: interquartile range"],
  [/^full.?range/i, "range", () => "dotted line: full range"],
];

// markOf returns how the dispersion of a measure is drawn, and what the mark means.
export function markOf(dispersion) {
  if (!dispersion) return null;
  const found = marks.find(([pattern]) => pattern.test(dispersion));
  const text = words(dispersion);
  return found ? { kind: found[1], text: found[2](text) } : { kind: "range", text: `dotted line: ${text}` };
}

// ends returns the limits of a value that can be drawn, or null where the record has none.
function ends(cell, dispersion) {
  const lower = plain(cell.lower);
  const upper = plain(cell.upper);
  if (lower !== null && upper !== null) return [lower, upper];
  const value = plain(cell.value);
  const spread = plain(cell.spread);
  if (value === null || spread === null || !/^standard.?(deviation|error)/i.test(dispersion || "")) return null;
  return [value - spread, value + spread];
}

// scaleOf returns the one scale of all values of a measure.
export function scaleOf(measure) {
  const numbers = [];
  for (const row of measure.rows || []) {
    for (const cell of row.cells || []) {
      const value = plain(cell.value);
      if (value === null) continue;
      numbers.push(value, ...(ends(cell, measure.dispersion) || []));
    }
  }
  if (numbers.length < 2) return null;
  const bars = Math.min(...numbers) >= 0 && /^(COUNT|NUMBER)/.test(measure.parameter || "");
  const on = scale(numbers, { zero: bars ? 0 : undefined, count: 3 });
  return on && { ...on, bars, mark: markOf(measure.dispersion) };
}


function line(x1, x2, y1, y2, kind) {
  return s("line", { x1: percent(x1), x2: percent(x2), y1, y2, class: kind });
}

function picture(...children) {
  return s("svg", { class: "plot", "aria-hidden": "true", focusable: "false" }, line(2, 98, 9, 9, "rail"), children);
}

// spread draws limits by the mark of their kind.
function spread(from, to, kind) {
  const width = percent(Math.max(to - from, 0.4));
  if (kind === "sd") return [s("rect", { x: percent(from), y: 4, height: 10, width, class: "band" })];
  if (kind === "iqr") return [s("rect", { x: percent(from), y: 4, height: 10, width, class: "open" })];
  if (kind === "range") return [line(from, to, 9, 9, "dotted")];
  if (kind === "se") return [line(from, to, 9, 9)];
  return [line(from, to, 9, 9), line(from, from, 5, 13), line(to, to, 5, 13)];
}

// dot draws a value with its limits on the scale of its measure.
export function dot(cell, measure, on) {
  const value = plain(cell.value);
  if (!on || value === null) return null;
  const limits = ends(cell, measure.dispersion);
  if (on.bars && !limits) {
    return picture(s("rect", { x: percent(on.at(0)), y: 6, height: 6, rx: 2, width: percent(Math.max(on.at(value) - on.at(0), 0.5)) }));
  }
  return picture(limits ? spread(on.at(limits[0]), on.at(limits[1]), on.mark && on.mark.kind) : null, s("circle", { cx: percent(on.at(value)), cy: 9, r: 4 }));
}

// neutral returns the value of an estimate that means no difference, where its kind says so.
export function neutral(type) {
  if (/ratio|relative risk/i.test(type || "")) return 1;
  if (/differ/i.test(type || "")) return 0;
  return undefined;
}

// estimates returns the scale of estimates of one kind: with logarithms for ratios.
export function estimates(numbers, type) {
  const zero = neutral(type);
  const on = scale(numbers, { zero, log: zero === 1 && numbers.every((x) => x > 0) });
  return on && { ...on, zero };
}

// square draws an estimate with its interval. A limit that is not posted leaves the line open to the edge.
export function square([estimate, lower, upper], on) {
  if (!on || estimate === null || estimate === undefined) return null;
  const known = (x) => x !== null && x !== undefined;
  const from = known(lower) ? on.at(lower) : 2;
  const to = known(upper) ? on.at(upper) : 98;
  return picture(on.zero === undefined ? null : line(on.at(on.zero), on.at(on.zero), 0, 18, "zero"),
    known(lower) || known(upper) ? [line(from, to, 9, 9), known(lower) ? line(from, from, 5, 13) : null, known(upper) ? line(to, to, 5, 13) : null] : null,
    s("rect", { x: percent(on.at(estimate)), y: 5, width: 8, height: 8, transform: "translate(-4 0)" }));
}

// neutralText says what the dashed line of a scale is, and that a scale is logarithmic.
export function neutralText(on) {
  return [on.zero === undefined ? "" : `dashed line: no difference (${on.zero})`, on.log ? "logarithmic scale" : ""].filter(Boolean).join("; ");
}
