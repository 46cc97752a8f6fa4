import { h, words, whole, note, more, paragraphs, table, column, rowHead, style } from "./dom.js";
import { groupName } from "./measure.js";

// The participant flow of a trial: how many started, completed and left, and why.

function flowCell(flow, row, g, started) {
  const found = (row.cells || []).find((c) => c.group === g.number);
  if (!found) return h("td", null, h("small", null, "not stated"));
  const n = Number(found.participants);
  const part = started > 0 && Number.isFinite(n) ? (100 * n) / started : null;
  return h("td", { class: "g" + (((g.number - 1) % 8) + 1) }, found.participants ? h("span", { class: "num" }, whole(Number(found.participants))) : null,
    found.units ? h("small", null, ` ${found.units} ${(flow.units || "units").toLowerCase()}`) : null,
    part === null ? null : h("span", { class: "bar", "aria-hidden": "true" }, style(h("i"), { "--part": `${Math.min(100, part)}%` })),
    found.comment ? h("div", { class: "small" }, found.comment) : null);
}

function flowTable(flow, period) {
  const groups = flow.groups || [];
  const started = (period.milestones || []).find((m) => m.type === "STARTED");
  const from = new Map(((started && started.cells) || []).map((c) => [c.group, Number(c.participants)]));
  const line = (row) => h("tr", null, rowHead(words(row.type || ""), row.comment ? h("div", { class: "small" }, row.comment) : null),
    groups.map((g) => flowCell(flow, row, g, from.get(g.number))));
  const left = period.withdrawals || [];
  const why = left.length ? [h("tr", null, h("th", { scope: "colgroup", colspan: groups.length + 1, class: "small" }, "Reasons for not completing"))] : [];
  const rows = [(period.milestones || []).map(line), why, left.map(line)];
  const name = period.title || "Period";
  return [h("h3", null, name), table(`Participants in ${name}`, [column("Participants"), ...groups.map((g) => column(groupName(groups, g.number)))], rows, { class: "cols" })];
}

// flowOf shows the flow, period by period.
export function flowOf(flow) {
  if (!flow) return note("The record has no participant flow.");
  return [
    (flow.periods || []).map((p) => flowTable(flow, p)),
    (flow.periods || []).length ? h("p", { class: "caption" }, "Number of participants; bar: share of those who started the period.") : null,
    [flow.recruitment, flow.pre_assignment].filter(Boolean).map(paragraphs), groupTexts(flow.groups),
  ];
}

// groupTexts shows the descriptions of groups.
export function groupTexts(groups) {
  const described = (groups || []).filter((g) => g.description);
  return described.length ? more("About the groups", described.map((g) => [h("p", null, groupName(groups, g.number)), paragraphs(g.description)])) : null;
}
