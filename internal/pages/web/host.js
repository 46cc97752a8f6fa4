import { h, parts, announce } from "./dom.js";
import { dated, origin, useFlag } from "./origin.js";
import { saveWith, download } from "./take.js";
import { places, followPlace } from "./place.js";

// Where a page gets its answers from: a host that shows MCP Apps, or the file that the page stands in.

const PROTOCOL = "2026-01-26";

// web matches the only addresses that a link may have: records can hold others.
const web = /^https?:\/\//i;

// A Refusal is why an answer cannot be had.
class Refusal extends Error {}

function failure(answer) {
  const error = answer && answer.error;
  return new Refusal(error ? `${error.message} ${error.recovery_hint || ""}`.trim() : "The call failed.");
}

// key names a call by what it asks for, however large its pages are.
function key(given) {
  const entries = Object.entries(given).filter(([name]) => name !== "page_size" && name !== "nct_id");
  return JSON.stringify(entries.map(([name, value]) => [name, String(value)]).sort());
}

// fromFile answers calls with those that a file holds.
function fromFile(calls) {
  const held = new Map(calls.filter((c) => !c.tool).map((c) => [key(c.arguments), c.answer]));
  return {
    file: true,
    meta: calls[0].meta,
    can: (given) => held.has(key(given)),
    now: (given) => held.get(key(given)),
    call: async (given) => {
      const answer = held.get(key(given));
      if (!answer) throw new Refusal("This file does not hold it.");
      return answer;
    },
    ask: async (tool, asked) => {
      const found = calls.find((c) => c.tool === tool && c.arguments.by === asked.by);
      if (!found) throw new Refusal("This file does not hold it.");
      return found.answer;
    },
    link: (url, text) => (!web.test(url) ? h("span", null, text) : h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text)),
  };
}

// A Bridge speaks JSON-RPC with the host.
class Bridge {
  constructor(handlers) {
    this.handlers = handlers;
    this.next = 1;
    this.waiting = new Map();
    this.listen = (event) => {
      if (event.source === window.parent) this.receive(event.data);
    };
    window.addEventListener("message", this.listen);
  }

  close() {
    window.removeEventListener("message", this.listen);
    for (const { reject } of this.waiting.values()) reject(new Refusal("The page was closed."));
    this.waiting.clear();
  }

  send(message) {
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }

  request(method, params) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  receive(message) {
    if (!message || message.jsonrpc !== "2.0") return;
    if (message.method === undefined) {
      const asked = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (!asked) return;
      if (message.error) asked.reject(new Refusal(message.error.message || "The host refused."));
      else asked.resolve(message.result || {});
      return;
    }
    const handle = this.handlers[message.method];
    const answered = handle && handle(message.params || {});
    if (message.id === undefined) return;
    if (handle) this.send({ id: message.id, result: answered || {} });
    else this.send({ id: message.id, error: { code: -32601, message: "Method not found" } });
  }
}

function setContext(context) {
  const root = document.documentElement;
  if (context.theme) root.dataset.theme = context.theme;
  if (context.locale) {
    try {
      root.lang = Intl.getCanonicalLocales(context.locale)[0].startsWith("en") ? context.locale : "en";
    } catch { /* no locale: numbers stay in English */ }
  }
  for (const [name, value] of Object.entries((context.styles && context.styles.variables) || {})) {
    if (name.startsWith("--") && value) root.style.setProperty(name, value);
  }
  const insets = context.safeAreaInsets;
  if (insets) document.body.style.setProperty("padding", `${insets.top}px ${insets.right}px ${insets.bottom}px ${insets.left}px`);
}

function content(result) {
  if (result.structuredContent) return result.structuredContent;
  const texts = (result.content || []).filter((c) => c.type === "text");
  try {
    return JSON.parse(texts[0].text);
  } catch {
    return { success: false, error: { message: "The answer of the tool could not be read." } };
  }
}

// fromHost shows the results that the host gives, each by a call of show.
async function fromHost(page, show, problem) {
  let given = {};
  let answers;
  const sized = new ResizeObserver(() => size());
  const bridge = new Bridge({
    ping: () => ({}),
    "ui/notifications/tool-input": (params) => { given = params.arguments || {}; },
    "ui/notifications/tool-result": (result) => { shown(content(result), result._meta); },
    "ui/notifications/tool-cancelled": (params) => problem(`The call was cancelled${params.reason ? `: ${params.reason}` : ""}.`),
    "ui/notifications/host-context-changed": setContext,
    "ui/resource-teardown": () => {
      sized.disconnect();
      setTimeout(() => bridge.close());
    },
  });
  const early = [];
  const shown = (answer, meta) => {
    if (!answers) early.push([answer, meta]); // a host should wait, and some do not
    else show({ ...answers, meta }, given, answer);
  };
  let last = "";
  const size = () => {
    const width = Math.ceil(window.innerWidth);
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (last === (last = `${width} ${height}`)) return;
    bridge.send({ method: "ui/notifications/size-changed", params: { width, height } });
  };
  const host = await bridge.request("ui/initialize", {
    appInfo: { name: "biofact " + page.tool, version: "1.0.0" }, appCapabilities: {}, protocolVersion: PROTOCOL,
  });
  const has = host.hostCapabilities || {};
  setContext(host.hostContext || {});
  answers = {
    file: false,
    can: () => Boolean(has.serverTools),
    call: (asked) => answers.ask(page.tool, asked),
    ask: async (name, asked) => {
      const result = await bridge.request("tools/call", { name, arguments: asked });
      const answer = content(result);
      if (result.isError || answer.success === false) throw failure(answer);
      return answer;
    },
    read: has.serverResources && (async (uri) => (await bridge.request("resources/read", { uri })).contents[0].text),
    link: (url, text) => {
      if (!has.openLinks || !web.test(url)) return h("span", null, text);
      return h("a", { href: url, onclick: (event) => { event.preventDefault(); bridge.request("ui/open-link", { url }).catch((e) => announce(e.message)); } }, text);
    },
  };
  if (has.downloadFile) saveWith((file) => handOver(bridge, file));
  bridge.send({ method: "ui/notifications/initialized" });
  sized.observe(document.body);
  size();
  for (const [answer, meta] of early) shown(answer, meta);
}

// handOver lets the host write a file.
async function handOver(bridge, { name, type, text, blob }) {
  const bytes = blob && new Uint8Array(await blob.arrayBuffer());
  const content = bytes ? { blob: btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")) } : { text };
  return bridge.request("ui/download-file", { contents: [{ type: "resource", resource: { uri: `file:///${name}`, mimeType: type, ...content } }] });
}

// start shows a page: render gets where answers come from, the arguments of the call, and its answer.
export function start(render) {
  const main = document.getElementById("main");
  const page = JSON.parse(document.getElementById("page").textContent);
  useFlag(page.flag);
  const problem = (text) => {
    main.setAttribute("aria-busy", "false");
    main.replaceChildren(h("h1", null, page.title), h("p", { class: "note" }, text));
  };
  const show = (answers, given, answer) => {
    if (answer.success === false) return problem([page.banner, failure(answer).message].filter(Boolean).join(" "));
    main.setAttribute("aria-busy", "false");
    const ctx = { ...answers, page, given };
    main.replaceChildren(...parts(dated(ctx), render(ctx, answer), origin(ctx)));
    return undefined;
  };
  const calls = document.getElementById("calls");
  if (calls) {
    const held = JSON.parse(calls.textContent);
    saveWith(download);
    show(fromFile(held), held[0].arguments, held[0].answer);
    places(main);
    followPlace();
  } else if (window.parent === window) {
    problem("A host that shows MCP Apps opens this page and gives it an answer. For a file that opens by itself: biofact call " + page.tool + " … --html FILE");
  } else {
    fromHost(page, show, problem).catch((error) => problem(error.message));
  }
}

// The rest of a list, page after page. take gets each answer; it is false where reading ended early.
export async function readOn({ source, first, given, take, state }) {
  let answer = first;
  if (source.file) return readHeld({ source, first, given, take, state });
  try {
    if (!answer) take(answer = await source.call(given));
    while (answer.pagination && answer.pagination.cursor) {
      await new Promise((resolve) => { setTimeout(resolve); }); // what is there is drawn first
      take(answer = await source.call({ ...given, cursor: answer.pagination.cursor }));
    }
  } catch (error) {
    state(error.message);
    return false;
  }
  state("");
  return true;
}

// readHeld is readOn for a file, which holds all pages: they are there at once, also for the printer.
function readHeld({ source, first, given, take, state }) {
  let answer = first || source.now(given);
  if (!first && answer) take(answer);
  while (answer && answer.pagination && answer.pagination.cursor) {
    answer = source.now({ ...given, cursor: answer.pagination.cursor });
    if (answer) take(answer);
  }
  state(answer ? "" : "This file does not hold the rest.");
  return Boolean(answer);
}
