import { h, parts, whole, words, note, table, column, rowHead, limited, counted, announce, choice, entry } from "./dom.js";
import { notices } from "./notices.js";
import { start, readOn } from "./host.js";
import { bars } from "./bars.js";
import { flat } from "./flat.js";
import { leads } from "./leads.js";
import { map } from "./map.js";
import { legend, nearOf, spots } from "./spots.js";

// The page of a search: a list of trials that can be sorted and narrowed, with the nearest sites where a place was asked for.

const sorts = {
  found: ["Order of the answer", () => 0],
  start: ["Start, newest first", (a, b) => (b.start_date || "").localeCompare(a.start_date || "")],
  size: ["Participants, most first", (a, b) => (b.enrollment ?? -1) - (a.enrollment ?? -1)],
  title: ["Title", (a, b) => (a.title || "").localeCompare(b.title || "")],
  near: ["Distance", (a, b) => ((a.nearest_site || {}).distance_km ?? Infinity) - ((b.nearest_site || {}).distance_km ?? Infinity)],
};

// sitesOf returns the sites of a row: the nearest one, and the nearest that recruits.
const sitesOf = (item) => [item.nearest_site, item.nearest_recruiting_site].filter(Boolean);

function siteOf(item) {
  return sitesOf(item).map((site, i) => h("div", null, i || site !== item.nearest_site ? h("div", { class: "small" }, "nearest that recruits:") : null, h("span", { class: "num" }, `${site.distance_km} km`),
    h("div", { class: "small" }, [site.facility_name, site.city, site.state, site.country].filter(Boolean).join(", "), ` (${site.recruitment_status ? words(site.recruitment_status).toLowerCase() : "status of the site not stated"})`)));
}

// wordings returns the queries of a call, which a command line can also give as JSON.
function wordings({ queries = [] }) {
  if (Array.isArray(queries)) return queries;
  try {
    return [JSON.parse(queries)].flat();
  } catch {
    return [queries];
  }
}

function rowOfTrial(ctx, near) {
  return (item) => {
    const nct = item.id.replace(":", "");
    return h("tr", { "data-trial": item.id }, rowHead(item.title || nct, h("div", { class: "small" }, ctx.link(`https://clinicaltrials.gov/study/${nct}`, nct), item.lead_sponsor ? ` · ${item.lead_sponsor}` : "", item.found_by ? ` · found by ${item.found_by.map((n) => wordings(ctx.given)[n - 1] || n).join("; ")}` : ""),
      (item.conditions || []).length ? h("div", { class: "small" }, item.conditions.join(", ")) : null),
    h("td", { "data-label": "Status" }, words(item.status || ""), item.why_stopped ? h("div", { class: "small" }, item.why_stopped) : null, item.has_results ? h("div", { class: "small" }, "results posted") : null),
    h("td", { "data-label": "Phase" }, words(item.phase || "")), h("td", { "data-label": "Interventions" }, (item.interventions || []).map((x) => h("div", { class: "small" }, x))),
    h("td", { "data-label": "Start" }, item.start_date || h("small", null, "not stated")), h("td", { "data-label": "Participants" }, item.enrollment === undefined ? h("small", null, "not stated") : h("span", { class: "num" }, whole(item.enrollment))),
    near ? h("td", { "data-label": "Nearest site" }, siteOf(item)) : null);
  };
}

const groups = [["status", "Status"], ["phase", "Phase"], ["country", "Country"]];

// groupsOf counts values among the rows that are shown, and says so.
function groupsOf(rows, by, title, total, to) {
  const counts = new Map();
  for (const row of rows) counts.set(row[by] || "", (counts.get(row[by] || "") || 0) + 1);
  return h("section", { "data-counted": "rows" }, h("h2", null, title), h("p", { class: "meta" }, `Of the ${rows.length === 1 ? "row" : `${whole(rows.length)} rows`} shown${total > rows.length ? `, not of all ${whole(total)} trials` : ""}`),
    bars([...counts].map(([value, count]) => ({ name: words(value) || "Not stated", count, label: value && to.name(words(value), [by, value]) })).sort((a, b) => b.count - a.count)));
}

// counted draws the groups of an answer of count_trials.
function countedBy(answer, by, title, to) {
  const rows = (answer.groups || []).map((g) => ({ name: words(g.value), count: g.count, label: to.name(words(g.value), [by, g.value]) }));
  if (answer.others) rows.push({ name: `Others (${whole(answer.others.values)} values)`, count: answer.others.count, rest: true });
  if (answer.without_value) rows.push({ name: "Not stated", count: answer.without_value, rest: true });
  if (!rows.length) return null;
  return h("section", null, h("h2", null, title), h("p", { class: "meta" }, answer.exact === false ? `Of a sample of the ${whole(answer.total_count)} trials that match: the ${whole(answer.counted.trials)} newest` : answer.total_count === 1 ? "Of the trial that matches" : `Of all ${whole(answer.total_count)} trials that match`,
    answer.overlapping ? "; a trial can be in several groups" : ""), bars(rows));
}

// overview has bars of the trials found: counts of all of them in a file, else of the rows that are shown until the reader asks for all.
function overview(ctx, rows, total) {
  const filters = Object.fromEntries(Object.entries(ctx.given).filter(([name]) => !["page_size", "cursor", "fields", "sort", "order"].includes(name)));
  const to = leads(ctx, filters);
  const into = h("div", { class: "two" }, groups.slice(0, 2).map(([by, title]) => groupsOf(rows, by, title, total, to)));
  const state = h("div");
  const count = async () => {
    try {
      const answers = await Promise.all(groups.map(([by]) => ctx.ask("count_trials", { ...filters, by })));
      into.replaceChildren(...parts(groups.map(([by, title], i) => countedBy(answers[i], by, title, to))));
      state.replaceChildren();
    } catch (error) {
      if (!ctx.file) state.replaceChildren(note(error.message));
    }
  };
  if (ctx.file) count();
  else if (ctx.can({})) state.append(h("button", { type: "button", onclick: count }, "Count all trials by status, phase and country"));
  return [into, state, to.element];
}

// mapOf draws the sites near the place that was asked for. pick gets the sites of a place that is chosen.
function mapOf(ctx, rows, ring, pick) {
  const sites = rows.flatMap(sitesOf);
  if (!sites.length) return null;
  const drawn = map(ctx, "Map of the nearest sites of the trials", (spot) => { drawn.mark(spot); pick(spot); });
  const below = legend(ring);
  drawn.show(spots(sites), ring);
  below.fill(sites);
  return [h("h2", null, "Nearest sites"), drawn.element, below.list];
}

function browser(ctx, rows, ring) {
  const near = rows.some((r) => r.nearest_site);
  const picked = { words: "", order: near ? "near" : "found", spot: null };
  const into = h("div");
  const draw = () => {
    const found = rows.filter((r) => (!picked.spot || sitesOf(r).some((site) => picked.spot.sites.has(site)))
      && [r.title, r.lead_sponsor, ...(r.conditions || []), ...(r.interventions || [])].join(" ").toLowerCase().includes(picked.words.toLowerCase())).sort(sorts[picked.order][1]);
    const framed = table("Trials", [column("Trial"), column("Status"), column("Phase"), column("Interventions"), column("Start"), column("Participants"), near ? column("Nearest site") : null], [], { class: "cols found" });
    const foot = limited({ rows: found, draw: rowOfTrial(ctx, near), into: framed.querySelector("tbody"), step: 50, what: "trials" });
    const all = picked.spot && h("p", { class: "foot" }, h("span", null, `Trials with a site in ${picked.spot.name}`), h("button", { type: "button", onclick: () => change("spot")(null) }, "All places"));
    into.replaceChildren(...parts(all, framed, foot));
    return found.length;
  };
  const change = (name) => (value) => {
    picked[name] = value;
    announce(`${draw()} trials match`);
  };
  draw();
  const options = Object.entries(sorts).filter(([name]) => name !== "near" || near).map(([name, [label]]) => [name, label]);
  return [mapOf(ctx, rows, ring, change("spot")), h("div", { class: "controls" }, entry("Find in this list", { type: "search", placeholder: "words of a row" }, change("words")), choice("Sort by", options, picked.order, change("order"))), into];
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
    notices(answer), rows.length ? (ctx.given.fields ? flat({ rows }) : [browser(ctx, rows, nearOf(answer, ctx.given)), overview(ctx, rows, total)]) : note("No trial has all of what was asked."),
    relaxed && relaxed.length ? [h("h2", null, "Trials that have only some of the words"), browser(ctx, relaxed, nearOf(answer, ctx.given))] : null];
}

start(render);
