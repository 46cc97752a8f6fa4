import { h, parts, whole, words, note, more, paragraphs, table, column, rowHead, counted, announce, style, entry } from "./dom.js";
import { start, readOn } from "./host.js";
import { groupName, card, folded } from "./measure.js";
import { totals, top, browser } from "./events.js";

// The page of posted results: an overview, and a tab for each section.

const sections = {
  overview: "Overview", outcomes: "Outcomes", adverse_events: "Adverse events", participant_flow: "Participant flow", baseline: "Baseline",
};
const filters = ["outcome", "event", "serious", "min_percent"];

function flowTable(flow, period) {
  const groups = flow.groups || [];
  const started = (period.milestones || []).find((m) => m.type === "STARTED");
  const from = new Map(((started && started.cells) || []).map((c) => [c.group, Number(c.participants)]));
  const cell = (row, g) => {
    const found = (row.cells || []).find((c) => c.group === g.number);
    if (!found) return h("td", null, h("small", null, "not stated"));
    const n = Number(found.participants);
    const part = from.get(g.number) > 0 && Number.isFinite(n) ? (100 * n) / from.get(g.number) : null;
    return h("td", { class: "g" + (((g.number - 1) % 8) + 1) }, found.participants ? h("span", { class: "num" }, found.participants) : null,
      found.units ? h("small", null, ` ${found.units} ${(flow.units || "units").toLowerCase()}`) : null,
      part === null ? null : h("span", { class: "bar", "aria-hidden": "true" }, style(h("i"), { "--part": `${Math.min(100, part)}%` })),
      found.comment ? h("div", { class: "small" }, found.comment) : null);
  };
  const line = (row) => h("tr", null, rowHead(words(row.type || ""), row.comment ? h("div", { class: "small" }, row.comment) : null), groups.map((g) => cell(row, g)));
  const left = period.withdrawals || [];
  const why = left.length ? [h("tr", null, h("th", { scope: "colgroup", colspan: groups.length + 1, class: "small" }, "Reasons for not completing"))] : [];
  const rows = [(period.milestones || []).map(line), why, left.map(line)];
  const name = period.title || "Period";
  return [h("h3", null, name), table(`Participants in ${name}`, [column("Participants"), ...groups.map((g) => column(groupName(groups, g.number)))], rows, { class: "cols" })];
}

function flowOf(flow) {
  if (!flow) return note("The record has no participant flow.");
  return [
    (flow.periods || []).map((p) => flowTable(flow, p)),
    [flow.recruitment, flow.pre_assignment].filter(Boolean).map(paragraphs), groupTexts(flow.groups),
  ];
}

function groupTexts(groups) {
  const described = (groups || []).filter((g) => g.description);
  return described.length ? more("About the groups", described.map((g) => [h("p", null, groupName(groups, g.number)), paragraphs(g.description)])) : null;
}

// dated writes the lines of a table of facts, those that the answer has.
function facts(pairs) {
  const known = pairs.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return known.length ? table("Facts", [column("Fact"), column("Value")], known.map(([name, value]) => h("tr", null, rowHead(name), h("td", null, value)))) : null;
}

function unposted(answer) {
  const u = answer.unposted || {};
  const yes = (b) => (b === undefined ? undefined : b ? "Yes" : "No");
  const steps = { RELEASE: "Submitted", RESET: "Returned for corrections", UNRELEASE: "Withdrawn" };
  return [
    facts([["Status", words(u.status)], ["Primary completion", u.primary_completion_date], ["Submitted", yes(u.submitted)], ["First submitted", u.first_submitted],
      ["Last submitted", u.last_submitted], ["Responsible", u.responsible_party], ["Delay certified", u.delay_certified], ["Waived", yes(u.waived)]]),
    (u.events || []).length ? h("ul", null, u.events.map((e) => h("li", null, steps[e.type] || e.type, " ", e.date || "on an unknown day"))) : null,
  ];
}

function articles(ctx, pmids) {
  if (!pmids) return null;
  return h("p", null, "Publications: ", pmids.map((id, i) => [i ? ", " : "", ctx.link(`https://pubmed.ncbi.nlm.nih.gov/${id}/`, `PMID ${id}`)]));
}

function closing(ctx, answer) {
  const agreement = answer.agreement || {};
  const contact = answer.point_of_contact || {};
  const may = agreement.restrictive === undefined ? null : agreement.restrictive ? "An agreement restricts publication by the investigators." : "No agreement restricts publication by the investigators.";
  const parts = [
    answer.limitations ? [h("h3", null, "Limitations and caveats"), paragraphs(answer.limitations)] : null,
    may || agreement.details ? [h("h3", null, "Publication"), may ? h("p", null, may) : null, agreement.details ? paragraphs(agreement.details) : null] : null,
    contact.name || contact.organization ? [h("h3", null, "Point of contact"), h("p", null, [contact.name, contact.organization, contact.phone, contact.email].filter(Boolean).join(" · "))] : null,
    articles(ctx, answer.pubmed),
  ].filter(Boolean);
  return parts.length ? [h("h2", null, "About the results"), parts] : null;
}

function overview(ctx, answer, open) {
  const index = answer.outcome_index || [];
  const measures = answer.outcome_measures || [];
  return [
    h("h2", null, "Participants"), answer.participant_flow ? flowOf(answer.participant_flow) : note("The record has no participant flow."),
    h("h2", null, "Primary outcomes"), measures.length ? measures.map((m) => card(m)) : note("The overview has no primary outcome."),
    index.length ? [h("h2", null, "Other outcomes"), h("ul", { class: "index" }, index.map((o) => h("li", null,
      o.type ? h("span", { class: "badge" }, words(o.type)) : null, h("button", { type: "button", class: "plain", onclick: () => open("outcomes", o.number) }, `${o.number}. `, o.title || "Without a title"))))] : null,
    h("h2", null, "Adverse events"), answer.adverse_events ? eventHead(answer.adverse_events, top(answer.adverse_events)) : note("The record has no adverse events module. This does not mean that there were no adverse events."),
    closing(ctx, answer),
    index.length || answer.adverse_events ? h("p", { class: "foot" }, index.length ? h("button", { type: "button", onclick: () => open("outcomes") }, "All outcomes") : null,
      answer.adverse_events ? h("button", { type: "button", onclick: () => open("adverse_events") }, "All adverse events") : null) : null,
  ];
}

function eventHead(events, list) {
  return [
    events.time_frame ? h("p", { class: "meta" }, events.time_frame) : null, totals(events), list,
    events.frequency_threshold ? h("p", { class: "meta" }, `Other events at or below ${events.frequency_threshold}% are not listed in the record.`) : null,
    events.description ? paragraphs(events.description) : null, events.mortality_comment ? paragraphs(events.mortality_comment) : null, groupTexts(events.groups),
  ];
}

// reveal opens the outcome that the reader wants to see, once it is there.
function reveal(list, ctx) {
  const box = ctx.wanted && list.querySelector(`details[data-measure="${ctx.wanted}"]`);
  if (!box) return;
  ctx.wanted = undefined;
  box.unfold();
  setTimeout(() => {
    box.querySelector("summary").focus();
    box.scrollIntoView({ block: "start" });
  });
}

// Views of sections: each returns what takes the pages of its section.
const views = {
  outcomes: (ctx) => {
    const list = h("div");
    const all = [];
    const shown = h("p", { class: "meta" });
    const find = (text) => {
      let n = 0;
      for (const box of all) {
        box.hidden = !box.firstChild.textContent.toLowerCase().includes(text.toLowerCase());
        n += box.hidden ? 0 : 1;
      }
      shown.replaceChildren(counted(n), " outcomes shown, ", counted(all.length - n), " hidden");
      announce(`${n} outcomes match`);
    };
    const controls = h("div", { class: "controls" }, entry("Find an outcome", { type: "search", placeholder: "words of its title" }, find),
      h("button", { type: "button", onclick: () => all.forEach((b) => b.hidden || b.unfold()) }, "Open all"),
      h("button", { type: "button", onclick: () => all.forEach((b) => { b.open = false; }) }, "Close all"));
    return {
      element: h("div", null, controls, shown, list),
      take: (answer) => {
        const boxes = (answer.outcome_measures || []).map((m) => folded(m));
        all.push(...boxes);
        list.append(...boxes);
        reveal(list, ctx);
        if (all.length === boxes.length && boxes.length < 4) boxes.forEach((b) => b.unfold());
      },
    };
  },
  adverse_events: () => {
    const element = h("div");
    let events;
    return {
      element,
      take: (answer) => {
        const given = answer.adverse_events;
        if (!given) return;
        if (!events) {
          events = browser(given.groups || []);
          element.append(...parts(eventHead(given)), events.element);
        }
        events.add(given.events || []);
      },
    };
  },
  participant_flow: () => {
    const element = h("div");
    return {
      element,
      take: (answer) => element.append(...parts(flowOf(answer.participant_flow))),
    };
  },
  baseline: () => {
    const element = h("div");
    let groups;
    return {
      element,
      take: (answer) => {
        const given = answer.baseline;
        if (!given) return;
        groups = groups || given.groups || [];
        if (!element.children.length) element.append(...parts(given.population ? paragraphs(given.population) : null, groupTexts(groups)));
        const rest = groups.map((g) => ({ ...g, description: undefined }));
        element.append(...(given.measures || []).map((m) => card({ analyzed_units: given.analyzed_units, ...m }, rest)));
      },
    };
  },
};

// panel fills the panel of a section: with the answer that is at hand, or with one that is read now.
function panel(ctx, section, first) {
  const asked = { nct_id: ctx.id, section, page_size: 500 };
  const given = first ? { ...ctx.given, page_size: 500 } : asked;
  const box = h("div", { "aria-busy": "true" });
  const state = h("div");
  if (!first && !ctx.can(asked)) {
    box.append(ctx.file ? note("This file does not hold this section.")
      : note(`This host does not let the page ask for more. Ask for it in the conversation: ${ctx.page.tool} with section ${section}.`));
    return box;
  }
  if (first && first.csv) {
    box.append(h("pre", { class: "scroll", tabindex: "0", role: "group", "aria-label": "The answer as CSV" }, first.csv));
    return box;
  }
  const view = views[section](ctx);
  const progress = h("p", { class: "meta" });
  let total;
  let read = 0;
  const take = (answer) => {
    view.take(answer);
    const list = answer.outcome_measures || (answer.adverse_events || {}).events || (answer.participant_flow || {}).periods || (answer.baseline || {}).measures || [];
    read += list.length;
    total = answer.pagination && answer.pagination.total_count;
    progress.replaceChildren(...(total === undefined ? [] : [counted(read), ` of ${whole(total)} ${unit(section)}`]));
    for (const text of answer.notices || []) if (!/^The answer was cut to/.test(text)) noteOnce(state, text);
  };
  const filtered = first && filters.some((f) => ctx.given[f] !== undefined && ctx.given[f] !== "" && ctx.given[f] !== 0);
  const rest = () => readOn({ source: ctx, first: undefined, given, take, state: (text) => ended(text) });
  const ended = (text) => {
    box.setAttribute("aria-busy", "false");
    if (!text) return;
    state.append(note(text, " ", total === undefined ? "" : [counted(total - read), ` ${unit(section)} are not shown. `]));
  };
  if (section !== "overview") box.append(h("h2", { class: "hidden" }, sections[section]));
  box.append(progress, view.element, state);
  if (first) {
    take(first);
    const next = first.pagination && first.pagination.cursor;
    if (!next) ended("");
    else if (ctx.can({ ...given, cursor: next })) readOn({ source: ctx, first, given, take, state: ended });
    else ended(`This host does not let the page ask for more. Ask for it in the conversation: ${ctx.page.tool} with the cursor of the answer.`);
  } else rest();
  if (filtered) {
    const all = h("button", { type: "button", onclick: () => box.replaceWith(panel(ctx, section)) }, `Show all ${unit(section)}`);
    box.prepend(h("ul", { class: "chips" }, filters.filter((f) => ctx.given[f] !== undefined).map((f) => h("li", null, h("b", null, `${words(f.toUpperCase())}: `), String(ctx.given[f])))),
      h("p", { class: "foot" }, all));
  }
  return box;
}

function unit(section) {
  return { outcomes: "outcomes", adverse_events: "adverse events", participant_flow: "periods", baseline: "measures" }[section];
}

function noteOnce(box, text) {
  if (![...box.children].some((n) => n.textContent === text)) box.append(note(text));
}

// tabs shows one section at a time. A section is filled when it is opened first.
function tabs(ctx, answer) {
  const panels = {};
  const buttons = {};
  const open = (name, focus) => {
    for (const [other, button] of Object.entries(buttons)) {
      button.setAttribute("aria-selected", other === name);
      button.tabIndex = other === name ? 0 : -1;
      panels[other].hidden = other !== name;
    }
    if (!panels[name].firstChild) {
      panels[name].append(panel(ctx, name, answer.section === name ? answer : undefined));
    }
    if (focus) buttons[name].focus();
  };
  const shown = Object.keys(sections).filter((name) => name !== "overview" || answer.section === "overview" || ctx.can({ nct_id: ctx.id, section: "overview" }));
  const move = (event) => {
    const i = shown.indexOf(event.currentTarget.dataset.section);
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    open(shown[(to + shown.length) % shown.length], true);
  };
  for (const name of shown) {
    buttons[name] = h("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "data-section": name, onclick: () => open(name), onkeydown: move,
    }, sections[name]);
    panels[name] = h("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0" });
  }
  views.overview = () => {
    const element = h("div");
    return { element, take: (a) => element.append(h("div", null, overview(ctx, a, go))) };
  };
  // go opens a section, and an outcome in it.
  const go = (name, outcome) => {
    ctx.wanted = outcome;
    open(name, true);
    reveal(panels[name], ctx);
  };
  open(answer.section || "overview");
  return [h("div", { role: "tablist", "aria-label": "Sections of the results" }, Object.values(buttons)), Object.values(panels)];
}

// flat shows an answer of rows, as a table with the columns that have a value.
function flat(answer) {
  const rows = answer.rows || [];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value) => h("td", null, value === undefined ? "" : Array.isArray(value) ? value.join(" | ") : String(value));
  return [
    (answer.notices || []).map((n) => note(n)),
    rows.length ? table("Rows", names.map((name) => column(name)), rows.map((row) => h("tr", null, names.map((name) => cell(row[name])))))
      : answer.csv ? h("pre", { class: "scroll", tabindex: "0", role: "group", "aria-label": "The answer as CSV" }, answer.csv) : note("No rows."),
  ];
}

// several shows the answer for several trials: an item for each, or rows.
function several(ctx, answer) {
  document.title = "Posted results of several trials";
  const head = h("h1", null, document.title);
  if (!answer.items) return [head, flat(answer)];
  const section = (item) => {
    if (!item.has_results) return unposted(item);
    if (!views[item.section]) return overview(ctx, item, () => {});
    const view = views[item.section](ctx);
    view.take(item);
    return view.element;
  };
  return [head, (answer.notices || []).map((n) => note(n)), answer.items.map((item) => [h("h2", null, item.id, " ", item.brief_title || ""), section(item)])];
}

function render(ctx, answer) {
  if (!answer.id) return several(ctx, answer);
  const nct = (answer.id || "").replace("NCT:", "NCT");
  ctx.id = answer.id;
  document.title = `${nct}: posted results`;
  const head = [
    h("p", { class: "over" }, "Posted results · ", ctx.link(`https://clinicaltrials.gov/study/${nct}?tab=results`, nct)),
    h("h1", null, answer.brief_title || nct),
    answer.results_first_posted ? h("p", { class: "meta" }, `Results first posted ${answer.results_first_posted}`) : null,
  ];
  if (!answer.has_results) return [head, (answer.notices || []).map((n) => note(n)), unposted(answer), articles(ctx, answer.pubmed)];
  if (answer.section in { comparisons: 1, arms: 1 }) return [head, flat(answer)];
  return [head, tabs(ctx, answer)];
}

// Folded outcomes that are on the screen are printed with their values.
window.addEventListener("beforeprint", () => {
  for (const box of document.querySelectorAll('[role="tabpanel"]:not([hidden]) details.card:not([hidden])')) box.unfold();
});

start(render);
