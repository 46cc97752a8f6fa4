// Judges the documents of make validators with ajv, and compares the verdicts.
// Usage: node ajv.js FOLDER_OF_SCHEMAS FILE_OF_CASES
const fs = require("node:fs");
const path = require("node:path");
const Ajv = require("ajv/dist/2020");

function load(folder) {
  const ajv = new Ajv({ strict: true, allErrors: true });
  const index = JSON.parse(fs.readFileSync(path.join(folder, "index.json")));
  for (const { file } of index.schemas) {
    ajv.addSchema(JSON.parse(fs.readFileSync(path.join(folder, file))));
  }
  return (name) => ajv.getSchema(`urn:biofact:schema:v${index.version}:${name}`);
}

const [folder, cases] = process.argv.slice(2);
const schema = load(folder);
const { schemas } = JSON.parse(fs.readFileSync(path.join(folder, "index.json")));
for (const { $id } of schemas) {
  schema($id.split(":").pop()); // compiles it, and throws where strict mode complains
}
const judged = { true: 0, false: 0 };
let wrong = 0;
for (const line of fs.readFileSync(cases, "utf8").trim().split("\n")) {
  const { name, schema: of, valid, document } = JSON.parse(line);
  const validate = schema(of);
  if (validate(document) !== valid) {
    wrong++;
    console.error(`${name}: ${valid ? "valid" : "invalid"} by ${of}, but not here`, validate.errors);
  }
  judged[valid]++;
}
const version = require("ajv/package.json").version;
console.log(`ajv ${version}, strict: ${schemas.length} schemas compiled; ${judged[true]} valid and ${judged[false]} invalid documents, ${wrong} judged otherwise`);
process.exitCode = wrong > 0 ? 1 : 0;
