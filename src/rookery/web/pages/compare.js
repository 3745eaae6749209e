// Several runs side by side: medians with bands, boxes, and pairs by Mann-Whitney.

import { call, complaint, get, h, number } from "/dom.js";
import { boxChart, Figure, lineChart } from "/charts.js";

export async function compareView(place, query) {
  const files = query.getAll("file"), by = query.get("by") ?? "playouts";
  place.append(h("h1", {}, "Compare"));
  if (!files.length) {
    const rows = (await get("/api/runs")).filter((row) => ["journal", "result", "experiment"].includes(row.kind)).slice(0, 500);
    const boxes = rows.map((row) => h("label", {}, h("input", { type: "checkbox", value: row.file }), `${row.file} `, h("span", { class: "dim" }, row.problem ? `${call(row.problem, row.parameters)} ${row.search?.algorithm ?? ""}` : row.kind)));
    const go = h("button", { class: "main", onclick: () => {
      const chosen = [...place.querySelectorAll("input:checked")].map((box) => ["file", box.value]);
      if (chosen.length) location.hash = `/compare?${new URLSearchParams(chosen)}`;
    } }, "Compare");
    place.append(rows.length ? h("fieldset", { class: "card" }, h("legend", {}, "Runs to compare: those of the same problem and search are put together"), boxes.map((box) => h("div", {}, box)), go) : h("p", { class: "dim" }, "There are no runs in the folder yet."));
    return () => {};
  }
  const axis = h("select", { "aria-label": "Over", onchange: () => { location.hash = `/compare?${new URLSearchParams([...files.map((file) => ["file", file]), ["by", axis.value]])}`; } },
    [["playouts", "over playouts"], ["time", "over time"]].map(([value, text]) => h("option", { value, selected: value === by }, text)));
  place.append(h("div", { class: "row" }, axis, h("a", { href: "#/compare" }, "choose others")));
  let found;
  try { found = await get("/api/compare", { file: files, by }); } catch (error) { place.append(complaint(error)); return () => {}; }
  const charts = [];
  for (const { problem, sense, searches, pairs } of found.problems) {
    const unit = by === "time" ? "seconds" : "playouts";
    const lines = new Figure("Medians, and the middle half of the runs", (width) => lineChart({
      width, height: 300, title: `median best score over ${unit}`, xLabel: unit, yLabel: "score", xLog: true,
      series: searches.map((one) => ({ name: one.name, step: true, points: one.timeline.map((row) => [row[0], row[2]]), band: one.timeline.map((row) => [row[0], row[1], row[3]]) })),
    }));
    lines.element.classList.add("wide");
    const boxes = new Figure("Scores at the end", (width) => boxChart({ width, groups: searches, title: "scores at the end: worst, quarters, best", xLabel: `score, ${sense === "min" ? "less" : "more"} is better` }));
    charts.push(lines, boxes);
    place.append(h("h2", {}, problem), h("div", { class: "cards" }, lines.element, boxes.element, table(searches), tested(pairs)));
    lines.update();
    boxes.update();
  }
  return () => { for (const chart of charts) chart.close(); };
}

function table(searches) {
  return h("section", { class: "card" }, h("h2", {}, "Runs"), h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "search"), ["runs", "worst", "median", "best"].map((name) => h("th", { class: "number", scope: "col" }, name)))),
    h("tbody", {}, searches.map((one) => h("tr", {}, h("td", {}, one.name), [one.runs, one.box[0], one.box[2], one.box[4]].map((value) => h("td", { class: "number" }, number(value)))))))));
}

function tested(pairs) {
  const title = h("h2", {}, "Pairs (Mann-Whitney U, two-sided)");
  if (typeof pairs === "string") return h("section", { class: "card" }, title, h("p", { class: "dim" }, pairs));
  if (!pairs.length) return h("section", { class: "card" }, title, h("p", { class: "dim" }, "One search alone has nothing to be compared with."));
  return h("section", { class: "card", id: "pairs" }, title, h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "pair"), ["U", "effect", "p", "p (Holm)"].map((name) => h("th", { class: "number", scope: "col" }, name)))),
    h("tbody", {}, pairs.map((one) => h("tr", {}, h("td", {}, `${one.a} against ${one.b}`), [one.u, one.effect, one.p, one.p_holm].map((value) => h("td", { class: "number" }, number(value, 3)))))))));
}
