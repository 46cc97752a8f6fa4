import { h, whole, note } from "./dom.js";
import { notices } from "./notices.js";
import { start } from "./host.js";
import { bars } from "./bars.js";
import { yearly, regroup, chips } from "./groups.js";
import { caption } from "./axis.js";

// The page of reports of side effects: reports by year, or bars of reactions and other groups, never without the disclaimer.

// picture shows the groups. Its caption has the disclaimer, which therefore also stands in the picture as a file.
function picture(answer, by) {
  const groups = answer.groups || [];
  if (!groups.length) return note(answer.disclaimer);
  const rest = [];
  if (answer.others) rest.push({ name: answer.others.values ? `Others (${whole(answer.others.values)} values)` : "Others", count: answer.others.count, rest: true });
  if (answer.without_value) rest.push({ name: "Without a value", count: answer.without_value, rest: true });
  const yearsAlone = by === "year";
  const rows = groups.map((g) => ({ name: g.value, count: g.count }));
  return h("figure", { "data-note": answer.disclaimer }, yearsAlone ? yearly(groups, true) : bars([...rows, ...rest]),
    caption(yearsAlone ? "Bar: number of reports received in the year" : "Bar: number of reports", yearsAlone ? "every year between the first and the last is here, 0 means none" : "",
      `${answer.overlapping ? "a report can be in several groups" : "each report is in one group at most"}. ${answer.disclaimer.replace(/\.$/, "")}`), yearsAlone && rest.length ? bars(rest) : null);
}

function shown(ctx, answer, given) {
  const by = given.by || "reaction";
  return [h("p", { class: "total" }, h("span", { "data-total": true }, whole(answer.total_reports))),
    h("p", { class: "meta" }, answer.total_reports === 1 ? "report matches" : "reports match", `, found by ${answer.matched_by}`), notices(answer), h("h2", null, `By ${by.replaceAll("_", " ")}`), picture(answer, by)];
}

function render(ctx, answer) {
  document.title = `Reports of side effects: ${answer.id || "any drug"}`;
  const [, field, value] = answer.matched_by.match(/^openfda\.(\w+) ([\w-]+)$/) || [];
  ctx.address = field ? `https://api.fda.gov/drug/event.json?search=patient.drug.openfda.${field}:%22${value}%22` : "https://open.fda.gov/data/faers/";
  ctx.left = Object.keys(ctx.given).filter((name) => ["reaction", "serious", "only", "date_range"].includes(name) || (!field && name === "drug_id"));
  const into = h("div", null, shown(ctx, answer, ctx.given));
  return [h("p", { class: "over" }, "FAERS, reports to the FDA"), h("h1", null, document.title), chips(ctx.given), into,
    regroup({ ...ctx, given: { by: "reaction", ...ctx.given } }, into, shown, [["Group by", "by"]])];
}

start(render);
