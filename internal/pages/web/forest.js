import { h, parts, whole, words, note, table, column, rowHead, limited, more, announce, choice, entry } from "./dom.js";
import { axis, caption } from "./axis.js";
import { estimates, square, neutralText } from "./plots.js";

// A forest plot of posted comparisons: of one trial, or of several. Estimates stand as they were posted; nothing is pooled.

const directions = { "1-2": ["minus", 1, 2], "2-1": ["minus", 2, 1], "1/2": ["divided by", 1, 2], "2/1": ["divided by", 2, 1] };

function group(row, n) {
  const size = n === 1 ? row.n1i : row.n2i;
  return [row[`group_${n}`] || `Group ${n}`, size === undefined ? null : h("small", { class: "of" }, ` n = ${whole(size)}`)];
}

function groups(row) {
  if (!row.group_1) return h("small", null, "groups not stated");
  return [h("div", null, group(row, 1)), row.group_2 ? h("div", null, h("small", null, "and "), group(row, 2)) : null,
    (row.other_groups || []).map((title) => h("div", null, h("small", null, "and "), title))];
}

function direction(row) {
  const [verb, first, second] = directions[row.direction_computed] || [];
  return verb ? h("div", { class: "small" }, "Direction, computed: ", row[`group_${first}`], ` ${verb} `, row[`group_${second}`]) : null;
}

function shown(row, name) {
  const posted = (row.as_posted || []).find((text) => text.startsWith(`${name}: `));
  return posted ? posted.slice(name.length + 2) : row[name];
}

function estimate(row) {
  const value = shown(row, "estimate");
  const [lower, upper, level, p] = ["lower", "upper", "ci_percent", "p_value"].map((name) => shown(row, name));
  const limits = lower === undefined && upper === undefined ? "no interval posted"
    : `${level === undefined ? "interval, level not stated:" : `${level} % CI`} ${lower ?? "…"} to ${upper ?? "…"}${row.ci_sides === 1 ? ", one-sided" : ""}`;
  return [value === undefined ? h("small", null, "no estimate") : h("span", { class: "num" }, String(value)), h("div", { class: "small" }, limits),
    p === undefined ? null : h("div", { class: "small" }, `p ${row.p_operator || "="} ${p}`)];
}

function check(row) {
  if (row.check !== "differs") return null;
  return h("div", { class: "small" }, h("b", { class: "badge warn" }, "Differs"), row.recomputed === undefined ? "" : `the posted cells give ${row.recomputed}`);
}

function label(row) {
  const about = [row.class, row.category].filter(Boolean).join(" · ");
  return [about ? h("div", null, about) : null, row.description ? h("div", { class: "small words" }, row.description) : null,
    h("div", { class: "small" }, [row.method, row.hypothesis && words(row.hypothesis)].filter(Boolean).join(" · "))];
}

// heading says of which trial and outcome the rows below it are.
function heading(ctx, row, several) {
  const nct = row.nct_id.replace(":", "");
  return h("tr", null, h("th", { scope: "colgroup", colspan: 4, class: "outcome" },
    several ? [ctx.link(`https://clinicaltrials.gov/study/${nct}?tab=results`, nct), " · "] : null, row.outcome_type ? [h("span", { class: "badge" }, words(row.outcome_type)), " "] : null,
    `${row.outcome}. ${row.outcome_title || "Without a title"}`, row.time_frame ? h("div", { class: "small" }, h("b", null, "Time frame: "), row.time_frame) : null));
}

function drawn(ctx, row, on, first, several) {
  const line = h("tr", { "data-comparison": `${row.nct_id} ${row.outcome} ${row.analysis}` }, rowHead(groups(row)), h("td", null, label(row)), h("td", null, estimate(row), check(row)),
    h("td", { class: "wide" }, square([row.estimate, row.lower, row.upper], on), direction(row)));
  return first ? [heading(ctx, row, several), line] : [line];
}

// panelOf shows the rows of one measure and, for differences, of one unit: only these can stand on one scale.
function panelOf(ctx, [name, rows], several) {
  const on = estimates(rows.flatMap((r) => [r.estimate, r.lower, r.upper]).filter((x) => x !== undefined), rows[0].estimate_type || rows[0].measure);
  const foot = on ? h("tr", null, h("td", { colspan: 3 }), h("td", null, axis(on))) : null;
  const framed = table(`Comparisons: ${name}`, [column("Groups"), column("What tells it apart"), column("Estimate, as posted"), column(h("span", { class: "hidden" }, "Picture"))], [], { class: "forest" }, foot);
  const same = (a, b) => a && a.nct_id === b.nct_id && a.outcome === b.outcome;
  const body = framed.querySelector("tbody");
  const into = { append: (...lines) => body.append(...lines.flat()) };
  const draw = (row) => drawn(ctx, row, on, !same(rows[rows.indexOf(row) - 1], row), several);
  const end = limited({ rows, draw, into, step: 40, what: "comparisons" });
  framed.querySelector("table").drawAll = end.drawAll;
  return [h("h3", null, name), framed, on ? caption(`Square: ${name}`, "line with ends: interval at the level that stands in the row", neutralText(on)) : null, rows.length > 40 ? end : null];
}

function nameOf(row) {
  const name = row.measure && row.measure !== "other" ? words(row.measure.toUpperCase()) : row.estimate_type || "No estimate";
  return /ratio/i.test(name) || !row.unit ? name : `${name}, ${row.unit}`;
}

function panels(ctx, rows) {
  const kinds = new Map();
  for (const row of rows) kinds.set(nameOf(row), [...(kinds.get(nameOf(row)) || []), row]);
  const several = new Set(rows.map((r) => r.nct_id)).size > 1;
  return [...kinds].map((kind) => panelOf(ctx, kind, several));
}

// forest shows comparisons, to be narrowed to primary outcomes and to words.
export function forest(ctx) {
  const all = [];
  const into = h("div");
  const picked = { words: "", type: "" };
  const matches = (row) => (!picked.type || row.outcome_type === picked.type)
    && [row.outcome_title, row.group_1, row.group_2, row.class, row.description].join(" ").toLowerCase().includes(picked.words.toLowerCase());
  const draw = () => {
    const rows = all.filter(matches);
    into.replaceChildren(...parts(rows.length ? panels(ctx, rows) : note("The record has no posted comparison that matches.")));
    return rows.length;
  };
  const change = (name) => (value) => {
    picked[name] = value;
    announce(`${draw()} comparisons match`);
  };
  const controls = h("div", { class: "controls" });
  const drawAll = () => {
    const types = [...new Set(all.map((r) => r.outcome_type).filter(Boolean))];
    controls.replaceChildren(...parts(entry("Find a comparison", { type: "search", placeholder: "outcome, group or words" }, change("words")),
      types.length > 1 ? choice("Outcomes", [["", "All"], ...types.map((t) => [t, words(t)])], picked.type, change("type")) : null));
    draw();
  };
  return {
    element: h("div", null, h("p", { class: "meta" }, "Comparisons as the sponsor posted them. Nothing is pooled, and the order of the groups says nothing about the direction."), controls, into,
      more("What “differs” and “direction, computed” mean", h("p", { class: "text" }, "Differs: the posted cells of the outcome give another value than the posted estimate. This is no error; often a model or an adjustment stands behind the estimate. "
        + "Do not rebuild such an estimate from these cells. Direction: the record does not say which group is compared with which; where exactly one order of the groups gives the posted estimate, that order is stated."))),
    take: (answer) => all.push(...(answer.rows || [])),
    drawn: drawAll,
  };
}
