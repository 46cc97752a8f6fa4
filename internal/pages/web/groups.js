import { h, parts, whole, note, announce, style, choice } from "./dom.js";
import { bars, part } from "./bars.js";
import { take } from "./take.js";

// What pages of groups share: columns of years, the filters of the call, and other groups to choose.

// yearly shows the years that have something, the years between them, and the groups of years before and after them. name returns the
// name of a year from its text and its value.
export function yearly(groups, exact, name = (text) => text) {
  const counts = new Map(groups.map((g) => [g.value, g.count]));
  const known = [...counts.keys()].map(Number).filter(Number.isInteger);
  const first = Math.min(...known);
  const last = Math.max(...known);
  if (!known.length || last - first > 150) return bars(groups.map((g) => ({ name: g.value, count: g.count, label: name(g.value, g.value) })));
  const most = Math.max(...counts.values());
  const ends = (start) => [...counts.keys()].filter((value) => value.startsWith(start));
  const all = [...ends("until "), ...Array.from({ length: last - first + 1 }, (_, i) => String(first + i)), ...ends("since ")];
  const list = h("ul", { class: all.length > 24 ? "years many" : all.length > 8 ? "years some" : "years" }, all.map((year) => {
    const count = counts.get(year);
    if (count === undefined) return h("li", { "aria-hidden": exact ? null : "true", title: exact ? `${year}: none` : null }, exact ? h("span", { class: "small", "data-counted": "none" }, "0") : null, h("i"), h("span", { class: "small", "data-counted": "year" }, year));
    return h("li", { "data-value": year, title: `${year}: ${whole(count)}` },
      h("span", { class: "small" }, whole(count)), style(h("i", { "aria-hidden": "true" }), part(count, most)), h("span", { class: "small" }, name(year.replace("until ", "≤").replace("since ", "≥"), year)));
  }));
  return h("div", null, list, take("years", { grid: list, picture: list }));
}

// regroup lets the reader choose other groups by fields [label, argument], where the page may ask for them. shown draws an answer.
export function regroup(ctx, into, shown, fields) {
  const given = { ...ctx.given };
  if (ctx.file) return null;
  if (!ctx.can(given)) return note(`This host does not let the page ask for more. For other groups ask in the conversation: ${ctx.page.tool} with another value of by.`);
  const state = h("p", { class: "meta" });
  const change = (name) => async (value) => {
    if (value) given[name] = value;
    else delete given[name];
    if (!given.by) delete given.then_by;
    state.textContent = "Counting …";
    into.setAttribute("aria-busy", "true");
    try {
      const answer = await ctx.call(given);
      into.replaceChildren(...parts(shown(ctx, answer, { ...given })));
      state.textContent = "";
      announce("The groups have changed.");
    } catch (error) {
      state.replaceChildren(note(error.message));
    }
    into.setAttribute("aria-busy", "false");
  };
  const options = (name, none) => [...(none ? [["", none]] : []), ...((ctx.page.choices || {})[name] || []).map((v) => [v, v.replaceAll("_", " ")])];
  return h("div", { class: "controls" }, fields.map(([label, name, none]) => choice(label, options(name, none), given[name] || "", change(name))), state);
}

// chips are the filters of a call.
export function chips(given) {
  const filters = Object.entries(given).filter(([name]) => !["by", "then_by", "top"].includes(name));
  if (!filters.length) return null;
  const text = (value) => (Array.isArray(value) ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value));
  return h("ul", { class: "chips", "aria-label": "Filters" }, filters.map(([name, value]) => h("li", null, h("b", null, `${name.replaceAll("_", " ")}: `), text(value))));
}
