// One run: its best over time, how it works, what it has found, move by move; live while it goes on.

import { address, badge, call, card, complaint, duration, facts, get, h, isDark, isNumber, number, say, short } from "/dom.js";
import { barChart, Figure, lineChart } from "/charts.js";

const MOST_TICKS = 3000;

export async function runView(place, query) {
  const file = query.get("file");
  let run = query.get("run"), closed = false, events = null;
  place.append(h("p", { class: "dim" }, "Waiting for the run to begin"));
  let story = await first();
  if (closed || !story) return () => {};
  run = story.name ?? run;
  const name = () => ({ file, run: story.runs.length > 1 ? run : null });

  // --- what is said ---
  const title = h("h1"), status = h("span"), score = h("span", { class: "score", id: "score" }), under = h("p", { class: "dim" });
  const about = h("div"), warnings = h("ul", { class: "warnings" });
  const others = h("select", { "aria-label": "Run of this journal", onchange: () => { location.hash = `/run?${new URLSearchParams({ file, run: others.value })}`; } });
  const replay = new Replay(name);
  const pool = card("The best that differ");
  const charts = story.match ? matchCharts(() => story) : searchCharts(() => story);
  const command = card("Again", h("code", { class: "command", id: "command" }), h("button", { onclick: (event) => copy(event.target, command.querySelector("code").textContent) }, "Copy"));
  const keep = card("Keep", h("div", { class: "row" }));

  place.replaceChildren(
    h("p", { class: "dim" }, h("a", { href: "#/runs" }, "Runs"), ` / ${file}`),
    h("div", { class: "row spread" }, h("div", {}, title, h("div", { class: "row" }, score, status, others), under)),
    h("div", { class: "split" },
      h("div", { class: "stack" }, story.match ? card("", about, warnings) : replay.element, pool, keep),
      h("div", { class: "stack" }, story.match ? null : card("", about, warnings), h("div", { class: "cards" }, charts.map((chart) => chart.element)), command)),
  );
  for (const chart of charts) chart.update();

  function update(isNew) {
    const { start, last, end } = story;
    const state = end ? end.status ?? "finished" : isFresh ? "running" : story.kind === "checkpoint" ? "kept" : "no news";
    title.textContent = call(start.problem ?? start.game, start.parameters);
    status.replaceChildren(badge(state));
    others.hidden = story.runs.length < 2;
    if (others.options.length !== story.runs.length) others.replaceChildren(...story.runs.map((one) => h("option", { value: one, selected: one === run }, one || "the run")));
    if (story.match) {
      const { wins_a = 0, wins_b = 0, draws = 0 } = last;
      score.textContent = `${wins_a} : ${wins_b}${draws ? ` (${draws} drawn)` : ""}`;
      under.textContent = `${start.a?.algorithm} (a) against ${start.b?.algorithm} (b)`;
    } else {
      const now = end?.score ?? last.score ?? story.best?.score;
      score.textContent = replay.score ?? number(now);
      under.textContent = `${call(start.search?.algorithm, start.search)}`;
    }
    const playouts = end?.playouts ?? last.playouts, seconds = end?.seconds ?? last.seconds;
    about.replaceChildren(facts([
      ["time", duration(seconds)],
      ["playouts", playouts === undefined ? null : `${number(playouts)}${seconds > 0 ? `, ${short(playouts / seconds)} per second` : ""}`],
      ["games", story.match ? `${number(last.games)} of ${number(last.asked)}` : null],
      ["iterations", isNumber(end?.iterations ?? last.iteration) ? number(end?.iterations ?? last.iteration) : null],
      ["restarts", (end?.restarts ?? last.restart) ? number(end?.restarts ?? last.restart) : null],
      ["workers", start.workers === undefined ? null : `${start.workers} ${start.executor ?? ""}${!end && last.running !== undefined ? `, ${last.running} busy` : ""}`],
      ["tasks", last.tasks || end?.tasks ? `${number(end?.tasks ?? last.tasks)}, ${number(end?.tasks_discarded ?? last.discarded)} in vain` : null],
      ["seed", start.seed === undefined ? null : String(start.seed)],
      ["begun", start.time ? new Date(1000 * start.time).toLocaleString() : null],
      ["compiling", end?.compile_seconds ? duration(end.compile_seconds) : null],
      ["rookery", start.version ?? null],
      ["broken lines", story.broken ? String(story.broken) : null],
    ]));
    warnings.hidden = !story.warnings.length;
    warnings.replaceChildren(...story.warnings.map((text) => h("li", {}, text)));
    for (const chart of charts) chart.update();
    const found = end?.pool ?? [];
    pool.hidden = !found.length;
    pool.replaceChildren(h("h2", {}, "The best that differ"), h("div", { class: "legal" }, found.map((one, k) => h("button", { "aria-pressed": String(replay.rank === k + 1), onclick: () => { replay.show(k + 1); update(); } }, `${k + 1}: ${number(one.score)}`))));
    const again = repeated(start);
    command.hidden = !again;
    if (again) command.querySelector("code").textContent = again;
    keep.querySelector(".row").replaceChildren(...downloads(story, name(), replay));
    if (isNew) say(`best ${score.textContent}`);
  }

  let isFresh = false;
  replay.onscore = () => update(false);
  update(false);
  replay.update(story.best);

  // --- news ---
  if (story.kind === "journal") {
    let silent = null;
    events = new EventSource(address("/api/run/events", name()));
    events.addEventListener("lost", (event) => { place.prepend(complaint(new Error(JSON.parse(event.data)))); events.close(); });
    let count = 0;
    events.onmessage = (event) => {
      const news = JSON.parse(event.data), tick = story.ticks.at(-1);
      isFresh = !news.end && (count++ > 0 || Date.now() / 1000 - changedAt(news) < 10);
      const better = news.bests !== undefined && JSON.stringify(news.best?.moves) !== JSON.stringify(story.best?.moves);
      story = { ...story, ...news };
      if (news.tick && JSON.stringify(news.tick) !== JSON.stringify(tick)) story.ticks.push(news.tick);
      if (story.ticks.length > MOST_TICKS) story.ticks = story.ticks.filter((_, k) => k % 2 === 0);
      if (better) replay.update(story.best);
      update(better);
      clearTimeout(silent);
      if (!news.end) silent = setTimeout(() => { isFresh = false; update(false); }, 10000);
    };
  }
  const changedAt = (news) => (news.start?.time ?? 0) + (news.last?.seconds ?? 0) + (news.end?.compile_seconds ?? 0);

  async function first() {
    for (;;) {
      const found = await get("/api/run", { file, run, wait: 1 });
      if (found.start) return found;
      await new Promise((resolve) => setTimeout(resolve, 400));
      if (!place.isConnected) { closed = true; return null; }
    }
  }

  return () => { closed = true; events?.close(); replay.close(); for (const chart of charts) chart.close(); };
}

// --- the solution, move by move ---

class Replay {
  constructor(name) {
    this.name = name;
    this.rank = 0;
    this.total = 0;
    this.step = 0;
    this.score = null;
    this.words = [];
    this.version = 0;
    this.onscore = () => {};
    this.image = h("img", { alt: "the best solution so far", id: "picture" });
    this.image.addEventListener("load", () => { this.busy = false; if (this.due) this.draw(); });
    this.image.addEventListener("error", () => { this.busy = false; });
    this.slider = h("input", { type: "range", id: "slider", min: 0, max: 0, value: 0, "aria-label": "Move", oninput: () => { this.step = Number(this.slider.value); this.follow = this.step === this.total; this.draw(); } });
    this.told = h("output", { class: "dim", for: "slider", id: "step" });
    this.button = h("button", { onclick: () => this.play() }, "Play");
    this.text = h("pre", { hidden: true });
    this.picture = h("div", { class: "picture" }, this.image);
    this.listed = h("ol", { class: "moves", tabindex: 0, "aria-label": "Moves" });
    this.note = h("p", { class: "dim" });
    this.element = h("section", { class: "card" }, h("h2", {}, "The best so far"), this.picture, this.text,
      h("div", { class: "row" }, this.button, this.told), this.slider, this.listed, this.note);
    this.follow = true;
  }

  async update(best) {
    if (!best || !Array.isArray(best.moves)) { this.note.textContent = "No playout has ended yet."; return; }
    if (this.rank) return;
    await this.load(best.moves.length);
  }

  async show(rank) {
    this.rank = rank === this.rank ? 0 : rank;
    await this.load(null);
  }

  where() { return { ...this.name(), rank: this.rank || null }; }

  async load(length) {
    if (this.loading) { this.again = true; return; }
    this.loading = true;
    try {
      const { words, picture, drawing, score } = await get("/api/words", this.where());
      this.words = words;
      this.score = this.rank ? this.score : score;
      this.hasPicture = picture;
      this.text.hidden = !drawing;
      this.text.textContent = drawing ?? "";
      this.note.textContent = "";
    } catch (error) {
      this.words = [];
      this.hasPicture = false;
      this.note.textContent = error.message;
    }
    this.loading = false;
    this.total = this.words.length || length || 0;
    this.slider.max = this.total;
    if (this.follow || this.step > this.total) this.step = this.total;
    this.slider.value = this.step;
    this.picture.hidden = !this.hasPicture;
    this.slider.disabled = !this.hasPicture;
    this.button.disabled = !this.hasPicture;
    this.listed.replaceChildren(...this.words.slice(0, 2000).map((word) => h("li", {}, word)));
    this.version += 1;
    this.draw();
    this.onscore();
    if (this.again) { this.again = false; setTimeout(() => this.load(null), 300); }
  }

  draw() {
    this.told.textContent = `move ${this.step} of ${this.total}${this.words[this.step - 1] ? `: ${this.words[this.step - 1]}` : ""}`;
    this.listed.querySelector(".now")?.classList.remove("now");
    this.listed.children[this.step - 1]?.classList.add("now");
    if (!this.hasPicture) return;
    if (this.busy) { this.due = true; return; }
    this.due = false;
    const source = address("/api/picture", { ...this.where(), step: this.step, dark: isDark() ? 1 : 0, v: this.version });
    if (this.image.getAttribute("src") === source) return;
    this.busy = true;
    this.image.src = source;
    this.image.alt = `the best solution after ${this.step} of ${this.total} moves`;
  }

  play() {
    if (this.timer) { this.stop(); return; }
    if (this.step >= this.total) this.step = 0;
    this.follow = false;
    this.button.textContent = "Stop";
    this.timer = setInterval(() => {
      if (this.step >= this.total) { this.stop(); return; }
      if (this.busy) return;
      this.step += 1;
      this.slider.value = this.step;
      this.draw();
    }, Math.max(60, Math.min(500, 12000 / Math.max(1, this.total))));
  }

  stop() { clearInterval(this.timer); this.timer = null; this.follow = this.step === this.total; this.button.textContent = "Play"; }

  close() { this.stop(); }
}

// --- charts ---

function searchCharts(story) {
  const best = (column, label) => (width) => {
    const { bests, ticks, end, last } = story();
    if (!bests.length) return null;
    const until = Math.max(bests.at(-1)[column], end?.[label] ?? 0, last?.[label] ?? 0);
    return lineChart({ width, title: `best score over ${label}`, xLabel: label, yLabel: "score", xLog: true, xTo: until, series: [{ name: "best", step: true, points: bests.map((row) => [row[column], row[2]]) }] });
  };
  return [
    new Figure("Best over time", best(0, "seconds")),
    new Figure("Best over playouts", best(1, "playouts")),
    new Figure("Speed", (width) => {
      const points = speeds(story().ticks);
      return points.length < 2 ? null : lineChart({ width, title: "playouts per second over time", xLabel: "seconds", yLabel: "playouts/s", yFrom: 0, series: [{ name: "speed", thin: true, points }] });
    }),
    new Figure("Workers", (width) => {
      const ticks = story().ticks;
      if (ticks.length < 2 || !isNumber(ticks.at(-1)[3])) return null;
      const busy = averaged(ticks, 60).map((row) => [row[0], row[3] ? (100 * row[4]) / row[3] : null]);
      const vain = ticks.map((row) => [row[0], row[5] + row[6] > 0 ? (100 * row[6]) / (row[5] + row[6]) : null]);
      return lineChart({ width, title: "workers busy, and tasks begun in vain, in percent", xLabel: "seconds", yLabel: "%", yFrom: 0, yTo: 100, series: [{ name: "workers busy", thin: true, points: busy }, { name: "tasks in vain", points: vain }] });
    }),
    new Figure("Acceptance by level", (width) => {
      const replaced = story().last?.replaced ?? story().replaced;
      if (!replaced || typeof replaced !== "object") return null;
      story().replaced = replaced;
      const rows = Object.entries(replaced).filter(([, counts]) => Array.isArray(counts) && counts.every(isNumber)).reverse();
      return rows.length ? barChart({ width, title: "how often each level has replaced its best sequence", names: ["by a better one", "by an equal one"], rows: rows.map(([level, counts]) => ({ name: `level ${level}`, values: counts.slice(0, 2) })) }) : null;
    }),
    new Figure("Acceptance by temperature", (width) => {
      const figures = story().last?.figures ?? story().figures;
      if (!Array.isArray(figures?.temperature)) return null;
      story().figures = figures;
      const of = (name) => figures.temperature.map((t, k) => [t, isNumber(figures[name]?.[k]) ? 100 * figures[name][k] : null]);
      return lineChart({ width, title: "worse proposals accepted and exchanges with the next, by temperature", xLabel: "temperature", yLabel: "%", xLog: true, yFrom: 0, series: [{ name: "worse accepted", dots: true, points: of("accepted") }, { name: "exchanged", dots: true, points: of("swaps").slice(0, -1) }] });
    }),
  ];
}

// Rows of means: what is true at a moment says little if tasks are short.
function averaged(rows, most) {
  const many = Math.ceil(rows.length / most), found = [];
  for (let k = 0; k + many <= rows.length; k += many) {
    const some = rows.slice(k, k + many);
    found.push(rows[0].map((_, column) => some.reduce((sum, row) => sum + (row[column] ?? 0), 0) / many));
  }
  return found;
}

function speeds(ticks) {
  const points = [], apart = Math.max(1, Math.floor(ticks.length / 200));
  for (let k = apart; k < ticks.length; k += apart) {
    const [a, b] = [ticks[k - apart], ticks[k]];
    if (b[0] > a[0] && b[1] >= a[1]) points.push([b[0], (b[1] - a[1]) / (b[0] - a[0])]);
  }
  return points;
}

function matchCharts(story) {
  return [new Figure("Share of the games that a has won", (width) => {
    const rows = story().ticks.filter((row) => row[1] > 0);
    if (rows.length < 2) return null;
    const share = rows.map(([, games, a, , draws]) => [games, (100 * (a + draws / 2)) / games]);
    const band = rows.map(([, games, a, , draws]) => [games, ...wilson((a + draws / 2) / games, games).map((p) => 100 * p)]);
    return lineChart({ width, title: "share of the games that a has won, with its 95% interval", xLabel: "games", yLabel: "%", yFrom: 0, yTo: 100, series: [{ name: "a", points: share, band }] });
  }, "The band is the 95% interval (Wilson).")];
}

function wilson(share, n) {
  const z = 1.959964, middle = share + (z * z) / (2 * n), spread = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return [(middle - spread) / (1 + (z * z) / n), (middle + spread) / (1 + (z * z) / n)];
}

// --- the command, the files ---

function repeated(start) {
  if (!Array.isArray(start.command)) return null;
  const words = start.command.filter((word) => typeof word === "string");
  const seeded = ["solve", "match", "bench", "simulate"].includes(words[1]) && !words.includes("--seed") && isNumber(start.seed);
  return [...words, ...(seeded ? ["--seed", String(start.seed)] : [])].map((word) => (/^[\w.,:=/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

async function copy(button, text) {
  try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { button.textContent = "Select it and copy by hand"; }
}

function downloads(story, name, replay) {
  const link = (text, path, more) => h("a", { class: "button", href: address(path, { ...name, ...more }), download: "" }, text);
  const drawn = replay.hasPicture ? [link("SVG", "/api/picture", { save: 1, rank: replay.rank || null }), link("PNG", "/api/picture", { save: 1, format: "png", rank: replay.rank || null })] : [];
  const result = story.best && !story.match ? [link("JSON", "/api/download", { what: "json" })] : [];
  const beside = Object.keys(story.start.files ?? {}).map((what) => link(what, "/api/download", { what }));
  return [...drawn, ...result, ...beside, link(story.kind === "journal" ? "journal" : story.kind, "/api/download", { what: "file" })];
}
