import { h, s, announce } from "./dom.js";
import { take } from "./take.js";

// A map of places, in Mercator's projection, with nothing fetched from anywhere.

function project(longitude, latitude) {
  const bound = Math.max(-84, Math.min(84, latitude));
  return [longitude, (-180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (bound * Math.PI) / 360))];
}

// linesOf returns the lines of the outlines, as points in hundredths of a degree.
function linesOf(texts) {
  return texts.map((text) => {
    let [x, y] = [0, 0];
    return text.split(" ").map((step) => {
      const [dx, dy] = step.split(",").map(Number);
      return [(x += dx), (y += dy)];
    });
  });
}

const at = ([x, y]) => project(x / 100, y / 100).map((n) => n.toFixed(3)).join(" ");

// path writes points as a path. One that crosses an edge of the world goes on beyond it, and stands
// at the other edge as well. shifts are the turns by which each path stands on the map.
function path(points, end, shifts) {
  let shift = 0;
  const straight = points.map(([x, y], i) => {
    if (i > 0 && Math.abs(x - points[i - 1][0]) > 18000) shift += x < points[i - 1][0] ? 36000 : -36000;
    return [x + shift, y];
  });
  const xs = straight.map(([x]) => x);
  const all = new Set(shifts.flatMap((turn) => [turn, ...(Math.max(...xs) > 18000 ? [turn - 1] : []), ...(Math.min(...xs) < -18000 ? [turn + 1] : [])]));
  return [...all].map((turn) => straight.map(([x, y], i) => (i ? "L" : "M") + at([x + turn * 36000, y])).join("") + end).join("");
}

// outlines returns the paths of land and of borders, for a map whose western edge is a longitude.
function outlines({ lines, land }, west) {
  const shifts = west === -180 ? [0] : [0, west < -180 ? -1 : 1];
  const all = linesOf(lines);
  const ring = (indexes) => path(indexes.flatMap((i) => (i < 0 ? [...all[~i]].reverse() : all[i])), "Z", shifts);
  return [land.map(ring).join(""), all.map((points) => path(points, "", shifts)).join("")];
}

// edge returns the longitude of the western edge of a map: -180, but beside a circle or places to
// which the shorter way leads over the date line.
function edge(places, near) {
  if (near) return pointsOn(near).some(([x]) => Math.abs(x) > 180) ? near.longitude - 180 : -180;
  const xs = places.map((place) => place.longitude).sort((a, b) => a - b);
  const gap = xs.findIndex((x, i) => x - xs[i - 1] > 180);
  return gap < 0 ? -180 : (xs[gap] + xs[gap - 1]) / 2;
}

const world = { x: -170, y: -105, w: 350, h: 180 };

// map draws places {latitude, longitude, name, size, kind}. pick gets the place that is chosen. In a host, ctx reads finer outlines.
export function map(ctx, label, pick) {
  const dots = s("g");
  const names = s("g", { class: "names", "aria-hidden": "true" });
  const ring = s("path", { class: "ring" });
  const ground = [s("path", { class: "land" }), s("path", { class: "borders" })];
  let west = -180;
  let ways = document.getElementById("outlines").textContent;
  const lay = () => outlines(JSON.parse(ways), west).forEach((d, i) => ground[i].setAttribute("d", d));
  lay();
  const svg = s("svg", { preserveAspectRatio: "xMidYMid meet", role: "img", "aria-label": label }, ground, ring, dots, names);
  let view = { ...world };
  let places = [];
  let fitted = world;
  let finer = null;
  const unit = () => Math.max(view.w / (svg.clientWidth || 800), view.h / (svg.clientHeight || 420));
  const size = () => {
    for (const p of places) p.dot.setAttribute("r", p.radius * unit());
    names.replaceChildren(...labels(places, view, unit()));
  };
  const look = (to) => {
    const w = Math.max(0.6, Math.min(world.w, to.w));
    view = { w, h: w * (to.h / to.w), x: to.x + (to.w - w) / 2, y: to.y + (to.h - w * (to.h / to.w)) / 2 };
    view.x = Math.max(west - 5, Math.min(west + 365 - view.w, view.x));
    view.y = Math.max(-150, Math.min(120 - view.h, view.y));
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
    size();
  };
  const zoom = (by) => look({ x: view.x + (view.w * (1 - by)) / 2, y: view.y + (view.h * (1 - by)) / 2, w: view.w * by, h: view.h * by });
  const move = (dx, dy) => look({ ...view, x: view.x + dx * view.w, y: view.y + dy * view.h });
  const fit = () => look(fitted);
  const all = () => look(around(places));
  const keys = {
    "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6), 0: all,
    ArrowLeft: () => move(-0.15, 0), ArrowRight: () => move(0.15, 0), ArrowUp: () => move(0, -0.15), ArrowDown: () => move(0, 0.15),
  };
  const button = (text, name, act) => h("button", { type: "button", "aria-label": name, title: name, onclick: act }, text);
  const box = h("div", {
    class: "map", role: "group", tabindex: "0", "aria-label": "Map. Arrow keys move it, plus and minus zoom, zero shows all sites. The list below has the same sites.",
    onkeydown: (event) => {
      if (event.target !== box || !keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    },
  }, svg, h("div", { class: "tools" }, button("+", "Zoom in", () => zoom(0.6)), button("−", "Zoom out", () => zoom(1 / 0.6)), button("All", "Show all sites", all)));
  drag(svg, move, zoom);
  new ResizeObserver(size).observe(svg);

  const show = (list, near) => {
    const laid = west;
    west = edge(list, near);
    if (west !== laid) lay();
    places = list.map((place) => {
      const [x, y] = project(place.longitude - 360 * (Math.ceil((place.longitude - west) / 360) - 1), place.latitude);
      const dot = s("circle", { cx: x, cy: y, class: `site ${place.kind}`, onclick: () => { pick(place); announce(place.name); } }, s("title", null, place.name));
      return { x, y, dot, radius: 3.5 + Math.min(7, 1.4 * Math.sqrt(place.size)), place };
    });
    dots.replaceChildren(...[...places].sort((a, b) => b.radius - a.radius).map((p) => p.dot));
    box.hidden = !places.length;
    ring.setAttribute("d", near ? `M${pointsOn(near).map((point) => point.map((n) => n.toFixed(3)).join(" ")).join("L")}` : "");
    fitted = near ? around([], near) : around(places);
    fit();
    if (fitted.w < 60 && ctx.read && !finer) finer = ctx.read("ui://biofact/outlines.json").then((text) => { ways = text; lay(); }, () => {}); // coarse ones stay
  };
  const mark = (place) => {
    for (const p of places) p.dot.classList.toggle("on", p.place === place);
  };
  return { element: h("div", null, box, take("map", { picture: svg })), show, mark };
}

// labels names the places with the most sites, as far as their names do not cover each other.
function labels(places, view, unit) {
  const taken = [];
  const [line, letter] = [13 * unit, 6.8 * unit];
  const seen = places.filter((p) => p.x > view.x && p.x < view.x + view.w && p.y > view.y && p.y < view.y + view.h).sort((a, b) => b.place.size - a.place.size);
  const out = [];
  for (const p of seen.slice(0, 200)) {
    const name = p.place.name.split(",")[0];
    const box = [p.x + (p.radius + 2) * unit, p.y - line / 2, p.x + (p.radius + 2) * unit + name.length * letter, p.y + line / 2];
    if (!name || box[2] > view.x + view.w || taken.some((t) => t[0] < box[2] && box[0] < t[2] && t[1] < box[3] && box[1] < t[3])) continue;
    taken.push(box);
    out.push(s("text", { x: box[0], y: p.y + line * 0.3, "font-size": 11.5 * unit, "stroke-width": 3 * unit }, name));
    if (out.length === 30) break;
  }
  return out;
}

// pointsOn returns the points of all places around a place at a distance.
function pointsOn({ latitude, longitude, km }) {
  const [angle, rad] = [km / 6371.0088, Math.PI / 180];
  return Array.from({ length: 73 }, (_, i) => {
    const turn = i * 5 * rad;
    const y = Math.asin(Math.sin(latitude * rad) * Math.cos(angle) + Math.cos(latitude * rad) * Math.sin(angle) * Math.cos(turn));
    const x = longitude * rad + Math.atan2(Math.sin(turn) * Math.sin(angle) * Math.cos(latitude * rad), Math.cos(angle) - Math.sin(latitude * rad) * Math.sin(y));
    return project(x / rad, y / rad);
  });
}

// around returns the part of the world that has all places, and the circle.
function around(places, near) {
  const all = [...places.map((p) => [p.x, p.y]), ...(near ? pointsOn(near) : [])];
  if (!all.length) return world;
  const xs = all.map(([x]) => x);
  const ys = all.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const w = Math.max(right - left, near ? 0 : 4) * 1.16;
  const hgt = Math.max(bottom - top, near ? 0 : 2) * 1.16;
  return { x: (left + right - w) / 2, y: (top + bottom - hgt) / 2, w, h: hgt };
}

// drag moves the map with the pointer, and zooms it with the wheel and Ctrl.
function drag(svg, move, zoom) {
  let from = null;
  svg.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
  svg.addEventListener("pointermove", (event) => {
    if (!from || !(event.buttons & 1)) return;
    const { width, height } = svg.getBoundingClientRect();
    move((from[0] - event.clientX) / width, (from[1] - event.clientY) / height);
    from = [event.clientX, event.clientY];
  });
  svg.addEventListener("pointerup", () => { from = null; });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8);
  }, { passive: false });
}
