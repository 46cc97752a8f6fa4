import { h, counted, note, more, table, column } from "./dom.js";
import { notices } from "./notices.js";
import { start, readOn } from "./host.js";

// The page of a full text: its outline, its sections, tables, figures and references, and a citation to copy.

function cells(row, tag) {
  return h("tr", null, row.map((text) => h(tag, tag === "th" ? { scope: "col" } : null, text)));
}

function tableOf(t) {
  const rows = t.rows || [];
  const [head = rows[0] || [], ...others] = t.headerRows || [];
  const framed = table(t.label || "Table", head.map((text) => column(text || h("span", { class: "hidden" }, "Column"))), [...others.map((row) => cells(row, "td")), ...(t.headerRows ? rows : rows.slice(1)).map((row) => cells(row, "td"))], null);
  return h("section", { class: "card", id: `table-${t.id}` }, h("h3", null, [t.label, t.title].filter(Boolean).join(". ") || "Table"), t.caption ? h("p", { class: "text" }, t.caption) : null,
    rows.length || head.length ? framed : note("The cells of the table are not in the text of the source."), (t.notes || []).map((text) => h("p", { class: "small" }, text)));
}

// sections are written in the order of the record, each with its tables and figures after it.
function sectionsOf(answer) {
  const [tables, figures] = [answer.tables || [], answer.figures || []];
  const placed = new Set();
  const take = (list, id) => list.filter((x) => x.section === id && !placed.has(x) && placed.add(x));
  const figure = (f) => h("section", { class: "card", id: `figure-${f.id}` }, h("h3", null, f.label || "Figure"), h("p", { class: "text" }, f.caption || ""));
  const body = (answer.sections || []).map((s) => h("section", { id: `section-${s.id}` }, h("h2", null, s.title || s.id), s.text ? h("p", { class: "text" }, s.text) : null,
    take(tables, s.id).map(tableOf), take(figures, s.id).map(figure)));
  return [body, tables.filter((t) => !placed.has(t)).map(tableOf), figures.filter((f) => !placed.has(f)).map(figure)];
}

function outline(answer) {
  const list = answer.outline || [];
  const here = new Set((answer.sections || []).map((s) => s.id));
  if (!list.length) return null;
  const go = (id) => () => {
    const to = document.getElementById(`section-${id}`);
    to.scrollIntoView({ block: "start" });
  };
  const entryOf = (o) => h("li", null, here.has(o.id) ? h("button", { type: "button", class: "plain", onclick: go(o.id) }, o.title || o.id) : [o.title || o.id, h("small", null, " not in this answer")]);
  return h("nav", { "aria-label": "Outline" }, h("h2", null, "Outline"), h("ul", { class: "index" }, list.map(entryOf)));
}

// citation is a text to copy: with authors and journal where PubMed has the article, else title and ids.
function citation(ctx, answer) {
  const text = [answer.title, answer.doi && `doi:${answer.doi}`, answer.pmid && `PMID: ${answer.pmid}`, answer.pmcid && `PMCID: ${answer.pmcid}`].filter(Boolean).join(". ");
  const cite = h("span", { class: "cite", tabindex: "0" }, `${text}.`);
  if (answer.pmid && (ctx.file || ctx.can({}))) {
    ctx.ask("getArticleRelationships", { sourcePmids: [answer.pmid], relationshipType: "citation_formats", citationStyles: ["vancouver"] })
      .then((found) => { if (found.citations?.vancouver) cite.textContent = found.citations.vancouver; }, () => {}); // without authors it can be cited too
  }
  return h("p", null, h("b", null, "To cite: "), cite);
}

function license(ctx, answer) {
  const l = answer.license;
  if (!l) return note("The article states no license: it stays under the copyright of its publisher or authors.");
  return h("p", null, h("b", null, "License: "), l.url ? ctx.link(l.url, l.code || l.url) : l.code || "", l.statement ? [" ", l.statement] : "");
}

function references(ctx, answer) {
  const list = answer.references || [];
  if (!list.length) return null;
  return more(["References (", counted(list.length), ")"], h("ol", null, list.map((r) => h("li", { value: r.number }, r.text || "", r.pmid ? [" ", ctx.link(`https://pubmed.ncbi.nlm.nih.gov/${r.pmid}/`, `PMID ${r.pmid}`)] : null,
    r.doi ? [" ", ctx.link(`https://doi.org/${r.doi}`, `doi:${r.doi}`)] : null))));
}

function render(ctx, answer) {
  const whole = { ...answer, sections: [...(answer.sections || [])], tables: [...(answer.tables || [])], figures: [...(answer.figures || [])], references: [...(answer.references || [])] };
  const more = (page) => { for (const name of ["sections", "tables", "figures", "references"]) whole[name].push(...(page[name] || [])); };
  if (ctx.file) readOn({ source: ctx, first: answer, given: ctx.given, take: more, state: () => {} });
  document.title = answer.title || "Full text";
  ctx.address = answer.pmcid ? `https://pmc.ncbi.nlm.nih.gov/articles/${answer.pmcid}/` : answer.doi ? `https://doi.org/${answer.doi}` : `https://pubmed.ncbi.nlm.nih.gov/${answer.pmid || ""}`;
  return [h("p", { class: "over" }, "Full text", answer.copy ? ` · ${answer.copy} copy` : ""), h("h1", null, answer.title || "Full text"), citation(ctx, answer), license(ctx, answer), notices(answer),
    answer.availability && answer.availability !== "full_text" ? note(`Only this can be read: ${String(answer.availability).replaceAll("_", " ")}.`) : null,
    outline(answer), sectionsOf(whole), references(ctx, whole)];
}

start(render);
