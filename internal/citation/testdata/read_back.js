// Reads the CSL-JSON and the RIS of goldens with citation.js, compares what it
// read with what was written, and has it write each reference in two styles.
// Usage: node read_back.js GOLDEN...
const fs = require("node:fs");
const path = require("node:path");
const { Cite, plugins } = require("@citation-js/core");
require("@citation-js/plugin-csl");
require("@citation-js/plugin-ris");

// What citation.js adds to items of its own accord.
const added = ["_graph", "citation-key"];

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const plain = (text) => (text ?? "").replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/\s+/g, " ").trim();

function check(file) {
  const parts = fs.readFileSync(file, "utf8").split(/\n\n+/);
  const written = JSON.parse(parts.find((part) => part.startsWith("{")));
  const wrong = [];
  const [read] = new Cite([written], { forceType: "@csl/list+object" }).data;
  for (const field of new Set([...Object.keys(written), ...Object.keys(read)])) {
    if (!added.includes(field) && !same(written[field], read[field])) {
      wrong.push(`CSL-JSON: ${field} was ${JSON.stringify(written[field])}, is read as ${JSON.stringify(read[field])}`);
    }
  }
  for (const template of ["apa", "vancouver"]) {
    const reference = new Cite([written]).format("bibliography", { format: "text", template, lang: "en-US" });
    const start = plain(written.title).slice(0, 12).toLowerCase();
    if (!plain(reference).toLowerCase().includes(start) || /undefined|NaN|CSL STYLE ERROR/.test(reference)) {
      wrong.push(`CSL-JSON: as ${template} it is ${JSON.stringify(reference)}`);
    }
  }
  const ris = new Cite(parts.find((part) => part.startsWith("TY  - ")), { forceType: "@ris/file" }).data;
  const [entry] = ris;
  if (ris.length !== 1 || !["id", "DOI", "volume"].every((field) => same(entry[field], written[field])) || entry.author?.length !== written.author?.length) {
    wrong.push(`RIS: is read as ${JSON.stringify(ris)}`);
  }
  return wrong.map((message) => `${path.basename(file)}: ${message}`);
}

const files = process.argv.slice(2);
const wrong = files.flatMap(check);
wrong.forEach((message) => console.error(message));
console.log(`citation.js ${require("@citation-js/core/package.json").version}: ${files.length} references read back and written in 2 styles, ${wrong.length} differences`);
process.exitCode = wrong.length > 0 || files.length === 0 ? 1 : 0;
