import { h, words, note, table, column, rowHead } from "./dom.js";
import { notices } from "./notices.js";
import { start } from "./host.js";

// The page of a comparison: trials side by side, the aspects that differ first.

// plainly writes the codes in an item as words.
function plainly(text) {
  return words(text).replace(/^(masking|purpose|sex) ([A-Z_]+)$/, (_, name, code) => `${name} ${words(code).toLowerCase()}`)
    .replace(/\(([A-Z]+_[A-Z_]+|EXPERIMENTAL|OTHER)\)/g, (_, code) => `(${words(code).toLowerCase()})`);
}

function valueOf(aspect, id) {
  const found = (aspect.values || []).find((v) => v.id === id);
  if (!found) return h("small", null, "not stated");
  const items = (found.items || []).map(plainly);
  const rest = Object.entries(found).filter(([name]) => !["id", "items"].includes(name));
  const out = items.length > 1 ? h("ul", { class: "plain-list" }, items.map((text) => h("li", null, text))) : items[0];
  return [out, rest.map(([name, value]) => h("div", { class: "small" }, `${name.replaceAll("_", " ")}: ${typeof value === "object" ? JSON.stringify(value) : value}`))];
}

function tableOf(ctx, trials, aspects, title) {
  if (!aspects.length) return null;
  const heads = trials.map((t) => column(ctx.link(`https://clinicaltrials.gov/study/${t.id.replace(":", "")}`, t.id.replace(":", "")), h("div", null, t.title)));
  const rows = aspects.map((a) => h("tr", { "data-aspect": a.aspect }, rowHead(words(a.aspect.toUpperCase())), trials.map((t) => h("td", null, valueOf(a, t.id)))));
  return [h("h2", null, title), table(title, [column("Aspect"), ...heads], rows, { class: "cols compare" })];
}

function render(ctx, answer) {
  const { trials = [], aspects = [] } = answer;
  document.title = `Comparison of ${trials.length} trials`;
  return [h("p", { class: "over" }, "ClinicalTrials.gov"), h("h1", null, document.title), notices(answer),
    tableOf(ctx, trials, aspects.filter((a) => a.differs), "What differs"), tableOf(ctx, trials, aspects.filter((a) => !a.differs), "What is the same"),
    note("Texts stand as the records have them. A difference in words need not be a difference in what was done.")];
}

start(render);
