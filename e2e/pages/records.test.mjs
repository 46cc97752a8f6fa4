// Real records of every kind, one page for each: what is shown is compared with the answers, in both themes, narrow and wide, on the
// screen, in print and without scripts. The records stand beside the repository; without them the test is skipped.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createReadStream, existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createGunzip, gzipSync } from "node:zlib";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { callsIn, check, file, known, numbers, open, print, text, written } from "./browser.mjs";

const corpus = new URL("../../../shared/corpus/ctgov/", import.meta.url);
const collections = ["results.jsonl.gz", "more.jsonl.gz", "studies.jsonl.gz"].map((name) => new URL(name, corpus));

// One arm, eighteen arms, no analyses, 126 measures, 2,029 adverse events, 1,154 sites, and what results_why.json calls rare.
const results = ["NCT00323037", "NCT00508196", "NCT00585104", "NCT00585611", "NCT00733980", "NCT00763867", "NCT00800540", "NCT00940602", "NCT01440517", "NCT01542502", "NCT01597635", "NCT01951638",
  "NCT01986881", "NCT02278250", "NCT02513394", "NCT02528188", "NCT02817828", "NCT02918552", "NCT03152552", "NCT03574597", "NCT03756285", "NCT03988634", "NCT04164004", "NCT04955626"];
const trials = ["NCT01100827", "NCT02300909", "NCT00567567", "NCT06349226", "NCT04267848", "NCT01986881", "NCT04955626", "NCT07064473"];
const sites = ["NCT07064473", "NCT04267848", "NCT05869903", "NCT06349226"];
const others = [["compare_trials", 'nct_ids=["NCT:01986881","NCT:04955626","NCT:02528188"]'], ["match_trials", "age=61", "sex=female", "conditions=heart failure", "measurements=LVEF 30 %"],
  ["search_trials", "condition=diabetes"], ["search_trials", "condition=heart failure", "near=Boston, MA", "within=500 mi"], ["search_trials", "condition=zzzz"], ["count_trials", "by=start_year"], ["count_trials", "by=status", "then_by=phase"], ["count_trials", "condition=zzzz", "by=phase"],
  ["get_trial_results", 'nct_ids=["NCT:01986881","NCT:02528188"]', "section=comparisons", "outcome=1"]];
const calls = [...results.map((id) => ["get_trial_results", `nct_id=${id}`]), ...trials.map((id) => ["get_trial", `nct_id=${id}`]), ...sites.map((id) => ["get_trial_locations", `nct_id=${id}`]), ...others];

let at;
let held;
before(async () => {
  at = await open();
  if (!existsSync(collections[0])) return;
  held = join(at.folder, "kinds.jsonl.gz");
  await writeFile(held, gzipSync([...(await wanted()).values()].join("\n") + "\n"));
});
after(async () => { await at.close(); });

// wanted reads the records of the calls, and some others to search in.
async function wanted() {
  const found = new Map();
  const ids = new Set([...results, ...trials, ...sites]);
  for (const collection of collections) {
    let extra = 40;
    for await (const line of createInterface({ input: createReadStream(collection).pipe(createGunzip()) })) {
      const [, id] = line.match(/"nctId": ?"(NCT\d{8})"/) || [];
      if (id && !found.has(id) && (ids.has(id) || (line.length < 20_000 && extra-- > 0))) found.set(id, line);
    }
  }
  return found;
}

// shown are the fields whose values a page must show.
const shownFields = new Set(["value", "spread", "lower", "upper", "comment", "p_value", "estimate", "title", "term", "class", "time_frame", "measure", "brief_title", "label", "facility_name", "person", "text", "lead_sponsor"]);

function valuesOf(value, name, out) {
  if (Array.isArray(value)) value.forEach((v) => valuesOf(v, name, out));
  else if (value && typeof value === "object") Object.entries(value).forEach(([k, v]) => { if (!["limits", "mesh", "outcome_index", "pagination"].includes(k)) valuesOf(v, k, out); });
  else if (shownFields.has(name) && value !== "" && !(name === "measure" && /^[a-z_]+$/.test(value))) out.add(String(value)); // rows name a measure by a code
  return out;
}

const flat = (words) => words.replace(/\s+/g, " ");

// plainly is a text without what a page changes in codes: PHASE2 is shown as Phase 2, and NA in words.
const plainly = (words) => flat(words).toLowerCase().replace(/[\s_]+/g, "").replace(/^na$/, "notapplicable");

async function compare(call) {
  const page = await file(at, call, { records: held });
  for (const [theme, width] of [["light", 1400], ["light", 400], ["dark", 400], ["dark", 1400]]) {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth + 1), `${call}: the page is wider than the screen of ${width}`);
    if ((theme === "light") === (width === 1400)) assert.deepEqual(await check(page), [], `${call}: ${theme}, ${width}`);
  }
  const all = await callsIn(page);
  const answers = all.map((c) => c.answer).filter((a) => !["arms", "more_info"].includes(a.section));
  await print(page);
  await page.evaluate(() => { for (let left = 1; left; left = 0) for (const b of document.querySelectorAll("main .foot button")) if (b.textContent === "Show all") { b.click(); left = 1; } });
  const shown = flat(await page.$eval("main", (e) => e.textContent));
  const whole = answers.some((a) => a.section === "outcomes") ? answers.filter((a) => a.section !== "overview") : answers;
  const missing = [...valuesOf(whole, "", new Set())].filter((v) => !shown.includes(flat(v)) && !plainly(shown).includes(plainly(v)) && !shown.includes(Number(v).toLocaleString("en")));
  assert.deepEqual(missing.slice(0, 5), [], `${call}: ${missing.length} values are not shown`);
  const have = known(all);
  assert.deepEqual((await numbers(page)).filter((n) => !have.has(n) && !have.has(n.replaceAll(",", ""))).slice(0, 8), [], `${call}: numbers that are in no answer`);
  assert.deepEqual([...page.problems, ...page.requests], [], `${call}`);
  assert.equal(await text(page, ".dated"), `Records from ${held}, not from the sources themselves.`);
  await page.close();
}

for (const call of calls) {
  test(`${call.join(" ")}`, { skip: existsSync(collections[0]) ? false : "no collection of real records" }, () => compare(call));
}

test("a record without scripts has its values", { skip: existsSync(collections[0]) ? false : "no collection of real records" }, async () => {
  for (const call of [["get_trial_results", "nct_id=NCT00733980"], ["get_trial", "nct_id=NCT04955626"]]) {
    const page = await at.browser.newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(await written(at, call, { records: held }), { timeout: 120_000 });
    const shown = flat(await text(page, "body"));
    const answers = (await page.$eval("#calls", (e) => JSON.parse(e.textContent))).map((c) => c.answer);
    assert.deepEqual([...valuesOf(answers, "", new Set())].filter((v) => !shown.includes(flat(v.trim()))).slice(0, 5), []);
    await page.close();
  }
});
