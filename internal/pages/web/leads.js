import { h, parts, note, words } from "./dom.js";
import { command } from "./origin.js";

// From a bar or a cell to its trials: a list where the host lets the page ask, else the command that lists them.

const filterOf = {
  phase: "phase", status: "status", country: "country", study_type: "study_type", start_year: "start_date", first_posted_year: "first_posted", completion_year: "completion_date",
};

function row(ctx, item) {
  const nct = item.id.replace(":", "");
  return h("li", null, ctx.link(`https://clinicaltrials.gov/study/${nct}`, nct), ` ${item.title || ""}`);
}

// leads returns an element for the trials of a group, and a function that makes a name lead to them.
export function leads(ctx, given) {
  const into = h("div", { "aria-live": "polite" });
  const asked = (pairs) => {
    const filters = Object.fromEntries(Object.entries(given).filter(([name]) => !["by", "then_by", "top"].includes(name)));
    for (const [by, value] of pairs) {
      const name = filterOf[by];
      if (!name || filters[name] !== undefined) return null;
      filters[name] = value;
    }
    return filters;
  };
  const show = (filters, name) => async () => {
    const line = h("p", null, "They are listed by ", h("code", null, command({ tool: "search_trials" }, filters)));
    into.replaceChildren(h("h3", null, `Trials: ${name}`), line);
    if (ctx.file || !ctx.can({})) return;
    try {
      const answer = await ctx.ask("search_trials", { ...filters, page_size: 20 });
      line.replaceWith(h("ul", null, parts((answer.items || []).map((item) => row(ctx, item)))), line);
    } catch (error) {
      into.append(note(error.message));
    }
  };
  return {
    element: into,
    // name returns a text that leads to the trials of its group, or the text alone where no filter selects exactly them.
    name: (text, ...pairs) => {
      const filters = asked(pairs);
      return filters ? h("button", { type: "button", class: "plain lead", title: "Show its trials", onclick: show(filters, pairs.map(([by, value]) => `${words(by.toUpperCase())} ${words(value)}`).join(", ")) }, text) : text;
    },
  };
}
