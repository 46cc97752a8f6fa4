import { h, note, table, column } from "./dom.js";

// flat shows an answer of rows, as a table with the columns that have a value.
export function flat(answer) {
  const rows = answer.rows || answer.items || [];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value) => h("td", null, value === undefined ? "" : Array.isArray(value) ? value.join(" | ") : typeof value === "object" ? JSON.stringify(value) : String(value));
  return rows.length ? table("Rows", names.map((name) => column(name)), rows.map((row) => h("tr", null, names.map((name) => cell(row[name])))))
      : answer.csv ? h("pre", { class: "scroll", tabindex: "0", role: "group", "aria-label": "The answer as CSV" }, answer.csv) : note("No rows.");
}
