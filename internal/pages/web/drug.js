import { h, words, whole, note, more, paragraphs, parts, table, column, rowHead, limited } from "./dom.js";
import { notices } from "./notices.js";
import { facts } from "./closing.js";
import { start } from "./host.js";
import { timeline } from "./timeline.js";
import { command } from "./origin.js";

// The page of a drug: its names, its approvals on a line of time, the boxed warning, the label by section, and the trials that it cites.

const BOXED = "boxed_warning";
const maxPoints = 40; // of a line of time

const named = (id) => words(id.toUpperCase());

// filled draws what an answer has of a section. Where that is not all, it draws the rest from the file, or asks the host for it.
function filled(ctx, { id, answer, whole: all, draw, opened }) {
  const body = h("div", null, draw(answer));
  const given = { drug_id: ctx.given.drug_id || answer.id, sections: [id] };
  const show = (read) => body.replaceChildren(...parts(draw(read), notices({ notices: (read.notices || []).filter((text) => text.includes(`${id} was`) || text.includes(`${id} of`)) })));
  const ask = () => ctx.call(given).then(show, (error) => body.append(note(error.message)));
  if (all) return body;
  if (ctx.file) {
    if (ctx.can(given)) show(ctx.now(given));
  } else if (!ctx.can(given)) body.append(note("This host does not let the page ask for more. Ask in the conversation: ", h("code", null, command(ctx.page, given))));
  else if (opened) opened(ask);
  else ask();
  return body;
}

// folded is a section that opens.
function folded(ctx, title, section) {
  let read = null;
  const body = filled(ctx, { ...section, opened: (ask) => { read = ask; } });
  const box = more(title, body);
  box.addEventListener("toggle", () => { if (read && box.open) { read(); read = null; } });
  return box;
}

function head(ctx, answer) {
  const classes = answer.pharm_classes || {};
  const ids = answer.cross_references || {};
  const list = (values) => (values || []).join("; ");
  return [h("p", { class: "over" }, "Drug · ", answer.id), h("h1", null, answer.name),
    h("p", null, answer.kind_computed ? h("span", { class: "badge" }, `${answer.kind_computed} (computed)`) : null, (answer.brands || []).map((name) => h("span", { class: "badge" }, name)), answer.combination ? h("span", { class: "badge" }, "Combination") : null),
    facts([["Active substances", list((answer.ingredients || []).map((i) => (i.id ? `${i.name} (${i.id})` : i.name)))], ["First approved", answer.first_approved], ["Product type", answer.product_type], ["Routes", list(answer.routes)],
      ["Dosage forms", list(answer.dosage_forms)], ["Class", list(classes.epc)], ["Mechanism of action", list(classes.moa)], ["Chemical structure", list(classes.cs)], ["Physiologic effect", list(classes.pe)],
      ["Substances (UNII)", list(ids.unii)], ["RxNorm", list(ids.rxcui)], ["Products (NDC)", list(ids.ndc)], ["Applications", list(ids.application_number)]])];
}

// points are the approvals of a line of time: originals, and supplements for efficacy. Without submissions they are the first approvals.
function points(applications) {
  const approved = (a) => (a.submissions || []).filter((x) => x.status === "AP" && x.date && (x.type === "ORIG" || x.class === "EFFICACY"));
  const text = (a, x) => [applications.length > 1 ? a.id : "", x.type === "ORIG" ? "original" : "efficacy", x.number].filter(Boolean).join(" ");
  return applications.flatMap((a) => (a.submissions ? approved(a).map((x) => ({ text: text(a, x), date: x.date })) : a.first_approved ? [{ text: a.id, date: a.first_approved }] : []))
    .sort((a, b) => a.date.localeCompare(b.date));
}

const product = (p) => [p.brand, p.strength, p.dosage_form, p.route, p.marketing_status, p.te_code, p.reference ? "reference" : "", p.number && `product ${p.number}`].filter(Boolean).join(" · ");

function submissions(ctx, applications) {
  const rows = applications.flatMap((a) => (a.submissions || []).map((x) => [a, x])).sort(([, a], [, b]) => (b.date || "").localeCompare(a.date || ""));
  if (!rows.length) return null;
  const grid = table("Submissions", ["Date", "Application", "Submission", "Class", "Priority", "Notes", "Documents"].map((name) => column(name)), []);
  const state = { AP: "", TA: "tentative" };
  const draw = ([a, x]) => h("tr", null, rowHead(x.date || "not stated"), [a.id, [x.type, x.number, state[x.status] ?? x.status].filter(Boolean).join(" "), x.class, x.priority, [...(x.properties || []), x.notes].filter(Boolean).join("; "),
    (x.documents || []).map((d) => h("div", null, ctx.link(d.url, d.type || "Document"), d.date ? ` ${d.date}` : ""))].map((cell) => h("td", null, cell)));
  return [h("h3", null, "Submissions, the newest first"), grid, limited({ rows, draw, into: grid.querySelector("tbody"), step: 12, what: "submissions" })];
}

function approvals(ctx, answer) {
  if (!(answer.applications || []).length) return null;
  const draw = (read) => {
    const applications = read.applications || [];
    const all = points(applications);
    const rows = applications.map((a) => h("tr", { "data-application": a.id }, rowHead(a.id), h("td", null, a.sponsor), h("td", null, a.first_approved || (a.tentative ? "tentative only" : "not stated")), h("td", null, (a.products || []).map((p) => h("div", null, product(p))))));
    return [timeline(all.slice(0, maxPoints), "Dot: day of an approval, as the FDA records it", "efficacy: a supplement with new evidence, such as a new indication",
      all.length > maxPoints ? `the ${maxPoints} earliest of ${all.length}; the table has all` : ""),
    table("Applications", [column("Application"), column("Sponsor"), column("First approved"), column("Products")], rows), submissions(ctx, applications)];
  };
  return [h("h2", null, "Approvals"), filled(ctx, { id: "approvals", answer, whole: ctx.given.sections || answer.applications.some((a) => a.submissions), draw })];
}

function label(ctx, answer) {
  const l = answer.label;
  if (!l) return null;
  const text = (id) => (read) => {
    const { text: texts = {}, tables = {} } = read.label || {};
    return [texts[id] ? paragraphs(texts[id]) : null, tables[id] ? more("Tables, a line for each row", tables[id].map((line) => h("div", { class: "text" }, line))) : null];
  };
  const size = new TextEncoder();
  const sections = l.sections || Object.keys({ ...l.text, ...l.tables }).map((id) => ({ id }));
  const section = ({ id, bytes }) => ({ id, answer, draw: text(id), whole: !bytes || size.encode((l.text || {})[id] || "").length >= bytes });
  const boxed = sections.find((x) => x.id === BOXED);
  return [boxed ? [h("h2", null, "Boxed warning"), h("div", { class: "note boxed" }, filled(ctx, section(boxed)))] : null, h("h2", null, "Label"),
    h("p", { class: "meta" }, [l.manufacturer, l.effective_date && `effective ${l.effective_date}`, l.version && `version ${l.version}`, `set id ${l.set_id}`, l.other_labels && `${whole(l.other_labels)} other labels`].filter(Boolean).join(" · ")),
    sections.filter((x) => x !== boxed).map((x) => {
      const box = folded(ctx, named(x.id), section(x));
      box.dataset.section = x.id;
      if (/^indications/.test(x.id) || !l.sections) box.open = true;
      return box;
    })];
}

function trials(ctx, answer) {
  const list = answer.nct_ids || [];
  if (!list.length) return null;
  const nct = (id) => id.replace(":", "");
  return [h("h2", null, "Trials that the label cites"), h("ul", { class: "cited" }, list.map((c) => h("li", null, ctx.link(`https://clinicaltrials.gov/study/${nct(c.nct_id)}`, nct(c.nct_id)), c.section ? ` · ${named(c.section)}` : "", c.text ? paragraphs(c.text) : null))),
    h("p", null, "Their results: ", h("code", null, command({ tool: "get_trial_results" }, { nct_ids: [...new Set(list.map((c) => c.nct_id))].slice(0, 10) })))];
}

// records are the labels, shortages and recalls, as tables of what they have.
function records(ctx, answer) {
  return ["labels", "shortages", "recalls"].filter((id) => answer[id] || !ctx.given.sections).map((id) => {
    const draw = (read) => {
      const rows = read[id] || [];
      const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      const cell = (value) => (typeof value === "boolean" ? (value ? "yes" : "no") : [value ?? ""].flat().join("; "));
      return rows.length ? table(named(id), names.map((name) => column(named(name))), rows.map((row) => h("tr", null, names.map((name) => h("td", null, cell(row[name])))))) : notices(read === answer ? {} : read);
    };
    const box = folded(ctx, named(id), { id, answer, draw, whole: answer[id] });
    box.dataset.section = id;
    return box;
  });
}

function render(ctx, answer) {
  document.title = `${answer.name}: drug`;
  const id = (answer.cross_references || {}).spl_set_id;
  ctx.address = (answer.cross_references || {}).dailymed || (id ? `https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=${id}` : "https://open.fda.gov/data/drugsfda/");
  const held = (text) => !(ctx.file && /^\w+ was cut; for the whole text call/.test(text)); // the file has the whole text
  return [head(ctx, answer), notices({ notices: (answer.notices || []).filter(held) }), approvals(ctx, answer), label(ctx, answer), trials(ctx, answer), records(ctx, answer)];
}

start(render);
