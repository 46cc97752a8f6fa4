import { h, parts, whole, words, note, more, counted, announce, limited, choice, entry } from "./dom.js";
import { notices } from "./notices.js";
import { start, readOn } from "./host.js";
import { bars } from "./bars.js";
import { map } from "./map.js";
import { legend, nearOf, place, spots } from "./spots.js";

// The page of the sites of a trial: a map, and a list of the same sites.

const narrowing = ["near", "within", "country", "state", "city", "facility", "status"];

// full gives each site what a long page says once for all of them.
function full(answer) {
  const { state, country, recruitment_status } = answer.shared || {};
  const shared = Object.fromEntries(Object.entries({ state, country, recruitment_status }).filter(([, value]) => value));
  return (answer.items || []).map((item) => ({ ...shared, ...((answer.teams || []).find((t) => t.team === item.team) || {}), ...item }));
}

function person(p) {
  return [p.name, p.role && p.role !== "CONTACT" ? words(p.role) : "", p.phone, p.email].filter(Boolean).join(" · ");
}

function siteCard(site) {
  const people = [...(site.contacts || []), ...(site.investigators || [])].map(person).filter(Boolean);
  return h("li", null,
    h("h3", null, site.facility_name || "Without a name"),
    h("p", { class: "meta" }, [place(site), site.zip].filter(Boolean).join(" ")),
    h("p", { class: "meta" }, site.recruitment_status ? h("span", { class: "badge" }, words(site.recruitment_status)) : null,
      site.distance_km === undefined ? null : [h("span", { class: "num" }, `${site.distance_km} km`), " away"]),
    people.length ? more("Contacts", people.map((p) => h("p", { class: "small" }, p))) : null);
}

// browser shows sites on a map and in a list, to be filtered. set gives it the sites.
function browser(ctx, label, ring) {
  let all = [];
  const picked = { words: "", country: "", status: "", spot: null };
  const into = h("div");
  const controls = h("div", { class: "controls" });
  const below = legend(ring);
  const chosen = h("p", { class: "foot" });
  const world = map(ctx, label, (spot) => {
    picked.spot = spot;
    draw(false);
  });
  const matches = (site) => (!picked.country || site.country === picked.country) && (!picked.status || (site.recruitment_status || "none") === picked.status)
    && `${site.facility_name || ""} ${place(site)} ${site.zip || ""}`.toLowerCase().includes(picked.words.toLowerCase());
  const draw = (moved) => {
    const found = all.filter(matches);
    const list = picked.spot ? found.filter((site) => picked.spot.sites.has(site)) : found;
    if (moved) world.show(spots(found), ring);
    world.mark(picked.spot);
    below.fill(found);
    chosen.replaceChildren(...parts(picked.spot ? [h("span", null, `Sites in ${picked.spot.name}`), h("button", { type: "button", onclick: () => { picked.spot = null; draw(false); } }, "All places")] : null));
    const items = h("ul", { class: "sites" });
    const foot = limited({ rows: list, draw: siteCard, into: items, step: 30, what: "sites" });
    const hidden = all.length - list.length;
    into.replaceChildren(...parts(hidden ? h("p", { class: "meta" }, counted(list.length), " of ", counted(all.length), " sites match, ", counted(hidden), " do not") : null, items, foot));
    return list.length;
  };
  const change = (name) => (value) => {
    picked[name] = value;
    picked.spot = null;
    announce(`${draw(true)} sites match`);
  };
  const choices = () => {
    const countries = [...new Set(all.map((site) => site.country).filter(Boolean))].sort();
    const statuses = [...new Set(all.map((site) => site.recruitment_status || "none"))];
    controls.replaceChildren(...parts(
      entry("Find a site", { type: "search", placeholder: "facility or city", value: picked.words }, change("words")),
      countries.length > 1 ? choice("Country", [["", "All"], ...countries.map((c) => [c, c])], picked.country, change("country")) : null,
      statuses.length > 1 ? choice("Status", [["", "All"], ...statuses.map((v) => [v, v === "none" ? "Not stated" : words(v)])], picked.status, change("status")) : null));
  };
  return {
    element: h("div", null, world.element, below.list, h("h2", null, "List of sites"), controls, chosen, into),
    set: (sites) => {
      all = sites;
      choices();
      draw(true);
    },
  };
}

function summary(answer, narrowed) {
  const { summary: s } = answer;
  if (!s) return null;
  const countries = s.by_country || [];
  const rows = countries.map((c) => ({ name: c.country, count: c.sites, beside: c.recruiting ? h("small", null, `${whole(c.recruiting)} recruiting`) : null }));
  return [
    h("p", { class: "total" }, whole(s.sites)),
    h("p", { class: "meta" }, `sites ${narrowed ? "match, " : ""}in ${whole(s.countries)} ${s.countries === 1 ? "country" : "countries"}`),
    (s.by_status || []).length ? h("ul", { class: "chips", "aria-label": "Sites by status" }, s.by_status.map((x) => h("li", null, h("b", null, `${words(x.recruitment_status)}: `), whole(x.sites)))) : null,
    rows.length ? more("Sites by country", bars(rows)) : null,
  ];
}

// sizeFor returns how many sites to ask for: longer pages of some sites of a trial leave out the coordinates.
function sizeFor(given) {
  return narrowing.some((name) => given[name]) ? 10 : 100;
}

// asks lets the reader look for sites near a place, where the page may ask for them.
function asks(ctx, given, show) {
  if (ctx.file || !ctx.can({})) return null;
  const state = h("p", { class: "meta" });
  const ask = async (asked) => {
    state.textContent = "Looking …";
    try {
      show(await ctx.call({ ...asked, page_size: sizeFor(asked) }), asked);
    } catch (error) {
      state.replaceChildren(note(error.message));
    }
  };
  const near = entry("Sites near", { placeholder: "city, ZIP code or coordinates", value: given.near || "" });
  const within = entry("within", { placeholder: "50 mi", value: given.within || "" });
  const value = (label) => label.querySelector("input").value.trim();
  const submit = (event) => {
    event.preventDefault();
    const asked = { nct_id: given.nct_id, near: value(near), within: value(within) };
    for (const name of ["near", "within"]) if (!asked[name]) delete asked[name];
    ask(asked);
  };
  const narrowed = narrowing.some((name) => given[name]);
  return h("form", { class: "controls", onsubmit: submit }, near, within, h("button", null, "Find"),
    narrowed ? h("button", { type: "button", onclick: () => ask({ nct_id: given.nct_id }) }, "All sites of the trial") : null, state);
}

function chips(given) {
  const set = narrowing.filter((name) => given[name]);
  return set.length ? h("ul", { class: "chips", "aria-label": "Filters" }, set.map((name) => h("li", null, h("b", null, `${name}: `), [given[name]].flat().join(", ")))) : null;
}

// show returns the page of an answer, and reads the sites that it lacks.
function view(ctx, answer, given, again) {
  const nct = String(given.nct_id || "").replace(/^NCT:?/i, "NCT");
  const narrowed = narrowing.some((name) => given[name]);
  const list = browser(ctx, `Map of the sites of ${nct}`, nearOf(answer, given));
  let sites = [];
  const state = h("div");
  const take = (page) => {
    sites = sites.concat(full(page));
    list.set(sites);
  };
  const total = answer.pagination && answer.pagination.total_count;
  const ended = (text) => {
    if (text) state.append(note(text, " ", total === undefined ? "" : [counted(total - sites.length), " sites are not shown."]));
  };
  take(answer);
  const next = answer.pagination && answer.pagination.cursor;
  if (next && ctx.can({ ...given, cursor: next })) readOn({ source: ctx, first: answer, given: { ...given, page_size: sizeFor(given) }, take, state: ended });
  else if (next) ended(`This host does not let the page ask for more. Ask for it in the conversation: ${ctx.page.tool} with the cursor of the answer.`);
  return [
    h("p", { class: "over" }, "Sites · ", ctx.link(`https://clinicaltrials.gov/study/${nct}`, nct)), h("h1", null, `Sites of ${nct}`),
    chips(given), summary(answer, narrowed), notices(answer), asks(ctx, given, again), state, list.element,
  ];
}

function render(ctx, answer) {
  const box = h("div");
  const show = (found, given) => {
    box.replaceChildren(...parts(view(ctx, found, given, show)));
    document.title = box.querySelector("h1").textContent;
  };
  show(answer, ctx.given);
  const placed = (answer.items || []).some((site) => site.latitude !== undefined);
  if (!ctx.file && !placed && sizeFor(ctx.given) === 10 && ctx.can({})) {
    ctx.call({ ...ctx.given, page_size: 10 }).then((found) => show(found, ctx.given), () => {});
  }
  return [box];
}

start(render);
