// Tests of what a reader needs before a page can be printed in a journal: where it comes from, how old it is, which mark means what,
// and that nothing is lost in print or without scripts.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { answersIn, bannerIn, biofact, callsIn, connect, file, hosted, open, openTab, print, source, text, written } from "./browser.mjs";

const trial = ["get_trial_results", "nct_id=NCT:02513394"];
const near = ["search_trials", "condition=cancer", "near=Boston, MA", "within=100 mi"];
const calls = [near, ["get_trial", "nct_id=NCT:90000456"], ["compare_trials", 'nct_ids=["NCT:02513394","NCT:90000456"]'], ["search_trials", "condition=cancer"], trial, ["get_trial_results", "nct_id=NCT:90000456"], ["get_trial_locations", "nct_id=NCT:02513394"], ["count_trials", "condition=cancer", "by=start_year"],
  ["get_drug", "drug_id=UNII:DPT0O3T46P"], ["count_drug_events", "drug_id=UNII:XXXXXXXXX1", "by=year"]];

let at;
before(async () => { at = await open(); });
after(async () => { await at.close(); });

test("each page says where it comes from, how old it is and how to make it again", async () => {
  for (const call of calls) {
    const [name, address] = /drug/.test(call[0]) ? ["openFDA", /https:\/\/(dailymed\.nlm\.nih\.gov|api\.fda\.gov)\//] : ["ClinicalTrials.gov", /https:\/\/clinicaltrials\.gov\//];
    for (const options of [{ source }, {}]) {
      const page = await file(at, call, options);
      const meta = await page.evaluate(() => JSON.parse(document.getElementById("calls").textContent)[0].meta);
      const dated = await text(page, ".dated");
      const footer = await text(page, "footer");
      assert.ok(address.test(footer) && footer.includes("Terms"), footer);
      assert.ok(footer.includes(`call ${call[0]}`) && call.slice(1).every((word) => footer.includes(word)), footer);
      const commands = await page.$$eval("footer code", (list) => list.map((x) => x.textContent));
      assert.equal(commands.length, 2);
      if (options.source) {
        assert.ok(dated.includes(name) && dated.includes(`data of ${meta["biofact/data_version"].slice(0, 10)}`), dated);
        assert.ok(dated.includes(`retrieved ${meta["biofact/retrieved_at"].slice(0, 10)}`), dated);
        assert.ok(!/[Ss]andbox/.test(footer), footer);
      } else {
        assert.match(dated, /^Sandbox: .*Do not use them as facts\.$/);
        assert.ok(footer.includes(dated), footer);
        for (const command of commands) assert.match(command, /(^| )--sandbox( |$)/);
      }
      await page.close();
    }
  }
});

test("without scripts a file shows each value and where it comes from", async () => {
  for (const call of calls) {
    const page = await at.browser.newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(await written(at, call), { timeout: 120_000 });
    const shown = await text(page, "body");
    const values = new Set();
    const flat = (words) => String(words).trim().replace(/\s+/g, " ");
    const walk = (value) => {
      if (value && typeof value === "object") Object.values(value).forEach(walk);
      else if (typeof value !== "boolean" && value !== undefined) values.add(flat(value));
    };
    (await page.$eval("#calls", (e) => JSON.parse(e.textContent))).forEach((c) => walk({ ...c.answer, pagination: undefined, notices: undefined, rows: undefined }));
    const whole = flat(shown);
    assert.ok(values.size > 2, `${call}`);
    assert.deepEqual([...values].filter((value) => !whole.includes(value)).slice(0, 5), [], `${call}`);
    assert.ok(shown.includes(await bannerIn(page)) && shown.includes("biofact call"), shown.slice(0, 300));
    await page.close();
  }
});

test("print has every section, every event and every comparison", async () => {
  const page = await file(at, trial, { theme: "dark" });
  const answers = await answersIn(page);
  await print(page);
  const shown = await text(page, "main");
  const events = answers.filter((a) => a.section === "adverse_events").flatMap((a) => a.adverse_events.events);
  assert.equal(await page.$$eval("#panel-adverse_events tr[data-event]", (list) => list.length), Math.min(200, events.length));
  if (events.length > 200) assert.match(await text(page, "#panel-adverse_events"), new RegExp(`200 adverse events shown, ${(events.length - 200).toLocaleString("en")} hidden`));
  for (const a of answers) for (const m of a.outcome_measures || []) assert.ok(shown.includes(m.title), m.title);
  for (const row of answers.flatMap((a) => a.rows || []).filter((r) => r.outcome)) assert.ok(shown.includes(row.outcome_title || ""));
  for (const m of answers.flatMap((a) => (a.baseline || {}).measures || [])) assert.ok(shown.includes(m.title), m.title);
  assert.match(shown, /A printed table shows its first 200 rows; the file and this call have all/);
  assert.equal(await page.$$eval("main details:not([open])", (list) => list.length), 0);
});

test("each scale has its numbers, and a caption names mark, measure and unit", async () => {
  const page = await file(at, trial);
  await openTab(page, "outcomes");
  await page.evaluate(() => { for (const b of document.querySelectorAll("details.card")) b.unfold(); });
  const pictures = await page.$$eval("#panel-outcomes table", (tables) => tables.filter((t) => t.querySelector(".plot")).map((t) => ({
    ticks: [...t.querySelectorAll(".axis text")].map((x) => x.textContent), caption: (t.parentElement.nextElementSibling || {}).textContent || "",
  })));
  assert.ok(pictures.length > 0);
  for (const { ticks, caption } of pictures) {
    assert.ok(ticks.length >= 2, caption);
    assert.match(caption, /^(Dot|Bar|Square): /);
  }
  const measures = (await answersIn(page)).flatMap((a) => (a.section === "outcomes" ? a.outcome_measures : []));
  const shown = await text(page, "#panel-outcomes");
  for (const m of measures) if (m.time_frame) assert.ok(shown.includes(`Time frame: ${m.time_frame}`), m.time_frame);
});

test("a forest plot has each posted comparison as it was posted", async () => {
  const page = await file(at, trial);
  await openTab(page, "comparisons");
  const rows = (await answersIn(page)).filter((a) => a.section === "comparisons").flatMap((a) => a.rows || []);
  const shown = await page.$$eval("[data-comparison]", (list) => list.map((r) => [r.dataset.comparison, r.innerText]));
  assert.equal(shown.length, rows.length);
  const byName = new Map(shown);
  for (const row of rows) {
    const line = byName.get(`${row.nct_id} ${row.outcome} ${row.analysis}`);
    for (const name of ["estimate", "lower", "upper"]) if (row[name] !== undefined) assert.ok(line.includes(String(row[name])), line);
    if (row.ci_percent) assert.ok(line.includes(`${row.ci_percent} % CI`), line);
    if (row.n1i) assert.ok(line.includes(`n = ${row.n1i.toLocaleString("en")}`), line);
    if (row.check === "differs") assert.ok(line.includes("Differs"), line);
  }
});

// A record with two periods, reasons for leaving, and the analyses of a primary and of a secondary outcome.
const lost = { "Adverse Event": [3, 1], "Lost to Follow-up": [2, 4] };
function record() {
  const ids = ["FG000", "FG001"];
  const cells = (name, numbers) => ids.map((groupId, i) => ({ groupId, [name]: String(numbers[i]) }));
  const milestones = { STARTED: [40, 41], COMPLETED: [35, 36], "NOT COMPLETED": [5, 5] };
  const period = { title: "Overall Study", milestones: Object.entries(milestones).map(([type, n]) => ({ type, achievements: cells("numSubjects", n) })),
    dropWithdraws: Object.entries(lost).map(([type, n]) => ({ type, reasons: cells("numSubjects", n) })) };
  const measure = (type, title, value) => ({
    type, title, timeFrame: "Week 24", paramType: "MEAN", unitOfMeasure: "points", groups: [{ id: "OG000", title: "Drug" }, { id: "OG001", title: "Placebo" }],
    denoms: [{ units: "Participants", counts: [{ groupId: "OG000", value: "40" }, { groupId: "OG001", value: "41" }] }],
    classes: [{ categories: [{ measurements: [{ groupId: "OG000", value: "1.5" }, { groupId: "OG001", value: "2.5" }] }] }],
    analyses: [{ groupIds: ["OG000", "OG001"], statisticalMethod: "ANCOVA", paramType: "Mean Difference (Final Values)", paramValue: value, ciPctValue: "95", ciNumSides: "TWO_SIDED", ciLowerLimit: "-3", ciUpperLimit: "3" }],
  });
  return JSON.stringify({
    hasResults: true,
    protocolSection: { identificationModule: { nctId: "NCT01111111", briefTitle: "Example" }, statusModule: { overallStatus: "COMPLETED", resultsFirstPostDateStruct: { date: "2020-01-01" } } },
    resultsSection: {
      participantFlowModule: { groups: [{ id: "FG000", title: "Drug" }, { id: "FG001", title: "Placebo" }], periods: [period] },
      outcomeMeasuresModule: { outcomeMeasures: [measure("PRIMARY", "Change of the score", "-1"), measure("SECONDARY", "Change of the weight", "0.5")] },
    },
  });
}

test("words say how many were lost and why, and which analysis is the primary one", async () => {
  const records = join(at.folder, "words.jsonl.gz");
  await writeFile(records, gzipSync(`${record()}\n`));
  const page = await file(at, ["get_trial_results", "nct_id=NCT:01111111"], { records });
  const rows = (panel) => page.$$eval(`${panel} tr`, (list) => list.map((r) => r.innerText.replace(/\s+/g, " ").trim()));
  const flow = await rows("#panel-overview");
  for (const line of ["Started 40 41", "Completed 35 36", "Not completed 5 5"]) assert.ok(flow.includes(line), flow.join("\n"));
  const why = flow.indexOf("Reasons for not completing");
  assert.deepEqual(flow.slice(why + 1, why + 3), Object.entries(lost).map(([reason, n]) => `${reason} ${n.join(" ")}`));
  assert.match(await text(page, "#panel-overview"), /Number of participants; bar: share of those who started the period/);
  for (const [tab, heads] of [["comparisons", "#panel-comparisons .outcome"], ["outcomes", "#panel-outcomes summary"]]) {
    await openTab(page, tab);
    const shown = (await page.$$eval(heads, (list) => list.map((x) => x.innerText.replace(/\s+/g, " ").trim()))).filter((x) => /Change of/.test(x));
    assert.equal(shown.length, 2, tab);
    assert.ok(/Primary/.test(shown[0]) && !/Secondary/.test(shown[0]), shown[0]);
    assert.ok(/Secondary/.test(shown[1]) && !/Primary/.test(shown[1]), shown[1]);
  }
  const order = await page.$$eval("#panel-comparisons .forest tbody tr", (list) => list.map((r) => r.dataset.comparison || r.innerText.trim().split(" ")[0]));
  assert.deepEqual(order, ["Primary", "NCT:01111111 1 1", "Secondary", "NCT:01111111 2 1"]);
});

test("no year of a series is left out", async () => {
  const page = await file(at, ["count_trials", "condition=cancer", "by=start_year"]);
  const [answer] = await answersIn(page);
  const years = answer.groups.map((g) => Number(g.value));
  const shown = await page.$$eval(".years li", (list) => list.map((x) => x.innerText.replace(/\s+/g, " ").trim()));
  const all = Array.from({ length: Math.max(...years) - Math.min(...years) + 1 }, (_, i) => Math.min(...years) + i);
  assert.deepEqual(shown, all.map((y) => `${(answer.groups.find((g) => g.value === String(y)) || { count: 0 }).count} ${y}`));
});

test("two groups of adverse events stand against each other, with the difference computed", async () => {
  const page = await file(at, trial);
  await openTab(page, "adverse_events");
  const given = (await answersIn(page)).filter((a) => a.section === "adverse_events").map((a) => a.adverse_events);
  const groups = given[0].groups.filter((g) => g.serious_at_risk > 0 || g.other_at_risk > 0).slice(0, 2);
  const rows = await page.$$eval("[data-harm]", (list) => list.map((r) => ({ term: r.dataset.harm, serious: r.innerText.includes("Serious"), difference: r.cells[4].innerText.replace("−", "-") })));
  assert.ok(rows.length > 5);
  const events = given.flatMap((e) => e.events);
  const rateOf = (event, g) => {
    const cell = event.cells.find((c) => c.group === g.number);
    return (100 * cell.affected) / (cell.at_risk ?? (event.serious ? g.serious_at_risk : g.other_at_risk));
  };
  for (const row of rows) {
    const wanted = events.filter((e) => e.term === row.term && e.serious === row.serious).map((e) => rateOf(e, groups[0]) - rateOf(e, groups[1]));
    assert.ok(wanted.some((d) => Math.abs(d - Number(row.difference)) < 0.051), `${row.term}: ${row.difference}, not ${wanted}`);
  }
  const sizes = rows.map((r) => Math.abs(Number(r.difference)));
  assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a), "the largest difference is first");
});

test("a page of a person is no advice, has each line with its facts, and repeats no other fact", async () => {
  const page = await file(at, ["match_trials", "age=58", "sex=female", "conditions=type 2 diabetes", "measurements=HbA1c 8.1 %", "near=Houston, TX"]);
  const shown = await text(page, "main");
  assert.match(shown, /This is no medical advice/);
  assert.match(shown, /Biofact kept nothing of the person/);
  for (const item of (await answersIn(page)).flatMap((a) => a.items)) {
    for (const line of item.lines || []) {
      assert.ok(shown.includes(line.text), line.text);
      for (const fact of line.facts || []) assert.ok(shown.includes(fact), fact);
    }
    for (const gate of item.gates || []) assert.ok(shown.includes(`${gate.person || "not stated"}`), gate.field);
  }
  const footer = await text(page, "footer");
  assert.ok(!/\b58\b|female|diabetes|HbA1c|Houston/.test(footer), footer); // an id may hold the digits
});

test("tables and pictures are taken away, and an address leads to an outcome", async () => {
  for (const options of [{ source }, {}]) await taken(await file(at, trial, options));
});

// taken takes the table and the pictures of the comparisons away, which say where they are from.
async function taken(page) {
  const [first] = (await answersIn(page)).filter((a) => a.section === "outcomes").flatMap((a) => a.outcome_measures).slice(1);
  await page.evaluate((n) => { location.hash = `#outcomes/${n}`; }, first.number);
  await page.waitForFunction((n) => document.querySelector(`#panel-outcomes details[data-measure="${n}"]`)?.open, {}, first.number);
  await openTab(page, "comparisons");
  const files = await page.evaluate(async () => {
    const made = [];
    URL.createObjectURL = (blob) => { made.push(blob); return "#"; };
    for (const kind of ["CSV", "SVG", "PNG"]) {
      const before = made.length;
      [...document.querySelectorAll("#panel-comparisons .take button")].find((b) => b.textContent === kind).click();
      while (made.length === before) await new Promise((r) => { requestAnimationFrame(r); });
    }
    return Promise.all(made.map(async (b) => [b.type, b.type === "image/png" ? b.size : await b.text()]));
  });
  assert.deepEqual(files.map(([type]) => type), ["text/csv", "image/svg+xml", "image/png"]);
  assert.match(files[0][1], /^Groups,What tells it apart,"?Estimate, as posted"?/);
  const said = await bannerIn(page) ?? "ClinicalTrials.gov · data of 2026-11-27 · retrieved ";
  assert.match(files[1][1], /^<svg [\s\S]*<\/svg>$/);
  assert.ok(files[1][1].includes(said), `${said}: ${files[1][1].slice(-800)}`);
  assert.ok(files[2][1] > 1000);
  assert.deepEqual(page.problems, []);
}

test("a search near a place has a map of its nearest sites, how far they are, and the circle", async () => {
  const page = await file(at, near);
  const rows = (await answersIn(page)).flatMap((a) => a.items || []);
  const sites = rows.flatMap((r) => [r.nearest_site, r.nearest_recruiting_site].filter(Boolean));
  assert.ok(sites.length > 1);
  assert.equal(await page.$$eval(".map circle.site", (list) => list.length), new Set(sites.map((s) => `${s.latitude},${s.longitude}`)).size);
  const ring = await page.$eval(".map .ring", (e) => [e.getAttribute("d").split("L").length, e.getBoundingClientRect().width]);
  assert.ok(ring[0] === 73 && ring[1] > 200, `${ring}`);
  assert.match(await text(page, ".legend"), /circle: 100 mi around Boston, MA/);
  for (const row of rows) {
    const shown = await text(page, `[data-trial="${row.id}"]`);
    assert.ok(shown.includes(`${row.nearest_site.distance_km} km`) && shown.includes(row.nearest_site.city), shown);
    if (row.nearest_recruiting_site) assert.ok(shown.includes("nearest that recruits") && shown.includes(`${row.nearest_recruiting_site.distance_km} km`), shown);
  }
  await page.$eval(".map circle.site", (e) => e.dispatchEvent(new MouseEvent("click")));
  assert.ok((await page.$$("[data-trial]")).length <= rows.length);
  assert.match(await text(page, "main"), /Trials with a site in /);
});

test("bars of a search count all trials, or say that they count rows, and lead to their trials", async () => {
  const page = await file(at, calls.find((c) => c[0] === "search_trials" && c.length === 2));
  const counts = (await callsIn(page)).filter((c) => c.tool === "count_trials");
  const shown = await page.$$eval(".two section", (list) => list.map((x) => [x.innerText, [...x.querySelectorAll("[data-value]")].map((y) => y.querySelector(".num").innerText)]));
  assert.equal(shown.length, 3);
  counts.forEach((c, i) => {
    assert.match(shown[i][0], new RegExp(`Of all ${c.answer.total_count} trials that match`));
    assert.deepEqual(shown[i][1].slice(0, c.answer.groups.length), c.answer.groups.map((g) => g.count.toLocaleString("en")));
  });
  await page.click(".two .lead");
  assert.match(await text(page, "main"), new RegExp(`They are listed by biofact --sandbox call search_trials condition=cancer status=${counts[0].answer.groups[0].value}`));
});

test("in a host the bars count rows until the reader asks for all, and a map gets finer outlines", async () => {
  const client = await connect();
  try {
    const { page, frame } = await hosted(at, client, "search_trials", { condition: "cancer", near: "Boston, MA", page_size: 3 }, { capabilities: { serverTools: {}, serverResources: {}, openLinks: {} } });
    assert.match(await text(frame, ".two"), /Of the \d+ rows? shown/);
    await frame.waitForFunction(() => document.querySelector(".map .land").getAttribute("d").length > 300_000);
    await frame.evaluate(() => [...document.querySelectorAll("button")].find((b) => /^Count all/.test(b.textContent)).click());
    await frame.waitForFunction(() => /Country/.test(document.querySelector(".two").innerText));
    assert.deepEqual(page.calls.map((c) => c.arguments.by), ["status", "phase", "country"]);
    assert.deepEqual(page.problems, []);
  } finally {
    await client.close();
  }
});

test("the citation of a full text has its authors", async () => {
  const page = await file(at, ["getArticleFullText", "id=PMC7383595"]);
  await page.waitForFunction(() => /Horby P, .* N Engl J Med\. 2021.*PMID: 32678530/.test(document.querySelector(".cite").textContent));
});

test("a trial shows what changed, where a mirror has its history", async () => {
  const [records, mirror] = [join(at.folder, "changing.jsonl"), join(at.folder, "mirror.db")];
  const made = (day, overallStatus, count) => writeFile(records, `${JSON.stringify({ hasResults: false, derivedSection: { miscInfoModule: { versionHolder: day } }, protocolSection: {
    identificationModule: { nctId: "NCT09999991", briefTitle: "A trial that changes" }, designModule: { studyType: "INTERVENTIONAL", enrollmentInfo: { count, type: "ESTIMATED" } },
    statusModule: { overallStatus, startDateStruct: { date: "2024-01-01" }, lastUpdatePostDateStruct: { date: day } } } })}\n`);
  await made("2026-03-02", "RECRUITING", 100);
  await biofact(["get_trial", "nct_id=NCT09999991"], { records, mirror });
  await made("2026-03-05", "SUSPENDED", 250);
  const page = await file(at, ["get_trial", "nct_id=NCT09999991"], { records, mirror });
  await page.waitForFunction(() => /What changed/.test(document.querySelector("main").innerText));
  const shown = (await text(page, "main")).replace(/\s+/g, " ");
  for (const words of ["From the data of 2026-03-02 to those of 2026-03-05", "Status after the start of the trial 2026-03-05 Recruiting Suspended", "100 (ESTIMATED) 250 (ESTIMATED)"]) assert.ok(shown.includes(words), `${words}: ${shown}`);
});
