// Charts as SVG: lines, steps, bands, boxes, bars; axes linear or logarithmic. No library.

import { h, isNumber, short } from "/dom.js";

const SVG = "http://www.w3.org/2000/svg";

function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function ticks(low, high, most = 5) {
  if (!(high > low)) return [low];
  const raw = (high - low) / most, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((value) => value >= raw * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(Number((k * step).toPrecision(10)));
  return found;
}

function powers(low, high) {
  const found = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) found.push(10 ** e);
  const inside = found.filter((value) => value >= low * 0.999 && value <= high * 1.001);
  if (inside.length >= 3) return inside.filter((_, k) => k % Math.ceil(inside.length / 7) === 0);
  const finer = found.flatMap((value) => [value, 2 * value, 5 * value]).filter((value) => value >= low * 0.999 && value <= high * 1.001);
  return finer.length >= 2 ? finer : ticks(low, high);
}

class Axis {
  constructor(values, log, from, to, whole = false) {
    let low = Infinity, high = -Infinity;
    for (const value of values) if (isNumber(value) && (!log || value > 0)) { low = Math.min(low, value); high = Math.max(high, value); }
    if (low === Infinity) [low, high] = log ? [1, 10] : [0, 1];
    if (log) { if (high < low * 1.01) [low, high] = [low / 2, high * 2]; } else if (high - low < 1e-12 * Math.max(1, Math.abs(high))) [low, high] = [low - 0.5, high + 0.5];
    this.log = log;
    this.ticks = log ? powers(low, high) : ticks(low, high);
    if (!log && whole) {
      const room = 0.04 * (high - low);
      low = low === 0 ? 0 : low - room;
      high += room;
      this.ticks = ticks(low, high);
    }
    const f = log ? Math.log10 : (x) => x;
    [this.low, this.high] = [low, high];
    this.at = (value) => from + ((f(log ? Math.max(value, low) : value) - f(low)) / (f(high) - f(low))) * (to - from);
  }
}

function frame({ width, height = 210, title, xLabel, yLabel, xs, ys, xLog = false, yLog = false, legend = [] }) {
  const places = legendPlaces(legend, width), rows = places.length ? places.at(-1).row + 1 : 0;
  height += Math.max(0, 18 * (rows - 1));
  const top = rows ? 8 + 18 * rows : 10, bottom = height - 38;
  const y = new Axis(ys, yLog, bottom, top, true);
  const left = 16 + 7 * Math.max(3, ...y.ticks.map((tick) => short(tick).length)) + 12, right = width - 12;
  const x = new Axis(xs, xLog, left, right);
  const svg = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  svg.append(s("title", {}, title));
  for (const tick of y.ticks) {
    svg.append(s("line", { class: "grid", x1: left, x2: right, y1: y.at(tick), y2: y.at(tick) }));
    svg.append(s("text", { x: left - 6, y: y.at(tick) + 4, "text-anchor": "end" }, short(tick)));
  }
  let last = -Infinity;
  for (const tick of x.ticks) {
    svg.append(s("line", { class: "axis", x1: x.at(tick), x2: x.at(tick), y1: bottom, y2: bottom + 4 }));
    if (x.at(tick) - last > 34) { svg.append(s("text", { x: x.at(tick), y: bottom + 16, "text-anchor": "middle" }, short(tick))); last = x.at(tick); }
  }
  svg.append(s("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }));
  svg.append(s("text", { x: (left + right) / 2, y: height - 4, "text-anchor": "middle" }, xLabel + (xLog ? " (logarithmic)" : "")));
  if (yLabel) svg.append(s("text", { x: 11, y: (top + bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${(top + bottom) / 2})` }, yLabel));
  for (const { name, k, x: at, row } of places) {
    svg.append(s("rect", { x: at, y: 3 + 18 * row, width: 12, height: 12, rx: 3, class: `f${k % 7}` }), s("text", { x: at + 17, y: 13 + 18 * row, class: "legend" }, name));
  }
  return { svg, x, y, left, right, top, bottom };
}

function legendPlaces(names, width) {
  const places = [];
  let x = 40, row = 0;
  names.forEach((name, k) => {
    const long = 32 + 6.6 * name.length;
    if (x + long > width && x > 40) { x = 40; row += 1; }
    places.push({ name, k, x, row });
    x += long;
  });
  return places;
}

function path(points, x, y, step) {
  let d = "", before = null;
  for (const [px, py] of points) {
    if (!isNumber(px) || !isNumber(py) || (x.log && px <= 0) || (y.log && py <= 0)) { before = null; continue; }
    const [a, b] = [x.at(px).toFixed(1), y.at(py).toFixed(1)];
    d += before === null ? `M${a} ${b}` : step ? `H${a}V${b}` : `L${a} ${b}`;
    before = b;
  }
  return d;
}

// series: [{name, points: [[x, y]], step, dashed, band: [[x, low, high]], dots}]
export function lineChart(options) {
  const { series, ...rest } = options;
  const xs = series.flatMap((one) => [...one.points.map((p) => p[0]), ...(one.band ?? []).map((p) => p[0])]);
  const ys = series.flatMap((one) => [...one.points.map((p) => p[1]), ...(one.band ?? []).flatMap((p) => [p[1], p[2]])]);
  if (options.yFrom !== undefined) ys.push(options.yFrom);
  if (options.yTo !== undefined) ys.push(options.yTo);
  if (options.xTo !== undefined) xs.push(options.xTo);
  const legend = series.length > 1 ? series.map((one) => one.name) : [];
  const { svg, x, y } = frame({ ...rest, xs, ys, legend });
  series.forEach((one, k) => {
    const band = (one.band ?? []).filter(([at, low, high]) => [at, low, high].every(isNumber) && (!x.log || at > 0));
    if (band.length > 1) {
      const there = path(band.map(([at, , high]) => [at, high]), x, y, one.step);
      const back = band.map(([at, low]) => [at, low]).reverse();
      let d = there, before = null;
      for (const [at, low] of back) { const [a, b] = [x.at(at).toFixed(1), y.at(low).toFixed(1)]; d += one.step && before !== null ? `V${b}H${a}` : `L${a} ${b}`; before = b; }
      svg.append(s("path", { class: `band f${k % 7}`, d: `${d}Z` }));
    }
    const points = one.step && options.xTo !== undefined && one.points.length ? [...one.points, [options.xTo, one.points.at(-1)[1]]] : one.points;
    svg.append(s("path", { class: `line s${k % 7}${one.dashed ? " dashed" : ""}${one.thin ? " thin" : ""}`, d: path(points, x, y, one.step) }));
    if (one.dots) for (const [px, py] of one.points) if (isNumber(px) && isNumber(py)) svg.append(s("circle", { class: `f${k % 7}`, cx: x.at(px), cy: y.at(py), r: 3.5 }));
  });
  return svg;
}

// groups: [{name, box: [worst, quarter, median, three quarters, best], scores}]
export function boxChart({ groups, width, title, xLabel }) {
  const height = 50 + 46 * groups.length, left = 12, right = width - 14, bottom = height - 34;
  const x = new Axis(groups.flatMap((group) => group.box), false, left, right, true);
  const svg = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  svg.append(s("title", {}, title));
  for (const tick of x.ticks) {
    svg.append(s("line", { class: "grid", x1: x.at(tick), x2: x.at(tick), y1: 4, y2: bottom }));
    svg.append(s("text", { x: x.at(tick), y: bottom + 15, "text-anchor": "middle" }, short(tick)));
  }
  svg.append(s("text", { x: (left + right) / 2, y: height - 4, "text-anchor": "middle" }, xLabel));
  groups.forEach((group, k) => {
    const y = 28 + 46 * k, [a, b, c, d, e] = group.box.map((value) => x.at(value)), [low, high] = [Math.min(b, d), Math.max(b, d)];
    svg.append(s("text", { x: left, y: y - 13, class: "legend" }, group.name));
    svg.append(s("line", { class: `s${k % 7}`, x1: Math.min(a, e), x2: Math.max(a, e), y1: y, y2: y }));
    svg.append(s("rect", { class: `box f${k % 7} s${k % 7}`, x: low, y: y - 8, width: Math.max(1, high - low), height: 16, rx: 2 }));
    svg.append(s("line", { class: `line s${k % 7}`, x1: c, x2: c, y1: y - 9, y2: y + 9 }));
    for (const score of group.scores.slice(0, 200)) svg.append(s("circle", { class: `dot f${k % 7}`, cx: x.at(score), cy: y, r: 2 }));
  });
  return svg;
}

// rows: [{name, values: [..]}]; one bar for each value, side by side
export function barChart({ rows, names, width, title }) {
  const height = 34 + 34 * rows.length, left = 70, right = width - 60;
  const most = Math.max(1, ...rows.flatMap((row) => row.values));
  const svg = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  svg.append(s("title", {}, title));
  let place = left;
  names.forEach((name, k) => {
    svg.append(s("rect", { x: place, y: 5, width: 12, height: 12, rx: 3, class: `f${k}` }), s("text", { x: place + 17, y: 15, class: "legend" }, name));
    place += 36 + 6.6 * name.length;
  });
  rows.forEach((row, i) => {
    const y = 28 + 34 * i;
    svg.append(s("text", { x: left - 8, y: y + 16, "text-anchor": "end" }, row.name));
    row.values.forEach((value, k) => {
      const long = ((right - left) * value) / most;
      svg.append(s("rect", { class: `f${k}`, x: left, y: y + 13 * k, width: Math.max(0.5, long), height: 11, rx: 2 }));
      svg.append(s("text", { x: left + long + 5, y: y + 13 * k + 9.5 }, short(value)));
    });
  });
  return svg;
}

// A place for a chart that is drawn again when its width changes or there is news.
export class Figure {
  constructor(title, draw, note = "") {
    this.draw = draw;
    this.place = h("div");
    this.element = h("section", { class: "card" }, h("h2", {}, title), this.place, note ? h("p", { class: "dim" }, note) : null);
    this.seen = 0;
    this.observer = new ResizeObserver(() => { if (Math.abs(this.place.clientWidth - this.seen) > 8) this.update(); });
    this.observer.observe(this.place);
  }

  update() {
    this.element.hidden = false;
    const width = this.place.clientWidth;
    if (!width) return;
    this.seen = width;
    const drawn = this.draw(Math.max(260, width));
    this.element.hidden = drawn === null;
    this.place.replaceChildren(...(drawn === null ? [] : [drawn].flat()));
  }

  close() { this.observer.disconnect(); }
}
