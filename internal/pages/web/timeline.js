import { h, s } from "./dom.js";
import { percent, caption } from "./axis.js";
import { take } from "./take.js";

// A line of time from the first to the last date of a record.

// dayOf returns a date of a record as a number of years: a month or a year without a day stands at its beginning.
function dayOf(date) {
  const [year, month = 1, day = 1] = date.split("-").map(Number);
  return year + (month - 1) / 12 + (day - 1) / 372;
}

// timeline draws points {text, date, expected} over a caption. Their texts stand one below the other, so that none hides another,
// on the side of the point that has more room.
export function timeline(points, ...says) {
  const list = points.filter((p) => /^\d{4}/.test(p.date)).sort((a, b) => dayOf(a.date) - dayOf(b.date));
  if (list.length < 2) return null;
  const low = Math.floor(dayOf(list[0].date));
  const high = Math.ceil(dayOf(list.at(-1).date) + 0.01);
  const at = (x) => 2 + (92 * (x - low)) / (high - low);
  const side = (x) => (x > 50 ? { dx: -9, "text-anchor": "end" } : { dx: 9 });
  const every = Math.ceil((high - low) / 8);
  const years = [];
  for (let y = low; y <= high; y += every) years.push(y);
  const bottom = list.length * 20 + 6;
  const svg = s("svg", { class: "timeline", role: "img", "aria-label": `Time line: ${list.map((p) => `${p.text} ${p.date}`).join(", ")}`, height: bottom + 22 },
    years.map((y) => [s("line", { x1: percent(at(y)), x2: percent(at(y)), y1: 0, y2: bottom, class: "grid" }), s("text", { x: percent(at(y)), y: bottom + 15, "text-anchor": "middle", class: "year", "data-counted": "axis" }, String(y))]),
    list.map((p, i) => [s("line", { x1: percent(at(dayOf(p.date))), x2: percent(at(dayOf(p.date))), y1: i * 20 + 11, y2: bottom, class: "fall" }),
      s("circle", { cx: percent(at(dayOf(p.date))), cy: i * 20 + 11, r: 4.5, class: p.expected ? "expected" : null }),
      s("text", { x: percent(at(dayOf(p.date))), ...side(at(dayOf(p.date))), y: i * 20 + 15 }, `${p.text} ${p.date}`)]));
  return h("figure", null, svg, take("time line", { picture: svg }), caption(...says));
}
