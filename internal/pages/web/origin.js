import { h } from "./dom.js";

// Where a page comes from: the source and its terms, the age of the data, the call, the same record at the source.

const sources = {
  trials: ["ClinicalTrials.gov", "https://clinicaltrials.gov/about-site/terms-conditions",
    "Courtesy of the U.S. National Library of Medicine, which does not endorse this page. Texts of records may be under the copyright of their sponsors."],
  articles: ["PubMed Central and Europe PMC", "https://pmc.ncbi.nlm.nih.gov/about/copyright/",
    "Most articles stay under the copyright of their publishers or authors: the license of the article says what is allowed."],
  drugs: ["openFDA", "https://open.fda.gov/terms/",
    "The data are in the public domain (CC0), and the FDA does not endorse this page. Texts of labels are the manufacturers'. Do not rely on openFDA to make decisions regarding medical care: its results are not validated."],
};

function sourceOf(page) {
  return sources[/Article/.test(page.tool) ? "articles" : /drug/.test(page.tool) ? "drugs" : "trials"];
}

// word quotes a word of a command line.
function word(text) {
  return /^[\w:@%+=,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

// origins holds the flag that each command of the page needs: of a sandbox, or none.
const origins = { flag: "" };

// useFlag sets that flag.
export function useFlag(flag) {
  origins.flag = flag || "";
}

// command returns the command line of a call, without what says anything about a person.
export function command(page, given, ...flags) {
  const pairs = Object.entries(given).filter(([name]) => !page.kept || page.kept.includes(name))
    .map(([name, value]) => word(`${name}=${typeof value === "object" ? JSON.stringify(value) : value}`));
  return ["biofact", origins.flag && word(origins.flag), "call", page.tool, ...pairs, ...flags].filter(Boolean).join(" ");
}

// searches maps filters to the fields of the search form at ClinicalTrials.gov.
const searches = { condition: "cond", query: "term", intervention: "intr", title: "titles", sponsor: "spons", location: "locStr" };

// same returns the address of the same record or search at the source, and the filters that it lacks.
export function same(ctx) {
  const { given, page } = ctx;
  const one = String(given.nct_id || "").replace(/^NCT:?/i, "NCT");
  if (/^NCT\d{8}$/.test(one)) return [`https://clinicaltrials.gov/study/${one}${/results/.test(page.tool) ? "?tab=results" : ""}`, []];
  if (ctx.address) return [ctx.address, ctx.left || []];
  const ids = [given.nct_ids || []].flat();
  if (ids.length) return [`https://clinicaltrials.gov/search?id=${encodeURIComponent(ids.map((id) => String(id).replace(":", "")).join(" OR "))}`, []];
  const repeated = Object.entries(given).filter(([name]) => !page.kept || page.kept.includes(name));
  const taken = repeated.filter(([name, value]) => searches[name] && typeof value === "string");
  const left = repeated.map(([name]) => name).filter((name) => !["by", "then_by", "top", "page_size", "fields", "cursor"].includes(name) && !taken.some(([t]) => t === name));
  const query = taken.map(([name, value]) => `${searches[name]}=${encodeURIComponent(value)}`).join("&");
  return [`https://clinicaltrials.gov/search${query ? `?${query}` : ""}`, left];
}

function moment(text) {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? `${text.slice(0, 10)} ${text.slice(11, 16)} UTC` : text;
}

// dated says in one line where a page comes from and how old it is, or that it is no answer of a source.
export function dated(ctx) {
  if (ctx.page.banner) return h("p", { class: "dated note", "data-counted": "age" }, ctx.page.banner);
  const meta = ctx.meta || {};
  const version = meta["biofact/data_version"];
  const retrieved = meta["biofact/retrieved_at"];
  const synced = meta["biofact/mirror_synced_at"];
  return h("p", { class: "dated", "data-counted": "age" }, h("b", null, sourceOf(ctx.page)[0]), version ? [" · data of ", version.slice(0, 10)] : " · day of the data not stated",
    retrieved ? [" · retrieved ", moment(retrieved)] : "", synced ? [" · local copy of ", moment(synced)] : "");
}

// origin is the end of a page: all that a reader needs to find or make it again.
export function origin(ctx) {
  const [name, terms, words] = sourceOf(ctx.page);
  const [address, left] = same(ctx);
  return h("footer", { "data-counted": "origin" }, h("h2", null, "About this page"),
    h("p", null, "Source: ", ctx.link(address, address), ` (${name}). `, left.length ? `The search form there has no place for: ${left.join(", ").replaceAll("_", " ")}. ` : ""),
    h("p", null, words, " ", ctx.link(terms, "Terms"), "."),
    h("p", null, ctx.file ? "Made with " : "The same as a file: ", h("code", null, ctx.page.command || command(ctx.page, ctx.given, "--html page.html"))),
    h("p", null, "As data: ", h("code", null, command(ctx.page, ctx.given, "--format json")), ". A printed table shows its first 200 rows; the file and this call have all."),
    h("p", null, `Biofact ${ctx.page.version || ""}. ${ctx.page.banner || "Values stand as the source has them; what Biofact computes says so."}`));
}
