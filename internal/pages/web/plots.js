import { s, plain } from "./dom.js";

// Small pictures of values. Each stands beside the texts that it shows, and is hidden from screen readers.

// ends returns the limits of a value that can be drawn, or null where the record has none.
function ends(cell, dispersion) {
  const lower = plain(cell.lower);
  const upper = plain(cell.upper);
  if (lower !== null && upper !== null) return [lower, upper];
  const value = plain(cell.value);
  const spread = plain(cell.spread);
  if (value === null || spread === null || !/^standard[ _](deviation|error)/i.test(dispersion || "")) return null;
  return [value - spread, value + spread];
}

// scale returns a function from a number to percents of the width, or null where there is nothing to compare.
function scale(numbers, { zero, log }) {
  const use = log ? Math.log : (x) => x;
  const all = numbers.concat(zero === undefined ? [] : [zero]).filter((x) => !log || x > 0).map(use);
  const low = Math.min(...all);
  const high = Math.max(...all);
  if (all.length < 2 || !(high > low) || !Number.isFinite(high - low)) return null;
  return (x) => (log && x <= 0 ? 2 : 2 + (96 * (use(x) - low)) / (high - low));
}

// scaleOf returns the scale of all values of a measure.
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
  const low = Math.min(...numbers);
  const bars = low >= 0 && /^(COUNT|NUMBER)/.test(measure.parameter || "");
  return { at: scale(numbers, { zero: bars ? 0 : undefined }), bars };
}

const percent = (x) => `${x.toFixed(2)}%`;

function line(x1, x2, y1, y2, kind) {
  return s("line", { x1: percent(x1), x2: percent(x2), y1, y2, class: kind });
}

// dot draws a value with its limits on the scale of its measure.
export function dot(cell, measure, on) {
  const value = plain(cell.value);
  if (!on || !on.at || value === null) return null;
  const limits = ends(cell, measure.dispersion);
  const picture = s("svg", { class: "plot", "aria-hidden": "true", focusable: "false" }, line(0, 100, 9, 9, "rail"));
  if (on.bars && !limits) {
    picture.append(s("rect", { x: percent(on.at(0)), y: 6, height: 6, rx: 2, width: percent(Math.max(on.at(value) - on.at(0), 0.5)) }));
    return picture;
  }
  if (limits) picture.append(line(on.at(limits[0]), on.at(limits[1]), 9, 9), ...limits.map((x) => line(on.at(x), on.at(x), 5, 13)));
  picture.append(s("circle", { cx: percent(on.at(value)), cy: 9, r: 4 }));
  return picture;
}

// neutral returns the value of an estimate that means no difference, where its kind says so.
function neutral(type) {
  if (/ratio|relative risk/i.test(type || "")) return 1;
  if (/differ/i.test(type || "")) return 0;
  return undefined;
}

// forest draws the estimates of analyses. It returns a function from an analysis to its picture.
export function forest(analyses) {
  const kinds = new Map();
  for (const a of analyses) {
    const numbers = [a.estimate, a.lower, a.upper].map(plain).filter((x) => x !== null);
    const kind = kinds.get(a.estimate_type) || { numbers: [], zero: neutral(a.estimate_type) };
    kind.numbers.push(...numbers);
    kinds.set(a.estimate_type, kind);
  }
  for (const kind of kinds.values()) {
    kind.at = scale(kind.numbers, { zero: kind.zero, log: kind.zero === 1 && kind.numbers.every((x) => x > 0) });
  }
  return (a) => {
    const { at, zero } = kinds.get(a.estimate_type);
    const [estimate, lower, upper] = [a.estimate, a.lower, a.upper].map(plain);
    if (!at || estimate === null) return null;
    const picture = s("svg", { class: "plot", "aria-hidden": "true", focusable: "false" }, line(0, 100, 9, 9, "rail"));
    if (zero !== undefined) picture.append(line(at(zero), at(zero), 0, 18, "zero"));
    if (lower !== null || upper !== null) {
      const from = lower === null ? 0 : at(lower);
      const to = upper === null ? 100 : at(upper);
      picture.append(line(from, to, 9, 9));
      for (const [x, known] of [[from, lower], [to, upper]]) if (known !== null) picture.append(line(x, x, 5, 13));
    }
    picture.append(s("rect", { x: percent(at(estimate)), y: 5, width: 8, height: 8, transform: "translate(-4 0)" }));
    return picture;
  };
}

// heading says what the pictures of an analysis show.
export function neutralText(analyses) {
  return analyses.some((a) => neutral(a.estimate_type) !== undefined) ? "The dashed line is no difference." : "";
}
