// What a cluster would give: the runs of a simulation, by their number of workers.

import { call, card, complaint, get, h, number } from "/dom.js";
import { Figure, lineChart } from "/charts.js";

export async function clusterView(place, query) {
  const file = query.get("file");
  place.append(h("h1", {}, "Cluster"));
  if (!file) {
    const rows = (await get("/api/runs")).filter((row) => row.kind === "simulation");
    place.append(rows.length ? h("ul", {}, rows.map((row) => h("li", {}, h("a", { href: `#/cluster?${new URLSearchParams({ file: row.file })}` }, row.file), ` ${call(row.problem, row.parameters)}`)))
      : h("p", { class: "dim" }, "No simulation in the folder yet: rookery simulate PROBLEM --log cluster.jsonl writes one."));
    return () => {};
  }
  let rows = [], course = [], head = {};
  const title = h("p", { class: "dim" }), table = h("tbody");
  const overall = new Figure("Speed-up over workers", (width) => {
    if (!rows.length) return null;
    const sizes = [...new Set(rows.map((row) => row.workers))].sort((a, b) => a - b);
    const bounds = new Map(rows.map((row) => [row.workers, row.oracle_speedup]));
    const rules = [...new Set(rows.map((row) => row.select))];
    const series = [
      ...rules.map((rule) => ({ name: rule, dots: true, points: sizes.flatMap((n) => rows.filter((row) => row.select === rule && row.workers === n).map((row) => [n, row.speedup])) })),
      { name: "perfect prediction", dots: true, dashed: true, points: sizes.map((n) => [n, bounds.get(n)]) },
      { name: "ideal", dashed: true, thin: true, points: sizes.map((n) => [n, n]) },
    ];
    return lineChart({ width, height: 330, title: "speed-up over the number of workers", xLabel: "workers", yLabel: "speed-up", xLog: sizes.length > 1, yLog: sizes.length > 1, series });
  });
  const speed = new Figure("Speed-up in the course of each run", (width) => (course.length ? lineChart({ width, title: "speed-up over virtual time", xLabel: "virtual seconds", yLabel: "speed-up", yFrom: 0, series: course.map((one) => ({ name: one.name, thin: true, points: one.ticks.map((row) => [row[0], row[7]]) })) }) : null));
  const best = new Figure("Best in the course of each run", (width) => (course.length ? lineChart({ width, title: "best score over virtual time", xLabel: "virtual seconds", yLabel: "score", xLog: true, series: course.map((one) => ({ name: one.name, step: true, points: one.bests.map((row) => [row[0], row[2]]) })) }) : null));
  const columns = [["workers", "workers"], ["speedup", "speed-up"], ["efficiency", "efficiency"], ["tasks", "tasks"], ["tasks_discarded", "in vain"], ["oracle_speedup", "oracle"], ["share_of_oracle", "of oracle"]];
  place.append(title, h("div", { class: "cards" }, overall.element, card("Rows", h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "rule"), columns.map(([, name]) => h("th", { class: "number", scope: "col" }, name)))), table))), speed.element, best.element));
  const charts = [overall, speed, best];
  let timer = null;

  async function update() {
    try {
      const told = await get("/api/simulation", { file });
      ({ rows, course, head } = told);
      title.textContent = `${call(head.problem, head.parameters)}, ${call(head.search?.algorithm, head.search)}${told.complete ? "" : ", going on"}`;
      table.replaceChildren(...rows.map((row) => h("tr", {}, h("td", {}, row.select ?? ""), columns.map(([key]) => h("td", { class: "number" }, number(row[key], 3))))));
      for (const chart of charts) chart.update();
      if (!told.complete) timer = setTimeout(update, 1000);
    } catch (error) {
      place.append(complaint(error));
    }
  }

  await update();
  return () => { clearTimeout(timer); for (const chart of charts) chart.close(); };
}
