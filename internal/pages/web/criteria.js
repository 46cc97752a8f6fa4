import { h, words, more, paragraphs } from "./dom.js";
import { facts } from "./closing.js";

// Who may take part: the criteria in two columns, each line with the limits that Biofact found in it.

function limitsOf(limits) {
  const names = limits.map((l) => `${(l.name || l.what).replaceAll("_", " ")}: ${l.text}`);
  return names.length ? h("div", { class: "small limits" }, "Limit found: ", [...new Set(names)].join("; ")) : null;
}

// placed returns the limits of each line of a list, by the place of the line in the text.
function placed(text, lines, limits, list) {
  const before = (n) => [...text].slice(0, n).join("").length;
  const places = limits.filter((l) => l.list === list || l.list === "unclear").map((l) => [before(l.start), l]);
  let from = 0;
  return lines.map((line) => {
    const first = line.split("\n")[0];
    const last = line.split("\n").at(-1).trim();
    const start = Math.max(from, text.indexOf(first, from));
    from = Math.max(start, text.indexOf(last, start)) + last.length;
    return places.filter(([at]) => at >= start && at < from).map(([, l]) => l);
  });
}

function columnOf(title, text, lines, limits, list) {
  const found = placed(text, lines, limits, list);
  return h("section", null, h("h3", null, title), lines.length ? h("ul", null, lines.map((line, i) => h("li", null, line, limitsOf(found[i])))) : h("p", { class: "meta" }, "The text of the record has no such list."));
}

// eligibility shows the criteria of a trial.
export function eligibility(answer) {
  const e = answer.eligibility_criteria;
  if (!e) return null;
  const limits = e.limits || [];
  const split = (e.inclusion || []).length || (e.exclusion || []).length;
  const yes = e.accepts_healthy_volunteers;
  return [h("h2", null, "Who may take part"),
    facts([["Age", [e.minimum_age && `from ${e.minimum_age}`, e.maximum_age && `to ${e.maximum_age}`].filter(Boolean).join(" ") || undefined], ["Sex", e.sex && words(e.sex)],
      ["Healthy volunteers", yes === undefined ? undefined : yes ? "Accepted" : "Not accepted"], ["Population", e.study_population], ["Sampling", e.sampling_method && words(e.sampling_method)]]),
    split ? h("div", { class: "two" }, columnOf("Inclusion", e.criteria_text || "", e.inclusion || [], limits, "inclusion"), columnOf("Exclusion", e.criteria_text || "", e.exclusion || [], limits, "exclusion")) : null,
    !split && limits.length ? [h("h3", null, "Limits found in the text"), limitsOf(limits)] : null,
    e.criteria_text ? (split ? more("The text as it stands in the record", paragraphs(e.criteria_text)) : paragraphs(e.criteria_text)) : null];
}
