import { h, words, plain, more, paragraphs, table, column, rowHead } from "./dom.js";
import { axis, caption } from "./axis.js";
import { estimates, square, neutralText } from "./plots.js";
import { groupName } from "./measure.js";

// The posted analyses of a measure: one table for each kind of estimate, so that what stands on one scale can be compared.

// telling are the fields whose words tell analyses of the same groups apart.
const telling = ["description", "hypothesis_comment", "method", "method_comment", "p_comment", "other_analysis", "comment", "ci_percent"];

// differing returns the words of an analysis that the others of the same groups do not have.
function differing(all, a) {
  const peers = all.filter((b) => String(b.groups) === String(a.groups));
  if (peers.length < 2) return [];
  return telling.filter((name) => a[name] && new Set(peers.map((b) => b[name] || "")).size > 1)
    .map((name) => (name === "ci_percent" ? `Interval at ${a[name]} %` : a[name])).slice(0, 2);
}

function analysisText(a) {
  const texts = [a.description, a.hypothesis_comment, a.method_comment, a.p_comment, a.lower_comment, a.upper_comment, a.other_analysis, a.comment].filter(Boolean);
  return texts.length ? more("About this analysis", texts.map(paragraphs)) : null;
}

// interval writes the interval of an analysis with its level, or that none is posted.
export function interval(a) {
  if (!a.lower && !a.upper) return a.spread ? null : h("div", { class: "small" }, "no interval posted");
  const level = a.ci_percent ? `${a.ci_percent} % CI ` : "interval, level not stated: ";
  const sides = a.ci_sides === "ONE_SIDED" ? ", one-sided" : "";
  return h("div", { class: "small" }, `${level}${a.lower || "…"} to ${a.upper || "…"}${sides}`);
}

function rowOf(all, a, groups, on) {
  const [estimate, lower, upper] = [a.estimate, a.lower, a.upper].map(plain);
  return h("tr", null,
    rowHead((a.groups || []).map((n) => h("div", null, groupName(groups, n))), differing(all, a).map((text) => h("div", { class: "small words" }, text)), analysisText(a)),
    h("td", null, words(a.hypothesis || ""), a.method ? h("div", { class: "small" }, a.method) : null),
    h("td", null, a.estimate ? [h("span", { class: "num" }, a.estimate), " ", h("span", { class: "small" }, a.estimate_type || "")] : null, interval(a),
      a.spread ? h("div", { class: "small" }, `${a.dispersion ? words(a.dispersion) : "Spread"} ${a.spread}`) : null, square([estimate, lower, upper], on)),
    h("td", null, a.p_value ? h("span", { class: "num" }, a.p_value) : null));
}

// analyses shows all analyses of a measure.
export function analyses(measure, groups) {
  const all = measure.analyses;
  if (!all) return null;
  const kinds = new Map();
  for (const a of all) kinds.set(a.estimate_type, [...(kinds.get(a.estimate_type) || []), a]);
  const head = () => [column("Groups"), column("Analysis"), column("Estimate"), column("P value")];
  return [h("p", { class: "label" }, "Analyses"), [...kinds].map(([type, list]) => {
    const on = estimates(list.flatMap((a) => [a.estimate, a.lower, a.upper].map(plain)).filter((x) => x !== null), type);
    const foot = on ? h("tr", null, h("td", { colspan: 2 }), h("td", null, axis(on)), h("td")) : null;
    return [table(`Analyses of ${measure.title || "the measure"}: ${type || "no estimate"}`, head(), list.map((a) => rowOf(all, a, groups, on)), { class: "analyses" }, foot),
      on ? caption(`Square: ${type || "estimate"}`, "line with ends: the interval that stands above it", neutralText(on)) : null];
  })];
}
