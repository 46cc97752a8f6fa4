import { h, parts, whole, words, note, table, column, rowHead, style } from "./dom.js";
import { notices } from "./notices.js";
import { start } from "./host.js";
import { bars, part } from "./bars.js";
import { yearly, regroup, chips } from "./groups.js";
import { caption } from "./axis.js";
import { leads } from "./leads.js";

// The page of counts: bars of groups, columns of years, and a table of groups within groups.

const years = /_year$/;

const happened = { start_year: "started in the year", first_posted_year: "were first posted in the year", completion_year: "were completed in the year, or are expected to be" };

function label(value, by) {
  return by === "has_results" ? { true: "With results", false: "Without results" }[value] || words(value) : words(value);
}

function named(groups, by, to) {
  return groups.map((g) => ({ name: label(g.value, by), count: g.count, label: to.name(label(g.value, by), [by, g.value]) }));
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
  if (years.test(given.by || "")) return [title, yearly(groups, answer.exact !== false, (text, value) => to.name(text, [given.by, value])), caption(`Bar: number of trials that ${happened[given.by] || "are of the year"}`, answer.exact === false ? "years without a bar are not in the sample" : "every year between the first and the last is here, 0 means none", (answer.groups || []).some((g) => g.value.startsWith("until ")) ? "the first bar holds that year and all before it" : ""), ...(others.length ? [bars(others)] : [])];
  return [title, bars([...named(groups, given.by, to), ...others])];
}

function shown(ctx, answer, given) {
  const to = leads(ctx, given);
  return [
    h("p", { class: "total" }, h("span", { "data-total": true }, whole(answer.total_count))), h("p", { class: "meta" }, answer.total_count === 1 ? "trial matches" : "trials match"),
    remarks(answer), chart(answer, given, to), to.element,
  ];
}

function render(context, answer) {
  const [by, second] = String(context.given.by || "").split(/\s*,\s*/); // a list of two is by and then_by
  const ctx = second ? { ...context, given: { ...context.given, by, then_by: second } } : context;
  document.title = "Number of clinical trials";
  const into = h("div", null, shown(ctx, answer, ctx.given));
  if (!ctx.file && ctx.can({}) && years.test(ctx.given.by || "") && !ctx.given.top && (answer.groups || []).some((g) => g.value.startsWith("until "))) {
    ctx.call({ ...ctx.given, top: 100 }).then((all) => into.replaceChildren(...parts(shown(ctx, all, ctx.given))), () => {}); // earlier years too
  }
  return [h("p", { class: "over" }, "ClinicalTrials.gov"), h("h1", null, "Number of clinical trials"), chips(ctx.given), into, regroup(ctx, into, shown, [["Group by", "by", "none"], ["then by", "then_by", "none"]])];
}

start(render);
