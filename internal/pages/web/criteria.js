import { h, style, words } from "./dom.js";
import { facts } from "./closing.js";

// Who may take part: the text of the criteria, each line with the limits that Biofact found in it.

function limitsOf(characters, limits) {
  const names = limits.map((l) => `${(l.name || l.what).replaceAll("_", " ")}: ${characters.slice(l.start, l.end).join("")}`);
  return names.length ? h("div", { class: "small limits" }, "Limit found: ", [...new Set(names)].join("; ")) : null;
}

function linesOf(text, limits) {
  const characters = [...text];
  let at = 0;
  return text.split("\n").map((line) => {
    const from = at;
    at += [...line].length + 1;
    if (!line.trim()) return h("br");
    const found = limits.filter((l) => l.start >= from && l.start < at);
    return style(h("div", { class: "text criterion" }, line.trim(), limitsOf(characters, found)), { "--depth": line.length - line.trimStart().length });
  });
}

// eligibility shows the criteria of a trial.
export function eligibility(answer) {
  const e = answer.eligibility_criteria;
  if (!e) return null;
  const yes = e.accepts_healthy_volunteers;
  return [h("h2", null, "Who may take part"),
    facts([["Age", [e.minimum_age && `from ${e.minimum_age}`, e.maximum_age && `to ${e.maximum_age}`].filter(Boolean).join(" ") || undefined], ["Sex", e.sex && words(e.sex)],
      ["Healthy volunteers", yes === undefined ? undefined : yes ? "Accepted" : "Not accepted"], ["Population", e.study_population], ["Sampling", e.sampling_method && words(e.sampling_method)]]),
    e.criteria_text ? linesOf(e.criteria_text, e.limits || []) : null];
}
