import { h, counted, parts, whole, words, note, more, paragraphs, table, column, rowHead, limited } from "./dom.js";
import { notices } from "./notices.js";
import { facts } from "./closing.js";
import { start } from "./host.js";
import { timeline } from "./timeline.js";
import { eligibility } from "./criteria.js";

// The page of a trial: what it is, who may take part, its arms, its dates from start to results, and what it measures.

const date = (answer, name) => answer[`${name}_date`] && [answer[`${name}_date`], answer[`${name}_date_type`] === "ESTIMATED" ? " (estimated)" : ""].join("");

function head(ctx, answer) {
  const nct = answer.id.replace(":", "");
  return [
    h("p", { class: "over" }, "Trial · ", ctx.link(`https://clinicaltrials.gov/study/${nct}`, nct), answer.acronym ? ` · ${answer.acronym}` : ""),
    h("h1", null, answer.brief_title || answer.title || nct),
    answer.title && answer.title !== answer.brief_title ? h("p", { class: "meta" }, answer.title) : null,
    h("p", null, answer.status ? h("b", { class: "badge status" }, words(answer.status)) : null, answer.phase ? h("span", { class: "badge" }, words(answer.phase)) : null,
      answer.has_results ? h("span", { class: "badge" }, "Results posted") : null),
    answer.why_stopped ? note(h("b", null, "Why it stopped: "), answer.why_stopped) : null,
  ];
}

function summary(answer) {
  const p = answer.protocol || {};
  const named = (s) => (s.class ? `${s.name} (${words(s.class)})` : s.name);
  const lead = (answer.sponsors || []).filter((s) => s.role === "LEAD_SPONSOR").map(named).join(", ");
  const others = (answer.sponsors || []).filter((s) => s.role !== "LEAD_SPONSOR").map(named).join(", ");
  const sites = answer.locations_summary;
  return [
    facts([["Conditions", (answer.conditions || []).join(", ")], ["Design", [p.study_type, p.allocation, p.intervention_model, p.observational_model, p.time_perspective].filter(Boolean).map(words).join(", ")],
      ["Masking", p.masking && [words(p.masking), (p.who_masked || []).map(words).join(", ")].filter(Boolean).join(": ")], ["Purpose", p.primary_purpose && words(p.primary_purpose)],
      ["Participants", answer.enrollment === undefined ? undefined : [whole(answer.enrollment), answer.enrollment_type === "ESTIMATED" ? " expected" : answer.enrollment_type ? " enrolled" : ""].join("")],
      ["Sponsor", lead], ["With", others], ["Sites", sites && [whole(sites.sites), " in ", (sites.countries || []).map((c) => `${c.country} (${whole(c.sites)}${c.recruiting ? `, ${whole(c.recruiting)} recruiting` : ""})`).join(", ")].join("")]]),
    answer.brief_summary ? paragraphs(answer.brief_summary) : null,
    answer.detailed_description ? more("Detailed description", paragraphs(answer.detailed_description)) : null,
  ];
}

// arms draws who takes part, how they are put into arms, and what is given in each arm.
function arms(answer) {
  const list = answer.arms || [];
  if (!list.length) return null;
  const p = answer.protocol || {};
  const names = [...new Set(list.flatMap((a) => a.interventions || []))];
  const chip = (name) => h("li", { class: `g${(names.indexOf(name) % 8) + 1}` }, name);
  const arm = (a) => h("li", { class: "arm" }, h("b", null, a.label || "Without a name"), a.type ? h("span", { class: "small" }, ` ${words(a.type)}`) : null,
    (a.interventions || []).length ? h("ul", { class: "doses" }, a.interventions.map(chip)) : null, a.description ? more("Description", paragraphs(a.description)) : null);
  const people = answer.enrollment === undefined ? "Participants" : [whole(answer.enrollment), answer.enrollment_type === "ESTIMATED" ? " participants expected" : " participants"];
  const details = answer.intervention_details || [];
  return [h("h2", null, "Arms"), h("div", { class: "diagram" }, h("div", { class: "box" }, people), h("div", { class: "arrow" }, p.allocation ? words(p.allocation) : "", p.intervention_model ? h("div", null, words(p.intervention_model)) : null),
    h("ul", { class: "arms" }, list.map(arm))),
  details.length ? more("About the interventions", details.map((d) => [h("p", null, h("b", null, d.name || ""), d.type ? ` (${words(d.type)})` : "", (d.other_names || []).length ? `, also ${d.other_names.join(", ")}` : ""), d.description ? paragraphs(d.description) : null])) : null];
}

function outcomes(title, list) {
  if (!(list || []).length) return null;
  const framed = table(title, [column("Measure"), column("Time frame")], [], null);
  const draw = (o) => h("tr", null, rowHead(o.measure || "Without a name", o.description ? more("Description", paragraphs(o.description)) : null), h("td", null, o.time_frame || h("small", null, "not stated")));
  const foot = limited({ rows: list, draw, into: framed.querySelector("tbody"), step: 12, what: "outcomes" });
  return [h("h2", null, title), framed, list.length > 12 ? foot : null];
}

const due = { act: "an applicable clinical trial", pact: "probably an applicable clinical trial", probable_pact: "perhaps an applicable clinical trial: the record does not say whether the FDA regulates the product" };

function reporting(answer) {
  const r = answer.reporting;
  if (!r) return null;
  return [h("h3", null, "Results due (computed)"), h("p", null, `By U.S. law (FDAAA) this is ${due[r.act] || r.act}. `, r.due_date ? `Results are due by ${r.due_date}. ` : "", r.status ? h("b", null, `${words(r.status.toUpperCase())}. `) : "",
    r.submitted_date ? `Submitted ${r.submitted_date}. ` : "", r.certificate_date ? `A certificate of delay was submitted ${r.certificate_date}. ` : "", h("small", null, `Method: ${r.method}. Waivers and extensions are in no record.`))];
}

function dates(ctx, answer) {
  const names = [["first_posted", "First posted"], ["start", "Start"], ["primary_completion", "Primary completion"], ["completion", "Completion"], ["results_first_submitted", "Results submitted"],
    ["results_first_posted", "Results posted"], ["last_update", "Last update"]];
  const known = names.filter(([name]) => answer[`${name}_date`]);
  if (!known.length && !answer.reporting) return null;
  const points = known.map(([name, text]) => ({ text, date: answer[`${name}_date`], expected: answer[`${name}_date_type`] === "ESTIMATED" }));
  if (answer.reporting && answer.reporting.due_date) points.push({ text: "Results due (computed)", date: answer.reporting.due_date, expected: true });
  return [h("h2", null, "Dates"), timeline(points, "Filled: the day as the record states it", "open: estimated, or computed") || facts(known.map(([name, text]) => [text, date(answer, name)])), reporting(answer),
    changes(ctx, answer)];
}

// changeOf is a row of the changes: what a field or a list had before, and what it has now.
function changeOf(item, c) {
  const list = (name, sign) => (c[name] || []).map((text) => h("div", null, sign, text)).concat(c[`${name}_total`] ? [h("div", null, `${sign}${whole(c[`${name}_total`])} in all`)] : []);
  const inner = (name) => (c.changed || []).map((x) => h("div", null, h("b", null, `${x.item}: `), x[name] || "none"));
  const said = (value) => (value && ["status", "phase"].includes(c.field) ? words(value) : value);
  const side = (value, ...more) => h("td", null, value ?? (parts(more).length ? null : h("small", null, "none")), more);
  return h("tr", null, rowHead(words(c.field.toUpperCase()), c.kind ? ` (${c.kind.replaceAll("_", " ")})` : "", c.after_start ? h("div", { class: "small" }, "after the start of the trial") : null),
    h("td", null, h("span", { class: "nowrap" }, item.posted || item.to)), side(said(c.before), list("removed", "− "), inner("before")), side(said(c.after), list("added", "+ "), inner("after")));
}

// changes shows what has changed in the record, where a local copy of the registry has its history.
function changes(ctx, answer) {
  if (!answer.last_update_date) return null;
  const into = h("div", null, h("p", { class: "meta" }, "The record states its last update, not what changed in it."));
  const draw = (found) => {
    const rows = (found.items || []).flatMap((item) => (item.changes || []).map((c) => changeOf(item, c)));
    const more = (found.pagination || {}).cursor;
    into.replaceChildren(...parts(h("h2", null, "What changed"), h("p", { class: "meta" }, `From the data of ${found.compared.from} to those of ${found.compared.to}, as the local copy of the registry has them${rows.length ? "" : ": nothing"}. What changed before is not known here.`),
      rows.length ? table("What changed", [column("What"), column("Posted"), column("Before"), column("After")], rows, { class: "cols" }) : null, more ? note("There are further changes: trial_changes has all.") : null));
  };
  if (ctx.file || (ctx.can({}) && ctx.meta?.["biofact/mirror_synced_at"])) ctx.ask("trial_changes", { nct_ids: [answer.id], since: "1999-01-01", page_size: 100 }).then(draw, () => {}); // no history
  return into;
}

function contacts(answer) {
  const people = [...(answer.central_contacts || []), ...(answer.officials || [])];
  if (!people.length) return null;
  return [h("h2", null, "Contacts"), h("ul", null, people.map((p) => h("li", null, [p.name, p.role && words(p.role), p.affiliation, p.phone, p.email].filter(Boolean).join(" · "))))];
}

function references(ctx, answer) {
  const list = answer.references || [];
  const pubmed = (pmid) => ctx.link(`https://pubmed.ncbi.nlm.nih.gov/${pmid}/`, `PMID ${pmid}`);
  if (!list.length) return null;
  return more(["References (", counted(list.length), ")"], h("ul", null, list.map((r) => h("li", null, r.citation || "", r.pmid ? [" ", pubmed(r.pmid)] : null, r.type ? h("small", null, ` ${words(r.type)}`) : null))));
}

const why = {
  registry_result: "the registry lists it with results", names_trial: "its PubMed record names the trial", full_text: "prints the number of the trial",
  registry_derived: "added to the registry by the number", title_words: "a candidate: the titles share words, and nothing more is known", registry_background: "cited by the sponsor",
};

// publications lists the papers of the trial with the reasons that join them.
function publications(ctx, answer) {
  const list = answer.publications || [];
  if (!list.length) return null;
  const links = (p) => [p.pmid && ctx.link(`https://pubmed.ncbi.nlm.nih.gov/${p.pmid}/`, `PMID ${p.pmid}`), p.pmcid && ctx.link(`https://pmc.ncbi.nlm.nih.gov/articles/${p.pmcid}/`, p.pmcid), p.doi && ctx.link(`https://doi.org/${p.doi}`, p.doi)]
    .filter(Boolean).map((link) => [" ", link]);
  return [h("h2", null, "Publications"), h("ol", null, list.map((p) => h("li", null, [p.title, p.journal, p.date].filter(Boolean).join(" "), links(p), h("div", { class: "small" }, p.reasons.map((r) => why[r] || words(r)).join("; ")))))];
}

// papers shows documents, links and the plan to share data.
function papers(ctx, answer) {
  const line = (d) => h("li", null, d.url ? ctx.link(d.url, d.label || d.url) : d.label || d.filename || "Document", d.date ? ` ${d.date}` : "");
  const data = (answer.available_ipd || []).map((d) => ({ url: d.url, label: [d.type, d.id, d.comment].filter(Boolean).join(" · ") }));
  const list = [...(answer.documents || []), ...(answer.links || []), ...data];
  const plan = Object.entries(answer.ipd_sharing || {}).map(([name, value]) => [words(name.toUpperCase()), [value].flat().map((x) => words(String(x))).join(", ")]);
  return [list.length ? [h("h2", null, "Documents and links"), h("ul", null, list.map(line))] : null, plan.length ? more("Sharing of data", facts(plan)) : null];
}

function card(ctx, answer) {
  return [head(ctx, answer), notices(answer), summary(answer), dates(ctx, answer), arms(answer), eligibility(answer), outcomes("Primary outcomes", answer.primary_outcomes),
    outcomes("Secondary outcomes", answer.secondary_outcomes), outcomes("Other outcomes", answer.other_outcomes), contacts(answer), publications(ctx, answer), papers(ctx, answer), references(ctx, answer)];
}

function render(ctx, answer) {
  const list = answer.items || [answer];
  document.title = list.length === 1 && list[0].id ? `${list[0].id.replace(":", "")}: ${list[0].brief_title || "trial"}` : "Trials";
  if (list.length === 1 && !answer.items) return card({ ...ctx }, answer);
  return [h("h1", null, "Trials"), notices(answer), list.map((one) => parts(card(ctx, one)).map((x) => (x.tagName === "H1" ? h("h2", null, x.textContent) : x)))];
}

start(render);
