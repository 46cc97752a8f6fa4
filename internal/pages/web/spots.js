import { h, parts, counted } from "./dom.js";

// What maps of sites share: places on the map, the circle that was asked for, and the words below it.

export const place = (site) => [site.city, site.state, site.country].filter(Boolean).join(", ");

// spots puts sites of the same coordinates together: the registry has those of the city.
export function spots(sites) {
  const found = new Map();
  const stated = sites.some((site) => site.recruitment_status);
  for (const site of sites) {
    if (site.latitude === undefined || site.longitude === undefined) continue;
    const key = `${site.latitude},${site.longitude}`;
    const spot = found.get(key) || { latitude: site.latitude, longitude: site.longitude, name: place(site), size: 0, kind: "off", sites: new Set() };
    spot.size += 1;
    spot.sites.add(site);
    if (site.recruitment_status === "RECRUITING" || !stated) spot.kind = "";
    found.set(key, spot);
  }
  return [...found.values()];
}

// nearOf returns the place and the distance that were asked for, where the answer says where the place is.
export function nearOf(answer, given) {
  const said = (answer.notices || []).join(" ");
  const [, latitude, longitude] = `${said} (${given.near})`.match(/\((-?\d+(?:\.\d+)?), ?(-?\d+(?:\.\d+)?)\)/) || []; // also given as coordinates
  const [, size, unit] = `within ${given.within || ""}; ${said}`.match(/within (\d+(?:\.\d+)?)\s*(mi|km)/i) || [];
  if (!given.near || latitude === undefined || size === undefined) return null;
  return { latitude: Number(latitude), longitude: Number(longitude), km: Number(size) * (/mi/i.test(unit) ? 1.609344 : 1), text: `${size} ${unit} around ${given.near}` };
}

// legend says what the marks of a map mean: a list to be filled with the sites that are shown.
export function legend(ring) {
  const list = h("ul", { class: "legend" });
  const fill = (sites) => {
    const without = sites.filter((site) => site.latitude === undefined).length;
    list.replaceChildren(...parts(
      sites.some((site) => site.recruitment_status) ? [h("li", null, h("span", { class: "swatch g1" }), "a site recruits"), h("li", null, h("span", { class: "swatch g8" }), "no site is stated to recruit")] : null,
      sites.length > without ? h("li", null, "one dot for each city, larger with more sites") : null, ring ? h("li", null, `circle: ${ring.text}`) : null,
      without ? h("li", null, counted(without), " sites have no coordinates and are not on the map") : null));
  };
  return { list, fill };
}
