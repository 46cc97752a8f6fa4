// Helpers of the page tests: Chromium, files that biofact writes, and a host that uses the
// official app-bridge.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(join(process.env.PAGE_TOOLS, "node_modules", "x.js"));
export const { Client } = require("@modelcontextprotocol/client");
export const { StdioClientTransport } = require("@modelcontextprotocol/client/stdio");
const puppeteer = require("puppeteer-core");
const esbuild = require("esbuild");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const binary = process.env.BIOFACT;
const run = promisify(execFile);

const clients = [];

export async function open() {
  const folder = await mkdtemp(join(tmpdir(), "pages-"));
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM, headless: true, timeout: 120_000, protocolTimeout: 300_000, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  return {
    browser, folder,
    close: async () => {
      await Promise.all(clients.map((client) => client.close().catch(() => {}))); // a test that failed left its own open
      await browser.close();
      await rm(folder, { recursive: true });
    },
  };
}

// biofact runs a call on the sandbox, or on the records of a file, and returns its output.
// With a path of a mirror, the records of the file are in it.
export async function biofact(args, { records, line = [], mirror = "" } = {}) {
  const sandbox = records ? `--sandbox=${records}` : "--sandbox";
  const env = { ...process.env, BIOFACT_CACHE_DIR: "off", BIOFACT_MIRROR_PATH: mirror };
  if (mirror) await run(binary, [sandbox, "mirror", "sync"], { env });
  const { stdout } = await run(binary, [sandbox, "call", ...args, ...line], { maxBuffer: 1 << 28, env });
  return stdout;
}

let files = 0;

// source is what an answer of a source says of its data.
export const source = { "biofact/data_version": "2026-11-27T09:00:05" };

// sourced makes the page of a call on example records the page that the same call on the source would write: without the banner and the
// flag, and with what the source says of its data.
function sourced(html, meta) {
  const changed = (page, id, change) => page.replace(new RegExp(`(<script type="application/json" id="${id}">)([^<]*)`), (_, start, json) => start + JSON.stringify(change(JSON.parse(json))).replaceAll("<", "\\u003c"));
  const bare = changed(html, "page", ({ banner, flag, ...page }) => ({ ...page, command: page.command.replace(` ${flag}`, "") }));
  return changed(bare, "calls", (calls) => calls.map((c) => ({ ...c, meta: { ...c.meta, ...meta } })));
}

// written writes the page of a call and returns its address. With source, which is metadata, the page is that of the source.
export async function written(at, args, { source, ...options } = {}) {
  const path = join(at.folder, `${++files}.html`);
  const html = await biofact(args, { ...options, line: ["--html", "-"] });
  await writeFile(path, source ? sourced(html, source) : html);
  return pathToFileURL(path).href;
}

// file writes the page of a call and opens it. Errors of the page are added to its list problems,
// and its network requests to its list requests.
export async function file(at, args, { theme = "light", width = 1100, ...options } = {}) {
  const page = await tab(at, { theme, width });
  await page.goto(await written(at, args, options), { timeout: 120_000 });
  await page.waitForSelector('main[aria-busy="false"]', { timeout: 60_000 });
  return page;
}

async function tab(at, { theme, width }) {
  const page = await at.browser.newPage();
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  page.problems = [];
  page.requests = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") page.problems.push(message.text()); });
  page.on("request", (request) => { if (/^https?:|^wss?:/.test(request.url())) page.requests.push(request.url()); });
  return page;
}

// answersIn returns the answers in a file, callsIn its calls.
export const callsIn = (page) => page.evaluate(() => JSON.parse(document.getElementById("calls").textContent));
export const answersIn = async (page) => (await callsIn(page)).map((c) => c.answer);

// bannerIn returns the sentence of a page about answers that are not from the sources.
export const bannerIn = (page) => page.evaluate(() => JSON.parse(document.getElementById("page").textContent).banner);

// openTab opens a section of the page of results and waits until it is there.
export async function openTab(frame, name) {
  await frame.click(`#tab-${name}`);
  await frame.waitForFunction((n) => document.querySelector(`#panel-${n}`).children.length > 0 && !document.querySelector(`#panel-${n} [aria-busy=true]`), { timeout: 60_000 }, name);
}

// text returns the text of an element as people see it.
export const text = (frame, selector) => frame.$eval(selector, (e) => e.innerText);

// print shows a page as it is printed.
export async function print(page) {
  await page.emulateMediaType("print");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
}

// check runs the accessibility checker in a frame and returns the violations.
export async function check(frame) {
  await frame.evaluate(axe);
  return frame.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html.slice(0, 120)} ${n.failureSummary.split("\n")[1] || ""}`).slice(0, 3).join(" | ")}`);
  });
}

// numbers returns the different numbers that a frame shows, except those that the page has
// counted itself.
export async function numbers(frame) {
  return frame.evaluate(() => {
    const found = [];
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) found.push(...(node.data.match(/\d[\d.,]*/g) || []).map((n) => n.replace(/[.,]+$/, "")));
      else if (!(node.dataset && node.dataset.counted !== undefined)) node.childNodes.forEach(walk);
    };
    walk(document.querySelector("main"));
    return [...new Set(found)];
  });
}

// known returns the numbers in answers, in each form in which a page can write them.
export function known(answers) {
  const all = new Set();
  for (const answer of answers) {
    for (const n of JSON.stringify(answer).match(/\d[\d.,]*/g) || []) {
      const number = n.replace(/[.,]+$/, "");
      all.add(number);
      for (const part of number.split(",")) all.add(part);
      if (/^\d+$/.test(number)) all.add(Number(number).toLocaleString("en"));
    }
  }
  return all;
}

// drawn returns the milliseconds until a page has drawn its answer: by the clock, and in
// processor time, because other programs also use the machine.
export async function drawn(at, path) {
  const page = await tab(at, { theme: "light", width: 1100 });
  const session = await page.createCDPSession();
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(path, { waitUntil: "domcontentloaded", timeout: 120_000 });
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
  const { metrics } = await session.send("Performance.getMetrics");
  const clock = await page.evaluate(() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    const [navigation] = performance.getEntriesByType("navigation");
    return Math.max(paint ? paint.startTime : 0, navigation.domContentLoadedEventEnd);
  });
  await page.close();
  return { clock: Math.round(clock), processor: Math.round(1000 * metrics.find((m) => m.name === "TaskDuration").value) };
}

let hostScript;

async function bundledHost() {
  if (!hostScript) {
    const { outputFiles } = await esbuild.build({
      entryPoints: [fileURLToPath(new URL("host.mjs", import.meta.url))], bundle: true, write: false, format: "iife", platform: "browser",
      nodePaths: [join(process.env.PAGE_TOOLS, "node_modules")], logLevel: "error",
    });
    hostScript = outputFiles[0].text;
  }
  return hostScript;
}

// connect starts biofact and connects a client, which shows pages if shows is true.
export async function connect({ records, shows = true } = {}) {
  const capabilities = shows ? { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } } : {};
  const client = new Client({ name: "test host", version: "1" }, { capabilities });
  clients.push(client);
  await client.connect(new StdioClientTransport({
    command: binary, args: [records ? `--sandbox=${records}` : "--sandbox"], env: { ...process.env, BIOFACT_CACHE_DIR: "off", MCP_LOG_LEVEL: "error" },
  }));
  return client;
}

// hosted calls a tool through a client and shows its page in a host, like a chat program.
export async function hosted(at, client, tool, args, options = {}) {
  const { tools } = await client.listTools();
  const uri = tools.find((t) => t.name === tool)._meta.ui.resourceUri;
  const { contents } = await client.readResource({ uri });
  const result = options.result || await client.callTool({ name: tool, arguments: args });
  const page = await tab(at, { theme: "light", width: options.width || 1000 });
  page.calls = [];
  await page.exposeFunction("callTool", async (params) => {
    page.calls.push(params);
    if (options.refuse) return { refused: options.refuse };
    return client.callTool(params);
  });
  await page.exposeFunction("readResource", (params) => client.readResource(params));
  await page.setContent('<!doctype html><title>Host</title><body style="margin:0"><iframe id="app" title="app" sandbox="allow-scripts" style="border:0;width:100%;height:400px"></iframe>');
  await page.evaluate(await bundledHost());
  await page.evaluate((given) => globalThis.host.open(given), {
    html: contents[0].text, args, result, capabilities: options.capabilities || { serverTools: {}, openLinks: {} }, context: options.context || { theme: "light" },
  });
  const frame = await (await page.waitForSelector("#app")).contentFrame();
  await frame.waitForSelector('main[aria-busy="false"]', { timeout: 60_000 });
  return { page, frame, result };
}
