import { h, words, paragraphs, table, column, rowHead } from "./dom.js";

// The facts of a record about its results: why none are posted, limitations, publication, contact.

// facts is a table of the facts that the answer has.
export function facts(pairs) {
  const known = pairs.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return known.length ? table("Facts", [column("Fact"), column("Value")], known.map(([name, value]) => h("tr", null, rowHead(name), h("td", null, value)))) : null;
}

// unposted shows when results are due, and what was submitted.
export function unposted(answer) {
  const u = answer.unposted || {};
  const yes = (b) => (b === undefined ? undefined : b ? "Yes" : "No");
  const steps = { RELEASE: "Submitted", RESET: "Returned for corrections", UNRELEASE: "Withdrawn" };
  return [
    facts([["Status", words(u.status)], ["Primary completion", u.primary_completion_date], ["Submitted", yes(u.submitted)], ["First submitted", u.first_submitted],
      ["Last submitted", u.last_submitted], ["Responsible", u.responsible_party], ["Delay certified", u.delay_certified], ["Waived", yes(u.waived)]]),
    (u.events || []).length ? h("ul", null, u.events.map((e) => h("li", null, steps[e.type] || e.type, " ", e.date || "on an unknown day"))) : null,
  ];
}

// articles links the publications.
export function articles(ctx, pmids) {
  if (!pmids) return null;
  return h("p", null, "Publications: ", pmids.map((id, i) => [i ? ", " : "", ctx.link(`https://pubmed.ncbi.nlm.nih.gov/${id}/`, `PMID ${id}`)]));
}

// closing shows what is said about the results as a whole.
export function closing(ctx, answer) {
  const agreement = answer.agreement || {};
  const contact = answer.point_of_contact || {};
  const may = agreement.restrictive === undefined ? null : agreement.restrictive ? "An agreement restricts publication by the investigators." : "No agreement restricts publication by the investigators.";
  const parts = [
    answer.limitations ? [h("h3", null, "Limitations and caveats"), paragraphs(answer.limitations)] : null,
    may || agreement.details ? [h("h3", null, "Publication"), may ? h("p", null, may) : null, agreement.details ? paragraphs(agreement.details) : null] : null,
    contact.name || contact.organization ? [h("h3", null, "Point of contact"), h("p", null, [contact.name, contact.organization, contact.phone, contact.email].filter(Boolean).join(" · "))] : null,
    articles(ctx, answer.pubmed),
  ].filter(Boolean);
  return parts.length ? [h("h2", null, "About the results"), parts] : null;
}
