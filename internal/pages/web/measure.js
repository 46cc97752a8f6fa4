import { h, whole, words, more, paragraphs, table, column, rowHead, swatch, limited, note } from "./dom.js";
import { axis, caption } from "./axis.js";
import { scaleOf, dot } from "./plots.js";
import { analyses } from "./analyses.js";
import { beforePrint } from "./print.js";
import { linkTo } from "./place.js";

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
  return h("small", { class: "of" }, " ", group.analyzed ? `n = ${number(group.analyzed)}${unit}` : "", unitCounts(group.analyzed_other));
}

// number writes a count of people, which records write with and without commas, in one form.
function number(text) {
  return /^\d+$/.test(text) ? whole(Number(text)) : text;
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
    cell.analyzed ? h("small", null, ` n = ${number(cell.analyzed)}`, unitCounts(cell.analyzed_other)) : null,
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
  return table(label, [column("Group"), column(unitText(measure)), column(h("span", { class: "hidden" }, "Picture"))], rows, { class: "lines" }, on ? h("tr", null, h("td"), h("td"), h("td", null, axis(on))) : null);
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
  const scales = on ? h("tr", { class: "scales" }, rowHead(h("small", null, "Scale")), numbers.map(() => h("td", null, axis(on)))) : null;
  const framed = table(label, head, scales || [], { class: "cols" });
  const foot = limited({ rows: measure.rows, draw, into: framed.querySelector("tbody"), step: 40, what: "rows" });
  return [framed, measure.rows.length > 40 ? foot : null];
}

// unitText says what the values are: Mean (Standard Deviation), mmHg.
function unitText(measure) {
  const kind = words(measure.parameter || "Value") + (measure.dispersion ? ` (${words(measure.dispersion)})` : "");
  return measure.unit ? `${kind}, ${measure.unit}` : kind;
}

function values(measure, groups) {
  const rows = measure.rows || [];
  if (!rows.length) {
    return note(measure.reporting_status === "NOT_POSTED" ? "The values are not posted. " : "The answer has no values of this measure. ",
      measure.expected_posting ? `Expected: ${measure.expected_posting}.` : "");
  }
  const on = scaleOf(measure);
  const shown = rows.length === 1 && !rowTitle(rows[0]) ? lines(measure, groups, rows[0], on) : matrix(measure, groups, on);
  return [shown, on ? captionOf(measure, rows, on) : null];
}

// captionOf names the marks of the picture, the measure and the unit.
function captionOf(measure, rows, on) {
  const spreads = rows.some((r) => (r.cells || []).some((c) => c.spread || c.lower || c.upper));
  const center = words(measure.parameter || "value").toLowerCase();
  return caption(on.bars && !spreads ? `Bar: ${center}, from zero` : `Dot: ${center}`, spreads && on.mark ? on.mark.text : "",
    measure.unit ? `scale: ${measure.unit}, the same for all groups` : "one scale for all groups");
}

// body shows all of a measure but its title.
export function body(measure, shared) {
  const groups = measure.groups || shared || [];
  const about = [measure.description].filter(Boolean);
  const described = groups.filter((g) => g.description && measure.groups);
  return [
    measure.time_frame ? h("p", { class: "meta" }, h("b", null, "Time frame: "), measure.time_frame) : null,
    measure.population ? h("p", { class: "meta" }, h("b", null, "Analysed: "), measure.population) : null,
    values(measure, groups),
    measure.unused_values ? note(`Values that are not shown: ${measure.unused_values}. They stand in fields that this dispersion does not use.`) : null,
    analyses(measure, groups),
    measure.type ? linkTo(`outcomes/${measure.number}`, `outcome ${measure.number}`, `Link to outcome ${measure.number}`) : null,
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
  beforePrint(box, () => { if (!box.hidden) box.unfold(); });
  box.unfold = () => { box.open = true; unfold(); };
  return box;
}
