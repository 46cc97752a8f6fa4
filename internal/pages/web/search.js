import { h, whole, words, note, table, column, rowHead, limited, counted, announce, choice, entry } from "./dom.js";
import { notices } from "./notices.js";
import { start, readOn } from "./host.js";
import { bars } from "./bars.js";
import { flat } from "./flat.js";

// The page of a search: a list of trials that can be sorted and narrowed, with the nearest sites where a place was asked for.

const sorts = {
  found: ["Order of the answer", () => 0],
  start: ["Start, newest first", (a, b) => (b.start_date || "").localeCompare(a.start_date || "")],
  size: ["Participants, most first", (a, b) => (b.enrollment ?? -1) - (a.enrollment ?? -1)],
  title: ["Title", (a, b) => (a.title || "").localeCompare(b.title || "")],
  near: ["Distance", (a, b) => ((a.nearest_site || {}).distance_km ?? Infinity) - ((b.nearest_site || {}).distance_km ?? Infinity)],
};

function siteOf(item) {
  const site = item.nearest_site;
  if (!site) return null;
  const about = [site.facility_name, site.city, site.country].filter(Boolean).join(", ");
  return [site.distance_km === undefined ? null : h("span", { class: "num" }, `${site.distance_km} km`), h("div", { class: "small" }, about, site.recruitment_status ? ` (${words(site.recruitment_status).toLowerCase()})` : "")];
}

function rowOfTrial(ctx, near) {
  return (item) => {
    const nct = item.id.replace(":", "");
    return h("tr", { "data-trial": item.id }, rowHead(item.title || nct, h("div", { class: "small" }, ctx.link(`https://clinicaltrials.gov/study/${nct}`, nct), item.lead_sponsor ? ` · ${item.lead_sponsor}` : ""),
      (item.conditions || []).length ? h("div", { class: "small" }, item.conditions.join(", ")) : null),
    h("td", { "data-label": "Status" }, words(item.status || ""), item.why_stopped ? h("div", { class: "small" }, item.why_stopped) : null, item.has_results ? h("div", { class: "small" }, "results posted") : null),
    h("td", { "data-label": "Phase" }, words(item.phase || "")), h("td", { "data-label": "Interventions" }, (item.interventions || []).map((x) => h("div", { class: "small" }, x))),
    h("td", { "data-label": "Start" }, item.start_date || h("small", null, "not stated")), h("td", { "data-label": "Participants" }, item.enrollment === undefined ? h("small", null, "not stated") : h("span", { class: "num" }, whole(item.enrollment))),
    near ? h("td", { "data-label": "Nearest site" }, siteOf(item)) : null);
  };
}

// groupsOf counts values among the rows that are shown, and says so.
function groupsOf(rows, name, title, total) {
  const counts = new Map();
  for (const row of rows) counts.set(row[name] ? words(row[name]) : "Not stated", (counts.get(row[name] ? words(row[name]) : "Not stated") || 0) + 1);
  return h("section", { "data-counted": "rows" }, h("h2", null, title), h("p", { class: "meta" }, `Of the ${whole(rows.length)} rows shown${total > rows.length ? `, not of all ${whole(total)} trials` : ""}`),
    bars([...counts].map(([value, count]) => ({ name: value, count })).sort((a, b) => b.count - a.count)));
}

function browser(ctx, rows, total) {
  const near = rows.some((r) => r.nearest_site);
  const picked = { words: "", order: near ? "near" : "found" };
  const into = h("div");
  const draw = () => {
    const found = rows.filter((r) => [r.title, r.lead_sponsor, ...(r.conditions || []), ...(r.interventions || [])].join(" ").toLowerCase().includes(picked.words.toLowerCase())).sort(sorts[picked.order][1]);
    const framed = table("Trials", [column("Trial"), column("Status"), column("Phase"), column("Interventions"), column("Start"), column("Participants"), near ? column("Nearest site") : null], [], { class: "cols found" });
    const foot = limited({ rows: found, draw: rowOfTrial(ctx, near), into: framed.querySelector("tbody"), step: 50, what: "trials" });
    into.replaceChildren(framed, foot);
    return found.length;
  };
  const change = (name) => (value) => {
    picked[name] = value;
    announce(`${draw()} trials match`);
  };
  draw();
  const options = Object.entries(sorts).filter(([name]) => name !== "near" || near).map(([name, [label]]) => [name, label]);
  return [h("div", { class: "controls" }, entry("Find in this list", { type: "search", placeholder: "words of a row" }, change("words")), choice("Sort by", options, picked.order, change("order"))), into,
    rows.length > 1 ? h("div", { class: "two" }, groupsOf(rows, "status", "Status", total), groupsOf(rows, "phase", "Phase", total)) : null];
}

function render(ctx, answer) {
  document.title = "Search for trials";
  const rows = [...(answer.items || [])];
  if (ctx.file) readOn({ source: ctx, first: answer, given: ctx.given, take: (page) => rows.push(...(page.items || [])), state: () => {} });
  const total = (answer.pagination || {}).total_count ?? rows.length;
  const filters = Object.entries(ctx.given).filter(([name]) => !["page_size", "cursor", "fields"].includes(name));
  const relaxed = answer.relaxed && answer.relaxed.items;
  return [h("p", { class: "over" }, "ClinicalTrials.gov"), h("h1", null, "Trials found"),
    filters.length ? h("ul", { class: "chips", "aria-label": "Filters" }, filters.map(([name, value]) => h("li", null, h("b", null, `${name.replaceAll("_", " ")}: `), typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : [value].flat().join(", ")))) : null,
    h("p", { class: "total" }, whole(total)), h("p", { class: "meta" }, total === 1 ? "trial matches" : "trials match", total > rows.length ? [", ", counted(rows.length), " are here"] : ""),
    notices(answer), rows.length ? (ctx.given.fields ? flat({ rows }) : browser(ctx, rows, total)) : note("No trial has all of what was asked."),
    relaxed && relaxed.length ? [h("h2", null, "Trials that have only some of the words"), browser(ctx, relaxed, relaxed.length)] : null];
}

start(render);
