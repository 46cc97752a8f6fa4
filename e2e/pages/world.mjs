// Writes internal/pages/web/world.js from countries-110m.json of the npm package
// world-atlas 2.0.2, which holds Natural Earth's 1:110m countries (public domain):
//
//   npm install world-atlas@2.0.2 && node e2e/pages/world.mjs node_modules/world-atlas/countries-110m.json > internal/pages/web/world.js
//
// Coordinates are rounded to tenths of a degree. Antarctica is left out.
import { readFileSync } from "node:fs";

const { transform, arcs, objects } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const tenths = (x, i) => Math.round((x * transform.scale[i] + transform.translate[i]) * 10);

const decoded = arcs.map((arc) => {
  let x = 0;
  let y = 0;
  const points = arc.map(([dx, dy]) => [tenths((x += dx), 0), tenths((y += dy), 1)]);
  return points.filter(([px, py], i) => i === 0 || i === points.length - 1 || px !== points[i - 1][0] || py !== points[i - 1][1]);
});
const polygons = (g) => (g.type === "GeometryCollection" ? g.geometries.flatMap(polygons) : g.type === "Polygon" ? [g.arcs] : g.arcs);
const south = (ring) => ring.every((i) => decoded[i < 0 ? ~i : i].every(([, y]) => y < -600));
const land = polygons(objects.land).flat().filter((ring) => !south(ring));
const used = new Set(polygons(objects.countries).flat(2).map((i) => (i < 0 ? ~i : i)));
const delta = (points) => points.map(([x, y], i) => (i ? `${x - points[i - 1][0]},${y - points[i - 1][1]}` : `${x},${y}`)).join(" ");

const kept = decoded.map((points, i) => (used.has(i) && !points.every(([, y]) => y < -600) ? delta(points) : ""));
process.stdout.write(`// Outlines of countries: Natural Earth 1:110m (public domain), from world-atlas 2.0.2 (ISC).
// Written by e2e/pages/world.mjs. ARCS are lines in tenths of a degree; each point is the difference
// from the point before it. LAND has rings of lines; ~i is the line i in reverse.

export const ARCS = ${JSON.stringify(kept.join(";"))}.split(";");

export const LAND = ${JSON.stringify(land)};
`);
