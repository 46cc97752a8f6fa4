// Writes internal/pages/world.bin.gz from countries-50m.json of the npm package world-atlas 2.0.2, which holds Natural Earth's 1:50m
// countries (public domain):
//
//   npm install world-atlas@2.0.2 && node e2e/pages/world.mjs node_modules/world-atlas/countries-50m.json > internal/pages/world.bin.gz
//
// The file has the number of lines, then each line: its number of points, and their coordinates in hundredths of a degree, each point as
// the difference from the one before. After the lines it has the number of rings of land, then each ring: its number of lines, and their
// indexes, ~i for line i in reverse. All numbers are variable-length integers of Go. Antarctica is left out.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const { transform, arcs, objects } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const hundredths = (x, i) => Math.round((x * transform.scale[i] + transform.translate[i]) * 100);
const lines = arcs.map((arc) => {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => [hundredths((x += dx), 0), hundredths((y += dy), 1)])
    .filter(([px, py], i, all) => i === 0 || i === all.length - 1 || px !== all[i - 1][0] || py !== all[i - 1][1]);
});
const polygons = (g) => (g.type === "GeometryCollection" ? g.geometries.flatMap(polygons) : g.type === "Polygon" ? [g.arcs] : g.arcs);
const ringsOf = (g) => polygons(g).flat();
const indexOf = (i) => (i < 0 ? ~i : i);
const north = (ring) => !ring.every((i) => lines[indexOf(i)].every(([, y]) => y < -6000));
const rings = ringsOf(objects.land).filter(north);
const used = [...new Set(ringsOf(objects.countries).filter(north).flat().map(indexOf))];
const renamed = new Map(used.map((old, i) => [old, i]));

const bytes = [];
const write = (n) => {
  let left = n < 0 ? -2 * n - 1 : 2 * n;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  bytes.push(left);
};
write(used.length);
for (const points of used.map((i) => lines[i])) {
  write(points.length);
  points.forEach(([x, y], i) => { write(i ? x - points[i - 1][0] : x); write(i ? y - points[i - 1][1] : y); });
}
write(rings.length);
for (const ring of rings) {
  write(ring.length);
  ring.forEach((i) => write(i < 0 ? ~renamed.get(~i) : renamed.get(i)));
}
process.stdout.write(gzipSync(Buffer.from(bytes), { level: 9 }));
