import { h, parts, s, whole, words, note, table, column, rowHead, limited, swatch, counted, choice, announce, more } from "./dom.js";
import { scale, axis, caption, percent } from "./axis.js";

// Two groups of adverse events against each other. The difference is computed from the posted numbers and is no test.

const titleOf = (g) => g.title || `Group ${g.number}`;
const colorOf = (g) => "g" + (((g.number - 1) % 8) + 1);

// sideOf returns the share of a group that had an event: {affected, risk, rate}, or null where the record does not say it.
function sideOf(event, group) {
  const cell = (event.cells || []).find((c) => c.group === group.number);
  const risk = cell && (cell.at_risk !== undefined ? cell.at_risk : event.serious ? group.serious_at_risk : group.other_at_risk);
  return cell && cell.affected !== undefined && risk > 0 ? { affected: cell.affected, risk, rate: (100 * cell.affected) / risk } : null;
}

function sideText(side) {
  return side ? [h("span", { class: "num", "data-counted": "computed" }, `${side.rate.toFixed(1)} %`), h("small", { class: "of" }, ` ${whole(side.affected)} of ${whole(side.risk)}`)] : h("small", null, "not stated");
}

function dots(row, [a, b], on) {
  const [x, y] = [on.at(row.a.rate), on.at(row.b.rate)];
  return s("svg", { class: "plot", "aria-hidden": "true", focusable: "false" }, s("line", { x1: "2%", x2: "98%", y1: 9, y2: 9, class: "rail" }), s("line", { x1: percent(x), x2: percent(y), y1: 9, y2: 9, class: "between" }),
    s("circle", { cx: percent(x), cy: 9, r: 4.5, class: colorOf(a) }), s("rect", { x: percent(y), y: 5, width: 8, height: 8, transform: "translate(-4 0)", class: colorOf(b) }));
}

const byDifference = (p, q) => Math.abs(q.difference) - Math.abs(p.difference);
const harmOrders = {
  difference: ["Largest difference", byDifference],
  first: ["More in the first group", (p, q) => q.difference - p.difference],
  second: ["More in the second group", (p, q) => p.difference - q.difference],
};

function rowsOf(all, [a, b], serious) {
  const events = all.filter((e) => serious === "all" || (serious === "serious") === e.serious);
  const rows = events.map((event) => ({ event, a: sideOf(event, a), b: sideOf(event, b) }));
  const both = rows.filter((r) => r.a && r.b);
  for (const r of both) r.difference = r.a.rate - r.b.rate;
  return { shown: both.filter((r) => r.a.affected || r.b.affected), none: both.filter((r) => !r.a.affected && !r.b.affected), unknown: rows.length - both.length };
}

function plot(found, pair, order) {
  const rows = found.shown.sort(harmOrders[order][1]);
  const on = scale(rows.flatMap((r) => [r.a.rate, r.b.rate]), { zero: 0 });
  if (!rows.length || !on) return note("No event that happened has numbers in both groups.");
  const signed = (x) => `${x > 0 ? "+" : x < 0 ? "−" : ""}${Math.abs(x).toFixed(1)}`;
  const draw = (r) => h("tr", { "data-harm": r.event.term || "" }, rowHead(r.event.term || "Without a name", r.event.serious ? [" ", h("b", { class: "badge" }, "Serious")] : null, h("div", { class: "small" }, r.event.organ_system)),
    h("td", null, sideText(r.a)), h("td", null, sideText(r.b)), h("td", { class: "wide" }, dots(r, pair, on)), h("td", null, h("span", { class: "num", "data-counted": "computed" }, signed(r.difference))));
  const [a, b] = pair;
  const framed = table("Two groups against each other", [column("Event"), column(swatch(a.number), titleOf(a)), column(swatch(b.number), titleOf(b)), column("Share of participants, %", axis(on)), column("Difference, computed")], [], { class: "harms" });
  const foot = limited({ rows, draw, into: framed.querySelector("tbody"), step: 15, what: "events" });
  return [framed, foot, caption(`Dot: ${titleOf(a)}`, `square: ${titleOf(b)}`, "scale: % of the participants at risk", "difference: first minus second group in percentage points, computed from the posted numbers, without a test and without an interval")];
}

// harms lets the reader choose two groups. events are all that the page has read.
export function harms(groups, all) {
  const able = groups.filter((g) => g.serious_at_risk > 0 || g.other_at_risk > 0);
  if (able.length < 2) return { element: h("div"), draw: () => {} };
  const picked = { a: String(able[0].number), b: String(able[1].number), order: "difference", kind: "all" };
  const into = h("div");
  const group = (number) => able.find((g) => String(g.number) === number);
  const draw = () => {
    const pair = [group(picked.a), group(picked.b)];
    const found = rowsOf(all, pair, picked.kind);
    into.replaceChildren(...parts(picked.a === picked.b ? note("These are the same group: choose another one.") : plot(found, pair, picked.order),
      found.none.length ? more(["Events that nobody in these two groups had: ", counted(found.none.length)], h("p", { class: "small" }, found.none.map((r) => r.event.term || "Without a name").join(", "))) : null,
      found.unknown ? h("p", { class: "meta" }, counted(found.unknown), " events are not stated for both groups. This is not zero.") : null));
    return found.shown.length;
  };
  const change = (name) => (value) => {
    picked[name] = value;
    announce(`${draw()} events in these two groups`);
  };
  const options = able.map((g) => [String(g.number), titleOf(g)]);
  return {
    element: h("section", null, h("h3", null, "Two groups against each other"),
      h("div", { class: "controls" }, choice("First group", options, picked.a, change("a")), choice("Second group", options, picked.b, change("b")),
        choice("Events", [["all", "All"], ["serious", words("SERIOUS")], ["other", "Other"]], "all", change("kind")),
        choice("Sort", Object.entries(harmOrders).map(([name, [label]]) => [name, label]), picked.order, change("order"))), into),
    draw,
  };
}
