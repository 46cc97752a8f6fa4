import { h, parts, whole, words, table, column, rowHead, swatch, limited, more, style, choice, entry, announce, counted } from "./dom.js";
import { harms } from "./harms.js";

// Adverse events: the groups side by side.

function share(affected, risk) {
  if (!(risk > 0) || affected === undefined) return null;
  return bar((100 * affected) / risk);
}

function bar(percent) {
  return h("span", { class: "bar", "aria-hidden": "true" }, style(h("i"), { "--part": `${Math.min(100, percent)}%` }));
}

function of(affected, risk) {
  if (affected === undefined) return h("small", null, "not stated");
  return [h("span", { class: "num" }, whole(affected)), risk === undefined ? null : h("small", null, ` of ${whole(risk)}`), share(affected, risk)];
}

const tone = (n) => "g" + (((n - 1) % 8) + 1);

function groupHead(g) {
  return column(swatch(g.number), g.title || `Group ${g.number}`);
}

// totals shows how many participants of each group had any event.
export function totals(events) {
  const groups = events.groups || [];
  if (!groups.length) return null;
  const rows = groups.map((g) => h("tr", { class: tone(g.number) }, rowHead(swatch(g.number), g.title || `Group ${g.number}`),
    h("td", null, of(g.serious_affected, g.serious_at_risk)), h("td", null, of(g.other_affected, g.other_at_risk)), h("td", null, of(g.deaths, g.deaths_at_risk))));
  return table("Participants with adverse events, by group", [column("Participants with"), column("serious events"), column("other events"), column("death of any cause")], rows, { class: "cols" });
}

function rate(event) {
  return Math.max(0, ...(event.cells || []).map((c) => c.percent_computed || 0));
}

// most is the highest rate in the list: bars are as long as rates are to it.
function cellOf(event, group, most) {
  const cell = (event.cells || []).find((c) => c.group === group.number);
  if (!cell) return h("td", null, h("small", null, "not stated"));
  // In an overview a cell without a number at risk has that of its group.
  const risk = cell.at_risk !== undefined ? cell.at_risk : event.serious ? group.serious_at_risk : group.other_at_risk;
  const counts = cell.affected === undefined ? "not stated" : `${whole(cell.affected)}${risk === undefined ? "" : ` of ${whole(risk)}`}`;
  return h("td", { class: tone(group.number) },
    cell.percent_computed !== undefined ? [h("span", { class: "num" }, `${cell.percent_computed}%`), " "] : null,
    h("small", { class: "of" }, counts), cell.events !== undefined ? h("div", { class: "small" }, `${whole(cell.events)} ${cell.events === 1 ? "event" : "events"}`) : null,
    cell.percent_computed && most > 0 ? bar((100 * cell.percent_computed) / most) : null);
}

function eventRow(event, groups, most, mixed) {
  const about = [event.vocabulary, event.assessment && words(event.assessment), event.notes].filter(Boolean).join(" · ");
  return h("tr", { "data-event": event.term || "" },
    rowHead(event.term || "Without a name", mixed && event.serious ? [" ", h("b", { class: "badge" }, "Serious")] : null,
      about ? more(event.organ_system || "More", h("div", { class: "small" }, about)) : h("div", { class: "small" }, event.organ_system)),
    groups.map((g) => cellOf(event, g, most)));
}

// happened reports whether a participant of any group had the event, or the record does not say it.
function happened(event) {
  return !(event.cells || []).length || event.cells.some((c) => c.affected !== 0);
}

// grid shows events with a column for each group with someone at risk. Events that nobody had are folded.
function grid(events, all, step, mixed) {
  const groups = all.filter((g) => g.serious_at_risk !== 0 || g.other_at_risk !== 0);
  const list = events.filter(happened);
  const none = events.filter((e) => !happened(e));
  const left = all.length - groups.length;
  const [framed, foot] = gridOf(list, groups, step, mixed);
  return [groups.length > 5 ? h("p", { class: "meta" }, counted(groups.length), " groups stand side by side: those that are not on the screen are to the right.") : null, framed, foot,
    none.length ? more(["Events that nobody had: ", counted(none.length)], gridOf(none, groups, step, mixed)) : null,
    left ? h("p", { class: "meta" }, "Groups with nobody at risk, which are not shown: ", all.filter((g) => !groups.includes(g)).map((g) => g.title || `Group ${g.number}`).join(", "), ".") : null];
}

function gridOf(list, groups, step, mixed) {
  const framed = table("Adverse events by group", [column("Event"), ...groups.map(groupHead)], [], { class: "cols" });
  const most = Math.max(...list.map(rate));
  return [framed, limited({ rows: list, draw: (e) => eventRow(e, groups, most, mixed), into: framed.querySelector("tbody"), step, what: "adverse events" })];
}

// top shows the events of an overview as they come.
export function top(events) {
  return [["Serious adverse events", true], ["Other adverse events", false]].map(([title, serious]) => {
    const list = (events.events || []).filter((e) => e.serious === serious);
    return list.length ? [h("h3", null, title), gridOf(list, events.groups || [], 40)[0]] : null;
  });
}

const orders = {
  rate: ["Highest rate in any group", (a, b) => rate(b) - rate(a)],
  record: ["Order of the record", () => 0],
  term: ["Name", (a, b) => (a.term || "").localeCompare(b.term || "")],
  system: ["Organ system", (a, b) => (a.organ_system || "").localeCompare(b.organ_system || "") || rate(b) - rate(a)],
};

// browser shows events to be searched and sorted. add takes more of them.
export function browser(groups) {
  const all = [];
  const against = harms(groups, all);
  const into = h("div");
  const picked = { words: "", kind: "all", order: "rate" };
  const draw = () => {
    const wanted = picked.words.toLowerCase();
    const list = all.filter((e) => (picked.kind === "all" || (picked.kind === "serious") === e.serious)
      && `${e.term || ""} ${e.organ_system || ""}`.toLowerCase().includes(wanted)).sort(orders[picked.order][1]);
    against.draw();
    into.replaceChildren(...parts(grid(list, groups, 50, picked.kind === "all")));
    return list.length;
  };
  const change = (name) => (value) => {
    picked[name] = value;
    announce(`${draw()} adverse events match`);
  };
  const controls = h("div", { class: "controls" },
    entry("Find an event", { type: "search", placeholder: "term or organ system" }, change("words")),
    choice("Kind", [["all", "All"], ["serious", "Serious"], ["other", "Other"]], "all", change("kind")),
    choice("Sort by", Object.entries(orders).map(([name, [label]]) => [name, label]), "rate", change("order")));
  return {
    element: h("div", null, against.element, h("h3", null, "All groups side by side"), controls, into),
    add: (events) => { all.push(...events); },
    draw,
  };
}
