// All journals, results, checkpoints, matches and experiments of the folder, live; sorted and filtered here.

import { badge, call, duration, get, h, number, say, short } from "/dom.js";

const FIRST_SHOWN = 200;
const COLUMNS = [
  { key: "file", title: "file", text: (row) => row.file },
  { key: "kind", title: "kind", text: (row) => row.kind, small: true },
  { key: "problem", title: "problem", text: (row) => (row.problem ? call(row.problem, row.parameters) : "") },
  { key: "search", title: "search", text: (row) => searched(row.search), small: true },
  { key: "seed", title: "seed", number: true, text: (row) => (row.seed === null || row.seed === undefined ? "" : String(row.seed)), small: true },
  { key: "score", title: "score", number: true, text: (row) => scored(row) },
  { key: "playouts", title: "playouts", number: true, text: (row) => (row.playouts ? short(row.playouts) : ""), small: true },
  { key: "seconds", title: "time", number: true, text: (row) => (row.seconds ? duration(row.seconds) : "") },
  { key: "status", title: "status", text: (row) => row.status ?? "" },
  { key: "changed", title: "changed", text: (row) => when(1000 * row.changed), small: true, number: true },
];

function when(time) {
  const then = new Date(time), today = then.toDateString() === new Date().toDateString();
  return today ? then.toLocaleTimeString() : then.toLocaleDateString();
}

// The runs of an experiment are behind its own line, unless they are asked for.
const isPart = (row) => row.file.endsWith(".run.json");

function searched(search) {
  if (Array.isArray(search)) return search.map((side) => side?.algorithm ?? "?").join(" against ");
  return search ? call(search.algorithm, Object.fromEntries(Object.entries(search).filter(([name]) => ["level", "iterations", "replicas"].includes(name)))) : "";
}

function scored(row) {
  if (row.wins_a !== undefined) return `${row.wins_a} : ${row.wins_b}`;
  return row.score === null || row.score === undefined ? "" : number(row.score);
}

export function linkOf(row) {
  const query = new URLSearchParams({ file: row.file });
  if (row.kind === "experiment") return `#/compare?${query}`;
  if (row.kind === "simulation") return `#/cluster?${query}`;
  return row.kind === "games" || row.kind === "match" ? `/api/download?${query}` : `#/run?${query}`;
}

export async function runsView(place) {
  const rows = new Map();
  const chosen = new Set();
  let sort = "changed", rising = false, wanted = "", most = FIRST_SHOWN;

  const filter = h("input", { type: "search", placeholder: "filter", "aria-label": "Filter the runs by any text", oninput: () => { wanted = filter.value.toLowerCase(); draw(); } });
  const kinds = h("select", { "aria-label": "Kind of file", onchange: () => draw() }, ["all kinds", "journal", "result", "checkpoint", "match", "experiment", "simulation", "games"].map((kind) => h("option", {}, kind)));
  const compare = h("button", { disabled: true, onclick: () => { location.hash = `/compare?${new URLSearchParams([...chosen].map((file) => ["file", file]))}`; } }, "Compare");
  const count = h("span", { class: "dim", role: "status" });
  const headings = COLUMNS.map((column) => h("th", { class: [column.number ? "number" : "", column.small ? "hide-small" : ""].join(" ").trim() || null, scope: "col" },
    h("button", { onclick: () => { rising = sort === column.key ? !rising : !column.number; sort = column.key; draw(); } }, column.title)));
  const body = h("tbody");
  const more = h("button", { hidden: true, onclick: () => { most *= 5; draw(); } }, "Show more");
  place.append(
    h("div", { class: "row spread" }, h("h1", {}, "Runs"), h("div", { class: "row" }, filter, kinds, compare)),
    count,
    h("div", { class: "scroll" }, h("table", {}, h("caption", { class: "unseen" }, "Runs of the folder"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "choose")), headings)), body)),
    more,
  );

  function draw() {
    const kind = kinds.value === "all kinds" ? null : kinds.value;
    const column = COLUMNS.find((one) => one.key === sort);
    const of = (row) => (column.number ? row[sort] ?? -Infinity : column.text(row).toLowerCase());
    const all = [...rows.values()].filter((row) => (kind ? row.kind === kind : wanted || !isPart(row)) && (!wanted || COLUMNS.some((one) => one.text(row).toLowerCase().includes(wanted))));
    all.sort((a, b) => { const [x, y] = [of(a), of(b)]; return (x < y ? -1 : x > y ? 1 : a.file < b.file ? -1 : 1) * (rising ? 1 : -1); });
    headings.forEach((heading, k) => { if (COLUMNS[k].key === sort) heading.setAttribute("aria-sort", rising ? "ascending" : "descending"); else heading.removeAttribute("aria-sort"); });
    const running = all.filter((row) => row.status === "running").length;
    count.textContent = rows.size ? `${number(all.length)} of ${number(rows.size)}${running ? `, ${running} running` : ""}${all.length > most ? `; the first ${most} are shown` : ""}` : "Nothing here yet: rookery solve ... --log run.jsonl writes a journal.";
    const focused = document.activeElement?.id;
    more.hidden = all.length <= most;
    body.replaceChildren(...all.slice(0, most).map((row) => h("tr", {},
      h("td", {}, ["journal", "result", "experiment"].includes(row.kind) ? h("input", { type: "checkbox", id: `choose ${row.file}`, "aria-label": `choose ${row.file}`, checked: chosen.has(row.file), onchange: (event) => { chosen[event.target.checked ? "add" : "delete"](row.file); compare.disabled = !chosen.size; } }) : null),
      COLUMNS.map((one) => h("td", { class: [one.number ? "number" : "", one.small ? "hide-small" : ""].join(" ").trim() || null },
        one.key === "file" ? h("a", { href: linkOf(row), id: `open ${row.file}` }, row.file) : one.key === "status" && row.status ? badge(row.status) : one.text(row))))));
    if (focused) document.getElementById(focused)?.focus();
  }

  for (const row of await get("/api/runs")) rows.set(row.file, row);
  draw();
  const events = new EventSource("/api/runs/events");
  events.onmessage = (event) => {
    const { changed, gone } = JSON.parse(event.data);
    for (const row of changed) { if (!rows.has(row.file) && rows.size) say(`new: ${row.file}`); rows.set(row.file, row); }
    for (const file of gone) { rows.delete(file); chosen.delete(file); }
    draw();
  };
  return () => events.close();
}
