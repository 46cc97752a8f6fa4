// Exports the trials of the sandbox as Parquet files, loads them into DuckDB with the load.sql beside them, and compares rows and queries
// with what biofact mirror sql answers. Usage: node duckdb.js BIOFACT [QUERIES.jsonl]
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { DuckDBInstance } = require("@duckdb/node-api");

const [biofact, queries] = process.argv.slice(2).map((file) => path.resolve(file));

// The last ones need the setting of load.sql: PostgreSQL divides integers without a remainder.
const ours = [
  "SELECT count(*) FROM studies WHERE completion_date - start_date > 365 AND NOT has_dmc",
  "SELECT extract(year FROM start_date) AS y, count(*) FROM studies GROUP BY y",
  "SELECT event_type, sum(subjects_affected) FROM reported_events GROUP BY 1",
  "SELECT l.what, count(*) FROM biofact_limits l JOIN studies USING (nct_id) WHERE phase LIKE '%PHASE3%' GROUP BY 1",
  'SELECT "check", count(*) FROM biofact_comparisons GROUP BY 1',
  "SELECT 7 / 2 AS a, 7 / 2.0 AS b",
  "SELECT phase, sum(enrollment) / count(*) AS n FROM ctgov.studies WHERE enrollment IS NOT NULL GROUP BY phase",
];

// The order of the tables whose first rows are compared; of the others the rows and the values of each column are counted.
const first = { studies: "nct_id", calculated_values: "id", outcome_analyses: "id", drop_withdrawals: "id", facilities: "id",
  biofact_limits: 'nct_id, start, "end", what', biofact_comparisons: "nct_id, outcome, analysis" };

// plain returns a value as a text: numbers with 10 digits, days as 2024-01-31.
function plain(value) {
  if (value === null || value === undefined) return "NULL";
  const text = String(value);
  const isNumber = typeof value !== "boolean" && text.trim() !== "" && !Number.isNaN(Number(text));
  return isNumber ? String(Number(Number(text).toPrecision(10))) : text.replace(/ 00:00:00$/, "");
}

function lines(rows, how) {
  const all = rows.map((row) => row.map(plain).filter((text) => how !== "counts" || !Number.isNaN(Number(text))).join("\t"));
  return how === "rows" ? all.sort() : all;
}

async function compareAll(mirror, connection) {
  const wrong = [];
  const duck = async (sql) => (await connection.runAndReadAll(sql)).getRows();
  const compare = async (name, sql, how) => {
    const [want, got] = [lines(mirror(sql), how), lines(await duck(sql), how)];
    const at = Array.from({ length: Math.max(want.length, got.length) }).findIndex((_, i) => want[i] !== got[i]);
    if (at >= 0) wrong.push(`${name}, row ${at}: ${want[at]} is ${got[at]} in DuckDB`);
  };
  const tables = fs.readdirSync(".").filter((file) => file.endsWith(".parquet")).map((file) => path.basename(file, ".parquet"));
  const sums = [];
  for (const table of tables) {
    const columns = (await connection.runAndReadAll(`SELECT * FROM ${table} LIMIT 0`)).columnNames();
    sums.push(`SELECT '${table}' AS t, count(*) AS n, ${columns.map((c, i) => `${i + 1} * count("${c}")`).join(" + ")} AS filled FROM ${table}`);
  }
  while (sums.length > 0) await compare("rows and values of tables", sums.splice(0, 30).join(" UNION ALL "), "rows");
  for (const [table, order] of Object.entries(first)) {
    await compare(table, `SELECT * FROM ${table} ORDER BY ${order} LIMIT 400`, "ordered");
  }
  for (const sql of ours) await compare(sql, sql, "rows");
  const published = queries ? fs.readFileSync(queries, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
  for (const q of published) await compare(q.name, q.sql, ["ordered", "counts"].includes(q.compare) ? q.compare : "rows");
  const [[all, part]] = await duck("SELECT 'abc' ~ 'b', regexp_matches('abc', 'b')");
  if (all || !part) wrong.push("~ and regexp_matches are not as docs/database.md says");
  console.log(`| DuckDB over the Parquet files | ${tables.length} tables | ` +
    `${ours.length} queries and ${published.length} published ones, ${wrong.length} differ from mirror sql |`);
  wrong.forEach((text) => console.error(text));
  return wrong.length;
}

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "biofact-duckdb-"));
  const env = { ...process.env, BIOFACT_CACHE_DIR: "off", MCP_LOG_LEVEL: "error", BIOFACT_MIRROR_PATH: path.join(folder, "mirror.db") };
  const run = (args, input) => execFileSync(biofact, args, { env, input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] }).toString();
  try {
    run(["--sandbox", "mirror", "sync"]);
    run(["mirror", "export", "--format", "parquet", "--output", path.join(folder, "aact")]);
    process.chdir(path.join(folder, "aact"));
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    for (const statement of fs.readFileSync("load.sql", "utf8").split(";\n").filter((text) => text.trim())) await connection.run(statement);
    const mirror = (sql) => JSON.parse(run(["mirror", "sql", "--format", "json", "--max-rows", "1000000", "--timeout", "60s", "-"], sql)).rows;
    process.exitCode = await compareAll(mirror, connection) ? 1 : 0;
  } finally {
    process.chdir(os.tmpdir());
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main();
