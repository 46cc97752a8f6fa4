import { h, s } from "./dom.js";

// Scales with their numbers: a position in percent for each value, and round numbers to read it by.

const round = [1, 2, 5, 10];

// stepOf returns a round distance between the numbers of a scale of a length.
function stepOf(length, count) {
  const rough = length / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return round.find((r) => r * power >= rough * 0.999) * power;
}

function logTicks(low, high) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const digit of [1, 2, 5]) {
      const x = Number((digit * 10 ** power).toPrecision(1));
      if (x >= low * 0.999 && x <= high * 1.001) all.push(x);
    }
  }
  if (all.length < 3) return null;
  const every = Math.ceil(all.length / 6);
  const one = Math.max(0, all.indexOf(1));
  return all.filter((_, i) => (i - one) % every === 0);
}

// scale returns the scale of numbers, or null where there is nothing to compare. zero is a value that it must have.
export function scale(numbers, { zero, log, count = 4 } = {}) {
  const all = numbers.concat(zero === undefined ? [] : [zero]).filter((x) => Number.isFinite(x) && (!log || x > 0));
  let low = Math.min(...all);
  let high = Math.max(...all);
  if (all.length < 2 || !(high > low) || !Number.isFinite(high - low)) return null;
  const step = stepOf(high - low, log ? count + 1 : count);
  let ticks = [];
  if (log) {
    ticks = logTicks(low, high);
    [low, high] = [low / (high / low) ** 0.03, high * (high / low) ** 0.03];
  } else {
    low = Math.floor(low / step + 1e-9) * step;
    high = Math.ceil(high / step - 1e-9) * step;
  }
  if (!ticks || !log) {
    ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
  }
  const use = log ? Math.log : (x) => x;
  const at = (x) => (log && x <= 0 ? 2 : Math.max(2, Math.min(98, 2 + (96 * (use(x) - use(low))) / (use(high) - use(low)))));
  return { at, ticks, log: Boolean(log) };
}

export const percent = (x) => `${x.toFixed(2)}%`;

function written(x) {
  const size = Math.abs(x);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return x.toExponential();
  return x.toLocaleString("en", { maximumFractionDigits: 6 });
}

// axis draws the numbers of a scale. The numbers are those of the drawing, not of an answer.
export function axis(on) {
  const ticks = on.ticks.map((x) => {
    const at = on.at(x);
    return [s("line", { x1: percent(at), x2: percent(at), y1: 0, y2: 4 }),
      s("text", { x: percent(at), y: 15, "text-anchor": at < 6 ? "start" : at > 94 ? "end" : "middle" }, written(x))];
  });
  return s("svg", { class: "axis", "aria-hidden": "true", focusable: "false", "data-counted": "axis" }, s("line", { x1: "2%", x2: "98%", y1: 0.5, y2: 0.5 }), ticks);
}

// caption says in words what a picture shows.
export function caption(...texts) {
  return h("p", { class: "caption", "data-counted": "caption" }, texts.filter(Boolean).join("; "), ".");
}
