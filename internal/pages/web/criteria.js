import { h, words, more, paragraphs } from "./dom.js";
import { facts } from "./closing.js";

// Who may take part: the criteria in two columns, each line with the limits that Biofact found in it.

function limitsOf(limits, text, list) {
  const found = limits.filter((l) => l.text === text && (l.list === list || l.list === "unclear"));
  const names = found.map((l) => `${l.what.replaceAll("_", " ")}: ${l.value}${l.negated ? " (negated)" : ""}`);
  return names.length ? h("div", { class: "small limits" }, "Limit found: ", [...new Set(names)].join("; ")) : null;
}

function columnOf(title, lines, limits, list) {
  return h("section", null, h("h3", null, title), lines.length ? h("ul", null, lines.map((line) => h("li", null, line, limitsOf(limits, line, list)))) : h("p", { class: "meta" }, "The text of the record has no such list."));
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
    split ? h("div", { class: "two" }, columnOf("Inclusion", e.inclusion || [], limits, "inclusion"), columnOf("Exclusion", e.exclusion || [], limits, "exclusion")) : null,
    !split && limits.length ? [h("h3", null, "Limits found in the text"), h("ul", null, limits.map((l) => h("li", null, h("b", null, `${l.what.replaceAll("_", " ")}: ${l.value}`), l.negated ? " (negated)" : "", h("div", { class: "small" }, l.text))))] : null,
    e.criteria_text ? (split ? more("The text as it stands in the record", paragraphs(e.criteria_text)) : paragraphs(e.criteria_text)) : null];
}
