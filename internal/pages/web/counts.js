import { h, parts, whole, words, note, table, column, rowHead, announce, style, choice } from "./dom.js";
import { notices } from "./notices.js";
import { start } from "./host.js";
import { bars, part } from "./bars.js";
import { caption } from "./axis.js";
import { take } from "./take.js";
import { leads } from "./leads.js";

// The page of counts: bars of groups, columns of years, and a table of groups within groups.

const years = /_year$/;

function label(value, by) {
  return by === "has_results" ? { true: "With results", false: "Without results" }[value] || words(value) : words(value);
}

function named(groups, by, to) {
  return groups.map((g) => ({ name: label(g.value, by), count: g.count, label: to.name(label(g.value, by), [by, g.value]) }));
}

// line shows the years that have trials, the years between them, and the groups of years before and after them.
function line(groups, exact, by, to) {
  const counts = new Map(groups.map((g) => [g.value, g.count]));
  const known = [...counts.keys()].map(Number).filter(Number.isInteger);
  const first = Math.min(...known);
  const last = Math.max(...known);
  if (!known.length || last - first > 150) return bars(named(groups, by, to));
  const most = Math.max(...counts.values());
  const ends = (start) => [...counts.keys()].filter((name) => name.startsWith(start));
  const all = [...ends("until "), ...Array.from({ length: last - first + 1 }, (_, i) => String(first + i)), ...ends("since ")];
  const list = h("ul", { class: all.length > 24 ? "years many" : all.length > 8 ? "years some" : "years" }, all.map((year) => {
    const count = counts.get(year);
    if (count === undefined) return h("li", { "aria-hidden": exact ? null : "true", title: exact ? `${year}: none` : null }, exact ? h("span", { class: "small", "data-counted": "none" }, "0") : null, h("i"), h("span", { class: "small", "data-counted": "year" }, year));
    return h("li", { "data-value": year, title: `${year}: ${whole(count)}` },
      h("span", { class: "small" }, whole(count)), style(h("i", { "aria-hidden": "true" }), part(count, most)), h("span", { class: "small" }, to.name(year.replace("until ", "≤").replace("since ", "≥"), [by, year])));
  }));
  return h("div", null, list, take("years", { grid: list, picture: list }));
}

// order sorts phases and years as they follow each other.
function order(value) {
  return value.replace("EARLY_PHASE1", "PHASE0").replace(/^NA$/, "ZZ").replace(/^until (?=[0-9]{4}$)/, "").replace(/^since ([0-9]{4})$/, "$1 ");
}

// within shows groups in the rows and the groups inside them in the columns.
function within(groups, by, thenBy, to) {
  const values = [...new Set(groups.flatMap((g) => (g.groups || []).map((sub) => sub.value)))];
  values.sort((a, b) => order(a).localeCompare(order(b)));
  const most = Math.max(...groups.flatMap((g) => (g.groups || []).map((sub) => sub.count)), 1);
  const left = [["Others", (g) => g.others?.count], ["Without a value", (g) => g.without_value]].filter(([, count]) => groups.some(count));
  const rows = groups.map((g) => h("tr", { "data-value": label(g.value, by) }, rowHead(to.name(label(g.value, by), [by, g.value])), h("td", null, h("span", { class: "num" }, whole(g.count))),
    values.map((value) => {
      const sub = (g.groups || []).find((x) => x.value === value);
      return h("td", null, sub ? style(h("span", { class: "cell" }, to.name(whole(sub.count), [by, g.value], [thenBy, value])), part(sub.count, most)) : null);
    }),
    left.map(([, count]) => h("td", null, count(g) ? h("span", { class: "num" }, whole(count(g))) : null))));
  const names = [...values.map((v) => label(v, thenBy)), ...left.map(([name]) => name)];
  return table("Trials by group, and by the groups within", [column(words((by || "").toUpperCase())), column("All"), ...names.map((name) => column(name))], rows, { class: "heat" });
}

function remarks(answer) {
  const sample = answer.counted;
  return [
    answer.exact === false && sample ? note(`The groups are counted in a sample: the ${whole(sample.trials)} newest registrations`,
      sample.first_posted_from ? `, first posted from ${sample.first_posted_from} to ${sample.first_posted_to}` : "", ". They do not add up to all trials.") : null,
    answer.overlapping ? note("A trial can be in several groups: the groups do not add up to the number of trials.") : null,
    notices(answer),
  ];
}

// rest returns what is not among the groups, as bars of their own.
function rest(answer) {
  const out = [];
  if (answer.others) out.push({ name: answer.others.values ? `Others (${whole(answer.others.values)} values)` : "Others", count: answer.others.count, rest: true });
  if (answer.without_value) out.push({ name: "Without a value", count: answer.without_value, rest: true });
  return out;
}

function chart(answer, given, to) {
  const groups = answer.groups || [];
  if (!groups.length) return given.by ? [note("No trial has a group.")] : [];
  const others = rest(answer);
  const title = h("h2", null, `By ${words(given.by || "group").replaceAll("_", " ")}${given.then_by ? `, then by ${given.then_by.replaceAll("_", " ")}` : ""}`);
  if (groups.some((g) => g.groups || g.without_value)) return [title, within(groups, given.by, given.then_by, to), ...(others.length ? [bars(others)] : [])];
  if (years.test(given.by || "")) return [title, line(groups, answer.exact !== false, given.by, to), caption("Bar: number of trials that started, were posted or ended in the year, as the heading says", answer.exact === false ? "years without a bar are not in the sample" : "every year between the first and the last is here, 0 means none", (answer.groups || []).some((g) => g.value.startsWith("until ")) ? "the first bar holds that year and all before it" : ""), ...(others.length ? [bars(others)] : [])];
  return [title, bars([...named(groups, given.by, to), ...others])];
}

// regroup lets the reader choose other groups, where the page may ask for them.
function regroup(ctx, into) {
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
  const values = ctx.page.choices || {};
  const options = (name) => [["", "none"], ...(values[name] || []).map((v) => [v, v.replaceAll("_", " ")])];
  return h("div", { class: "controls" }, choice("Group by", options("by"), given.by || "", change("by")), choice("then by", options("then_by"), given.then_by || "", change("then_by")), state);
}

function shown(ctx, answer, given) {
  const to = leads(ctx, given);
  return [
    h("p", { class: "total" }, h("span", { "data-total": true }, whole(answer.total_count))), h("p", { class: "meta" }, answer.total_count === 1 ? "trial matches" : "trials match"),
    remarks(answer), chart(answer, given, to), to.element,
  ];
}

function chips(given) {
  const filters = Object.entries(given).filter(([name]) => !["by", "then_by", "top"].includes(name));
  if (!filters.length) return null;
  const text = (value) => (Array.isArray(value) ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value));
  return h("ul", { class: "chips", "aria-label": "Filters" }, filters.map(([name, value]) => h("li", null, h("b", null, `${name.replaceAll("_", " ")}: `), text(value))));
}

function render(context, answer) {
  const [by, second] = String(context.given.by || "").split(/\s*,\s*/); // a list of two is by and then_by
  const ctx = second ? { ...context, given: { ...context.given, by, then_by: second } } : context;
  document.title = "Number of clinical trials";
  const into = h("div", null, shown(ctx, answer, ctx.given));
  if (!ctx.file && ctx.can({}) && years.test(ctx.given.by || "") && !ctx.given.top && (answer.groups || []).some((g) => g.value.startsWith("until "))) {
    ctx.call({ ...ctx.given, top: 100 }).then((all) => into.replaceChildren(...parts(shown(ctx, all, ctx.given))), () => {}); // earlier years too
  }
  return [h("p", { class: "over" }, "ClinicalTrials.gov"), h("h1", null, "Number of clinical trials"), chips(ctx.given), into, regroup(ctx, into)];
}

start(render);
