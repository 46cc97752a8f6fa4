import { h, whole, words, note, more, table, column, rowHead, counted } from "./dom.js";
import { notices } from "./notices.js";
import { start, readOn } from "./host.js";

// The page of a person beside trials: for each trial what stands in the way, what does not, and what stays open. It is to be printed
// and taken to a consultation.

const kinds = [["blocks", "Stands in the way", "These lines of the record exclude what was said of the person."],
  ["unknown", "Stays open", "What was said of the person decides nothing here: to be asked."],
  ["allows", "Does not stand in the way", "These lines of the record admit what was said of the person."]];
const fields = { minimum_age: "Youngest age", maximum_age: "Oldest age", sex: "Sex", healthy_volunteers: "Healthy volunteers" };

function lineOf(line) {
  const where = line.field ? fields[line.field] || line.field : line.list === "inclusion" ? "Inclusion" : line.list === "exclusion" ? "Exclusion" : "List unclear";
  return h("tr", null, rowHead(where), h("td", null, line.under ? h("div", { class: "small" }, line.under) : null, h("span", { class: "text" }, line.text), line.limit ? h("div", { class: "small" }, `Limit: ${line.limit}`) : null),
    h("td", null, line.person || h("small", null, "not stated")));
}

function linesOf(item, [name, title, about]) {
  const lines = item[name] || [];
  const total = (item.counts || {})[name] || 0;
  if (!total && !lines.length) return null;
  const left = total - lines.length;
  return h("section", { class: name, "data-kind": name }, h("h3", null, `${title}: `, whole(total)), h("p", { class: "meta" }, about),
    lines.length ? table(title, [column("Where"), column("Line of the record"), column("The person")], lines.map(lineOf), { class: "match" }) : null,
    left > 0 ? h("p", { class: "meta" }, counted(left), " more lines are in the record.") : null);
}

function trialOf(ctx, item) {
  const nct = item.id.replace(":", "");
  const site = item.nearest_site;
  return h("article", { class: "card", "data-trial": item.id }, h("h2", null, item.title || nct),
    h("p", { class: "meta" }, ctx.link(`https://clinicaltrials.gov/study/${nct}`, nct), " ", item.status ? h("span", { class: "badge" }, words(item.status)) : null, item.phase ? h("span", { class: "badge" }, words(item.phase)) : null,
      [item.lead_sponsor, site && `nearest site: ${[site.facility_name, site.city].filter(Boolean).join(", ")}${site.distance_km === undefined ? "" : `, ${site.distance_km} km`}`].filter(Boolean).join(" · ")),
    kinds.map((kind) => linesOf(item, kind)), item.brief_summary ? more("What the trial is about", h("p", { class: "text" }, item.brief_summary)) : null);
}

function render(ctx, answer) {
  document.title = "A person beside trials";
  const total = answer.pagination && answer.pagination.total_count;
  const items = [...(answer.items || [])];
  if (ctx.file) readOn({ source: ctx, first: answer, given: ctx.given, take: (page) => items.push(...(page.items || [])), state: () => {} });
  ctx.address = items.length ? `https://clinicaltrials.gov/search?id=${encodeURIComponent(items.map((item) => item.id.replace(":", "")).join(" OR "))}` : "";
  return [h("p", { class: "over" }, "ClinicalTrials.gov"), h("h1", null, document.title),
    note(h("b", null, "This is no medical advice. "), "It puts what was said of a person beside the texts of records. Whether a trial fits is for the study team and the doctors who know the person. Biofact kept nothing of the person."),
    notices(answer), h("p", { class: "meta" }, counted(items.length), total === undefined ? " trials" : [" of ", whole(total), " trials"]),
    items.length ? items.map((item) => trialOf(ctx, item)) : note("No trial was found.")];
}

start(render);
