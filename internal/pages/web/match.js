import { h, whole, words, note, counted } from "./dom.js";
import { notices } from "./notices.js";
import { start, readOn } from "./host.js";

// The page of a person beside trials, in one column: for each trial the bounds of its record, then the lines of its criteria that touch a
// fact, with the arithmetic on their numbers. It is to be printed and taken to a consultation.

function gateOf(gate) {
  const field = { minimum_age: `${gate.value} or older`, maximum_age: `${gate.value} or younger`, sex: words(gate.value), healthy_volunteers: `healthy volunteers ${gate.value}` };
  const person = gate.person === undefined ? "not stated" : gate.field === "healthy_volunteers" ? (gate.person === "true" ? "a healthy volunteer" : "no healthy volunteer") : gate.person;
  return `${field[gate.field] || gate.value}: ${person}${gate.met === false ? " (not met)" : gate.met === undefined && gate.person !== undefined ? " (not settled)" : ""}`;
}

// marked returns a text with the words of its facts marked, and the words of its limits.
function marked(line) {
  const ends = (line.comparisons || []).map((c) => c.limit);
  const given = (line.facts || []).flatMap((fact) => fact.slice(fact.indexOf(":") + 1).split(/[\s,;]+/)).map((word) => word.replace(/^\W+|\W+$/g, ""));
  const found = [...new Set([...ends, ...given.filter((word) => word.length > 2 && !/^\d/.test(word))])].sort((a, b) => b.length - a.length);
  if (!found.length) return [line.text];
  const any = new RegExp(`(${found.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  return line.text.split(any).map((part, i) => (i % 2 ? h("mark", null, part) : part));
}

function arithmetic(c) {
  return h("div", { class: "small" }, `${c.value}${c.as ? ` (${c.as})` : ""} is ${c.within ? "within" : "not within"} ${c.limit}`);
}

function lineOf(line) {
  const list = { inclusion: "Inclusion", exclusion: "Exclusion", unclear: "List unclear" }[line.list];
  return h("div", { class: "line", "data-line": `${line.list} ${line.no}` }, h("div", { class: "small" }, `${list} ${line.no}`, line.under ? `, under: ${line.under}` : ""),
    h("p", { class: "text" }, marked(line)), (line.comparisons || []).map(arithmetic), (line.facts || []).length ? h("div", { class: "small" }, `Touches ${line.facts.join("; ")}`) : null);
}

function trialOf(ctx, item) {
  const nct = item.id.replace(":", "");
  const site = item.nearest_site;
  const { lines, touched, shown } = item.counts;
  return h("article", { class: "card", "data-trial": item.id }, h("h2", null, item.title || nct),
    h("p", { class: "meta" }, ctx.link(`https://clinicaltrials.gov/study/${nct}`, nct), " ", item.status ? h("span", { class: "badge" }, words(item.status)) : null, item.phase ? h("span", { class: "badge" }, words(item.phase)) : null,
      site ? `nearest site: ${[site.facility_name, site.city].filter(Boolean).join(", ")}${site.distance_km === undefined ? "" : `, ${site.distance_km} km`}` : ""),
    item.gates ? h("p", { class: "gates" }, item.gates.map(gateOf).join(" · ")) : null,
    (item.lines || []).map(lineOf),
    h("p", { class: "meta" }, whole(shown), " of ", whole(lines), ` lines of the record are shown; `, whole(touched), " touch what was said of the person."));
}

function render(ctx, answer) {
  document.title = "A person beside trials";
  const total = answer.pagination && answer.pagination.total_count;
  const items = [...(answer.items || [])];
  if (ctx.file) readOn({ source: ctx, first: answer, given: ctx.given, take: (page) => items.push(...(page.items || [])), state: () => {} });
  ctx.address = items.length ? `https://clinicaltrials.gov/search?id=${encodeURIComponent(items.map((item) => item.id.replace(":", "")).join(" OR "))}` : "";
  return [h("p", { class: "over" }, "ClinicalTrials.gov"), h("h1", null, document.title),
    note(h("b", null, "This is no medical advice. "), "It puts what was said of a person beside the texts of records. What a line means, its words say; whether a number is within a limit is arithmetic and nothing more. Whether a trial fits is for the study team and the doctors who know the person. Biofact kept nothing of the person."),
    notices(answer), h("p", { class: "meta" }, counted(items.length), total === undefined ? " trials" : [" of ", whole(total), " trials"]),
    items.length ? items.map((item) => trialOf(ctx, item)) : note("No trial was found.")];
}

start(render);
