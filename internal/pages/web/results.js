import { h, parts, whole, words, note, counted, announce, entry } from "./dom.js";
import { start, readOn } from "./host.js";
import { beforePrint } from "./print.js";
import { opens } from "./place.js";
import { notices } from "./notices.js";
import { card, folded } from "./measure.js";
import { totals, top, browser } from "./events.js";
import { flowOf, groupTexts } from "./flow.js";
import { flat } from "./flat.js";
import { forest } from "./forest.js";
import { unposted, articles, closing } from "./closing.js";

// The page of posted results: an overview, and a tab for each section.

const sections = {
  overview: "Overview", outcomes: "Outcomes", adverse_events: "Adverse events", participant_flow: "Participant flow", baseline: "Baseline", comparisons: "Comparisons",
};
const filters = ["outcome", "event", "serious", "min_percent"];

// held returns all answers of a section that a file holds.
function held(ctx, section) {
  const all = [];
  if (ctx.file) readOn({ source: ctx, given: { section, page_size: 500 }, take: (a) => all.push(a), state: () => {} });
  return all;
}

// primary shows the primary outcomes: the first of them, and the others folded.
function primary(ctx, answer) {
  const found = held(ctx, "outcomes").flatMap((a) => a.outcome_measures || []).filter((m) => m.type === "PRIMARY");
  const measures = found.length ? found : answer.outcome_measures || [];
  return measures.length ? measures.map((m, i) => (i < 3 ? card(m) : folded(m))) : note("The overview has no primary outcome.");
}

function overview(ctx, answer, open) {
  const index = answer.outcome_index || [];
  const [whole] = held(ctx, "participant_flow");
  const again = ctx.file && answer.section === "overview" ? "repeated" : null; // the other sections print it
  return [
    h("div", { class: again }, h("h2", null, "Participants"), flowOf((whole && whole.participant_flow) || answer.participant_flow),
      ctx.file ? null : h("p", { class: "foot" }, h("button", { type: "button", onclick: () => open("participant_flow") }, "Why participants left")),
      h("h2", null, "Primary outcomes"), primary(ctx, answer),
      index.length ? [h("h2", null, "Other outcomes"), h("ul", { class: "index" }, index.map((o) => h("li", null,
        o.type ? h("span", { class: "badge" }, words(o.type)) : null, h("button", { type: "button", class: "plain", onclick: () => open("outcomes", o.number) }, `${o.number}. `, o.title || "Without a title"))))] : null,
      h("h2", null, "Adverse events"), answer.adverse_events ? eventHead(answer.adverse_events, top(answer.adverse_events)) : note("The record has no adverse events module. This does not mean that there were no adverse events.")),
    closing(ctx, answer),
    index.length || answer.adverse_events ? h("p", { class: "foot" }, index.length ? h("button", { type: "button", onclick: () => open("outcomes") }, "All outcomes") : null,
      answer.adverse_events ? h("button", { type: "button", onclick: () => open("adverse_events") }, "All adverse events") : null) : null,
  ];
}

function eventHead(events, list) {
  return [
    events.time_frame ? h("p", { class: "meta" }, h("b", null, "Time frame: "), events.time_frame) : null, totals(events), list,
    events.frequency_threshold ? h("p", { class: "meta" }, `Other events at or below ${events.frequency_threshold}% are not listed in the record.`) : null,
    events.description ? paragraphs(events.description) : null, events.mortality_comment ? paragraphs(events.mortality_comment) : null, groupTexts(events.groups),
  ];
}

// reveal opens the outcome that the reader wants to see, once it is there.
function reveal(list, ctx) {
  const box = /^\d+$/.test(ctx.wanted) && list.querySelector(`details[data-measure="${ctx.wanted}"]`);
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
      drawn: () => events && events.draw(),
    };
  },
  comparisons: forest,
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
  const answers = [];
  const take = (answer) => {
    view.take(answer);
    const list = answer.outcome_measures || (answer.adverse_events || {}).events || (answer.participant_flow || {}).periods || (answer.baseline || {}).measures || answer.rows || [];
    read += list.length;
    total = answer.pagination && answer.pagination.total_count;
    progress.replaceChildren(...(total === undefined ? [] : [counted(read), ` of ${whole(total)} ${unit(section)}`]));
    if (!ctx.file && view.drawn) view.drawn();
    answers.push(answer);
    state.replaceChildren(...notices(...answers));
  };
  const filtered = first && filters.some((f) => ctx.given[f] !== undefined && ctx.given[f] !== "" && ctx.given[f] !== 0);
  const rest = () => readOn({ source: ctx, first: undefined, given, take, state: (text) => ended(text) });
  const ended = (text) => {
    box.setAttribute("aria-busy", "false");
    if (ctx.file && view.drawn) view.drawn();
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
  return { outcomes: "outcomes", adverse_events: "adverse events", participant_flow: "periods", baseline: "measures", comparisons: "comparisons" }[section];
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
  opens((place) => {
    const [name, outcome] = place.split("/");
    if (panels[name]) go(name, outcome);
  });
  const list = h("div", { role: "tablist", "aria-label": "Sections of the results" }, Object.values(buttons));
  const fill = (name) => { if (!panels[name].firstChild) panels[name].append(panel(ctx, name)); };
  beforePrint(list, () => shown.filter((name) => ctx.can({ nct_id: ctx.id, section: name })).forEach((name) => { if (ctx.file) fill(name); }));
  return [list, Object.values(panels)];
}

// several shows the answer for several trials: an item for each, or rows.
function several(ctx, answer) {
  document.title = "Posted results of several trials";
  const head = h("h1", null, document.title);
  if (answer.rows && answer.section === "comparisons") {
    const view = forest(ctx);
    const state = h("div");
    view.take(answer);
    view.drawn();
    const next = answer.pagination && answer.pagination.cursor;
    if (next && ctx.can({ ...ctx.given, cursor: next })) readOn({ source: ctx, first: answer, given: ctx.given, take: view.take, state: (text) => { view.drawn(); if (text) state.append(note(text)); } });
    else if (next) state.append(note("More comparisons are not shown here: ask for the next page in the conversation."));
    return [head, notices(answer), state, h("h2", null, "Comparisons"), view.element];
  }
  if (!answer.items) return [head, notices(answer), flat(answer)];
  const section = (item) => {
    if (!item.has_results) return unposted(item);
    if (!views[item.section]) return overview(ctx, item, () => {});
    const view = views[item.section](ctx);
    view.take(item);
    return view.element;
  };
  return [head, notices(answer), answer.items.map((item) => [h("h2", null, item.id, " ", item.brief_title || ""), section(item)])];
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
  if (!answer.has_results) return [head, notices(answer), unposted(answer), articles(ctx, answer.pubmed)];
  if (answer.section === "arms") return [head, notices(answer), flat(answer)];
  return [head, tabs(ctx, answer)];
}

start(render);
