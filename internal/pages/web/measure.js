import { h, words, plain, more, paragraphs, table, column, rowHead, swatch, limited, counted, note, style } from "./dom.js";
import { scaleOf, dot, forest, neutralText } from "./plots.js";

// Measures of outcomes and of the baseline: the values of each group, verbatim, with their limits.

// groupName returns the title of a group with its mark.
export function groupName(groups, number) {
  const group = (groups || []).find((g) => g.number === number);
  return [swatch(number), (group && group.title) || `Group ${number}`];
}

// unitCounts returns numbers of other units, such as eyes.
function unitCounts(counts) {
  return (counts || []).map((c) => [", ", c.count, " ", (c.units || "units").toLowerCase()]);
}

function analyzed(group, units) {
  if (!group.analyzed && !group.analyzed_other) return null;
  const unit = units && !/^participants$/i.test(units) ? ` ${units.toLowerCase()}` : "";
  return h("small", { class: "of" }, " ", group.analyzed ? `n = ${group.analyzed}${unit}` : "", unitCounts(group.analyzed_other));
}

// limits returns what stands beside a value: its limits or its spread, as the measure calls them.
function limits(cell) {
  if (cell.lower || cell.upper) return ` (${cell.lower || "…"} to ${cell.upper || "…"})`;
  return cell.spread ? ` (${cell.spread})` : "";
}

function value(cell) {
  if (!cell) return h("small", null, "not stated");
  return [
    cell.value ? h("span", { class: "num" }, cell.value) : h("small", null, "no value"), h("span", { class: "small" }, limits(cell)),
    cell.analyzed ? h("small", null, ` n = ${cell.analyzed}`, unitCounts(cell.analyzed_other)) : null,
    cell.comment ? h("div", { class: "small" }, cell.comment) : null,
  ];
}

function rowTitle(row) {
  return [row.class, row.category].filter(Boolean).join(" · ");
}

// lines shows the one row of a measure with a line for each group.
function lines(measure, groups, row, on) {
  const rows = (row.cells || []).map((cell) => {
    const group = groups.find((g) => g.number === cell.group) || { number: cell.group };
    return h("tr", { class: "g" + (((cell.group - 1) % 8) + 1) }, rowHead(groupName(groups, cell.group), analyzed(group, measure.analyzed_units)),
      h("td", null, value(cell)), h("td", { class: "wide" }, dot(cell, measure, on)));
  });
  const label = `Values of ${measure.title || "the measure"}`;
  return table(label, [column("Group"), column(unitText(measure)), column(h("span", { class: "hidden" }, "Picture"))], rows, { class: "lines" });
}

// matrix shows the rows of a measure with a column for each group.
function matrix(measure, groups, on) {
  const numbers = groups.length ? groups.map((g) => g.number) : [...new Set(measure.rows.flatMap((r) => (r.cells || []).map((c) => c.group)))];
  const label = `Values of ${measure.title || "the measure"}`;
  const head = [column(unitText(measure)), ...numbers.map((n) => column(groupName(groups, n), analyzed(groups.find((g) => g.number === n) || {}, measure.analyzed_units)))];
  const draw = (row) => h("tr", null, rowHead(rowTitle(row) || "All"), numbers.map((n) => {
    const cell = (row.cells || []).find((c) => c.group === n);
    return h("td", { class: "g" + (((n - 1) % 8) + 1) }, value(cell), cell ? dot(cell, measure, on) : null);
  }));
  const framed = table(label, head, [], { class: "cols" });
  const foot = limited({ rows: measure.rows, draw, into: framed.querySelector("tbody"), step: 40, what: "rows" });
  return [framed, measure.rows.length > 40 ? foot : null];
}

// unitText says what the values are: Mean (Standard Deviation), mmHg.
function unitText(measure) {
  const kind = words(measure.parameter || "Value") + (measure.dispersion ? ` (${words(measure.dispersion)})` : "");
  return measure.unit ? `${kind}, ${measure.unit}` : kind;
}

function analysisText(a) {
  const texts = [a.description, a.hypothesis_comment, a.method_comment, a.p_comment, a.lower_comment, a.upper_comment, a.other_analysis, a.comment].filter(Boolean);
  return texts.length ? more("About this analysis", texts.map(paragraphs)) : null;
}

function interval(a) {
  if (!a.lower && !a.upper) return null;
  const level = a.ci_percent ? `${a.ci_percent}% CI ` : "CI ";
  const sides = a.ci_sides === "ONE_SIDED" ? ", one-sided" : "";
  return h("div", { class: "small" }, `${level}${a.lower || "…"} to ${a.upper || "…"}${sides}`);
}

function analyses(measure, groups) {
  const all = measure.analyses;
  if (!all) return null;
  const picture = forest(all);
  const rows = all.map((a) => h("tr", null,
    rowHead((a.groups || []).map((n) => h("div", null, groupName(groups, n))), analysisText(a)),
    h("td", null, words(a.hypothesis || ""), a.method ? h("div", { class: "small" }, a.method) : null),
    h("td", null, a.estimate ? [h("span", { class: "num" }, a.estimate), " ", h("span", { class: "small" }, a.estimate_type || "")] : null, interval(a),
      a.spread ? h("div", { class: "small" }, `${a.dispersion ? words(a.dispersion) : "Spread"} ${a.spread}`) : null, picture(a)),
    h("td", null, a.p_value ? h("span", { class: "num" }, a.p_value) : null)));
  const head = [column("Groups"), column("Analysis"), column("Estimate"), column("P value")];
  return [h("p", { class: "label" }, "Analyses"), table(`Analyses of ${measure.title || "the measure"}`, head, rows), h("p", { class: "meta" }, neutralText(all))];
}

function values(measure, groups) {
  const rows = measure.rows || [];
  if (!rows.length) {
    return note(measure.reporting_status === "NOT_POSTED" ? "The values are not posted. " : "The answer has no values of this measure. ",
      measure.expected_posting ? `Expected: ${measure.expected_posting}.` : "");
  }
  const on = scaleOf(measure);
  if (rows.length === 1 && !rowTitle(rows[0])) return lines(measure, groups, rows[0], on);
  return matrix(measure, groups, on);
}

// body shows all of a measure but its title.
export function body(measure, shared) {
  const groups = measure.groups || shared || [];
  const about = [measure.description, measure.population].filter(Boolean);
  const described = groups.filter((g) => g.description && measure.groups);
  return [
    measure.time_frame ? h("p", { class: "meta" }, measure.time_frame) : null,
    values(measure, groups),
    measure.unused_values ? note(`Values that are not shown: ${measure.unused_values}. They stand in fields that this dispersion does not use.`) : null,
    analyses(measure, groups),
    about.length || described.length ? more("About the measure and its groups", about.map(paragraphs),
      described.map((g) => [h("p", null, groupName(groups, g.number)), paragraphs(g.description)])) : null,
  ];
}

function title(measure) {
  return [measure.type ? h("span", { class: "badge" }, words(measure.type)) : null, `${measure.number}. `, measure.title || "Without a title"];
}

// card shows a measure, and folded one that draws its body when it is opened.
export function card(measure, shared) {
  return h("section", { class: "card", "data-measure": measure.number }, h("h3", null, title(measure)), body(measure, shared));
}

export function folded(measure, shared) {
  const box = h("details", { class: "card", "data-measure": measure.number }, h("summary", null, title(measure)));
  const unfold = () => {
    if (box.open && box.children.length === 1) box.append(h("div", null, body(measure, shared)));
  };
  box.addEventListener("toggle", unfold);
  box.unfold = () => { box.open = true; unfold(); };
  return box;
}
