// Play a game against a search, or a puzzle by hand: on the board, or from the list of legal moves.

import { address, ask, call, card, complaint, get, h, isDark, number, post, say } from "/dom.js";

export async function playView(place) {
  place.append(h("h1", {}, "Play"));
  const choices = await get("/api/choices");
  const all = [...choices.games.map((one) => ({ ...one, puzzle: false })), ...choices.puzzles.map((one) => ({ ...one, puzzle: true }))];
  const what = h("select", { id: "game", onchange: () => parameters() }, h("optgroup", { label: "Games for two" }, choices.games.map((one) => h("option", { value: one.name }, one.name))), h("optgroup", { label: "Puzzles" }, choices.puzzles.map((one) => h("option", { value: one.name }, one.name))));
  const given = h("span", { class: "row" }), about = h("p", { class: "dim" });
  const search = h("select", { id: "search" }, choices.searches.map((name) => h("option", {}, name)));
  const playouts = h("input", { type: "number", id: "playouts", min: 1, max: 10000000, value: 1000 });
  const begins = h("select", { id: "begins" }, h("option", { value: "0" }, "you begin"), h("option", { value: "1" }, "the search begins"));
  const against = h("span", { class: "row" }, h("label", {}, "against ", search), h("label", {}, "playouts ", playouts), begins);
  const table = h("div");
  let game = null;
  place.append(card("", h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); begin(); } }, h("label", {}, "play ", what), given, against, h("button", { class: "main", id: "begin" }, "Begin")), about), table);

  function parameters() {
    const one = all.find((choice) => choice.name === what.value);
    about.textContent = one.about;
    against.hidden = one.puzzle;
    given.replaceChildren(...Object.entries(one.parameters).filter(([, value]) => value !== null && value !== 0 && value !== "").slice(0, 6).map(([name, value]) => h("label", {}, `${name} `, typeof value === "boolean"
      ? h("input", { type: "checkbox", name, checked: value })
      : h("input", { name, value: String(value), size: 6, type: typeof value === "number" ? "number" : "text", step: "any" }))));
  }

  function begin() {
    const one = all.find((choice) => choice.name === what.value), values = {};
    for (const input of given.querySelectorAll("input")) {
      const value = input.type === "checkbox" ? input.checked : input.type === "number" ? Number(input.value) : input.value;
      if (value !== one.parameters[input.name]) values[input.name] = value;
    }
    game?.close();
    game = new Table(table, { name: one.name, parameters: values }, one.puzzle, search.value, Number(playouts.value) || 1000, Number(begins.value));
    game.start();
  }

  parameters();
  return () => game?.close();
}

class Table {
  constructor(place, of, puzzle, search, playouts, person) {
    Object.assign(this, { of, puzzle, search, playouts, moves: [], position: null, chosen: [], hint: null, closed: false, turn: 0 });
    this.person = puzzle ? null : person === 0 ? 0 : 1;
    this.status = h("p", { role: "status", id: "state" });
    this.image = h("img", { alt: "the board" });
    this.spots = h("div");
    this.board = h("div", { class: "picture board" }, this.image, this.spots);
    this.text = h("pre", { hidden: true });
    this.legal = h("div", { class: "legal" });
    this.played = h("ol", { class: "moves", tabindex: 0, "aria-label": "Moves played" });
    this.opinion = h("div");
    this.undoButton = h("button", { id: "undo", onclick: () => this.undo() }, "Undo");
    this.hintButton = h("button", { id: "hint", onclick: () => this.ask() }, "Hint");
    this.saves = h("span", { class: "row" });
    place.replaceChildren(h("div", { class: "split" },
      h("section", { class: "card" }, h("h2", {}, call(of.name, of.parameters)), this.status, this.board, this.text, h("div", { class: "row" }, this.undoButton, this.hintButton, this.saves)),
      h("div", { class: "stack" }, card(puzzle ? "The search" : "What the search thinks", this.opinion), card("Legal moves", this.legal), card("Moves played", this.played))));
  }

  close() { this.closed = true; }

  async start() { await this.look(); }

  // Ask for the position, show it, and have the search move if it is its turn.
  async look() {
    const turn = ++this.turn;
    let position;
    this.status.textContent = this.position ? this.status.textContent : "Preparing the game: the first time it is compiled";
    try { position = await post("/api/position", { of: this.of, moves: this.moves }); } catch (error) { this.status.replaceChildren(complaint(error)); return; }
    if (this.closed || turn !== this.turn) return;
    this.position = position;
    this.chosen = [];
    this.draw();
    if (!this.puzzle && !position.over && position.player !== this.person) await this.think(turn);
  }

  isMine() { return this.position && !this.position.over && (this.puzzle || this.position.player === this.person); }

  draw() {
    const { position } = this;
    this.status.textContent = this.told();
    this.text.hidden = !position.drawing;
    this.text.textContent = position.drawing ?? "";
    this.board.hidden = !position.picture;
    if (position.picture) {
      this.image.src = address("/api/board", { q: JSON.stringify({ ...this.of, moves: this.moves }), dark: isDark() ? 1 : 0 });
      this.image.alt = `the board after ${this.moves.length} moves`;
      this.image.width = Math.round(position.picture.width);
      this.image.height = Math.round(position.picture.height);
    }
    this.played.replaceChildren(...position.played.map((words) => h("li", {}, words)));
    this.legal.replaceChildren(...(this.isMine() ? position.legal.slice(0, 400).map((one) => h("button", { onclick: () => this.play(one.move) }, one.words)) : []));
    this.undoButton.disabled = !this.moves.length;
    this.hintButton.disabled = !this.isMine();
    this.place();
    this.keep();
    say(this.status.textContent);
  }

  told() {
    const { position } = this;
    if (this.puzzle) return position.over ? `No moves are left: ${position.score}.` : `${position.score}; ${position.legal.length} legal moves.`;
    const name = position.players[position.player];
    if (!position.over) return position.player === this.person ? `Your move: you are ${name}.` : `${this.search} thinks.`;
    return position.winner < 0 ? "A draw." : position.winner === this.person ? "You have won." : `${this.search} has won.`;
  }

  // Buttons on the board: first where moves begin, then where the chosen one may go, and where it ends if there is more.
  place() {
    const { picture, legal } = this.position;
    if (!picture || !this.isMine()) { this.spots.replaceChildren(); return; }
    const stage = this.chosen.length, places = new Map();
    const open = stage ? this.chosen[stage - 1].moves : legal;
    for (const one of open) for (const [x, y, r] of one.spots[stage] ?? []) {
      const key = `${x.toFixed(1)} ${y.toFixed(1)}`;
      if (!places.has(key)) places.set(key, { x, y, r, moves: [] });
      places.get(key).moves.push(one);
    }
    const buttons = [...places.values()].sort((a, b) => a.y - b.y || a.x - b.x).map((spot) => {
      const label = spot.moves.length === 1 ? spot.moves[0].words : `${spot.moves.length} moves, such as ${spot.moves[0].words}`;
      const hinted = this.hint !== null && spot.moves.some((one) => JSON.stringify(one.move) === this.hint);
      const button = h("button", { class: `spot${stage ? " target" : ""}${hinted ? " hinted" : ""}`, "aria-label": label, title: label, onclick: () => this.choose(spot) });
      Object.assign(button.style, { left: `${(100 * spot.x) / picture.width}%`, top: `${(100 * spot.y) / picture.height}%`, width: `${(200 * spot.r) / picture.width}%`, aspectRatio: "1" });
      return button;
    });
    for (const [i, { x, y, r }] of [...this.chosen.entries()].reverse()) {
      const back = h("button", { class: "spot chosen", "aria-label": i ? "choose another way" : "choose another piece", onclick: () => { this.chosen.length = i; this.place(); } });
      Object.assign(back.style, { left: `${(100 * x) / picture.width}%`, top: `${(100 * y) / picture.height}%`, width: `${(200 * r) / picture.width}%`, aspectRatio: "1" });
      buttons.unshift(back);
    }
    this.spots.replaceChildren(...buttons);
  }

  choose(spot) {
    const stage = this.chosen.length;
    if (spot.moves.length === 1 && (stage || spot.moves[0].spots.length === 1 || this.puzzle)) { this.play(spot.moves[0].move); return; }
    if (!spot.moves.some((one) => one.spots.length > stage + 1)) return;
    this.chosen.push(spot);
    this.place();
    this.spots.querySelector(".target")?.focus();
  }

  async play(move) {
    this.moves = [...this.moves, move];
    this.hint = null;
    await this.look();
  }

  async undo() {
    const back = this.puzzle || this.position.player === this.person ? (this.puzzle ? 1 : 2) : 1;
    this.moves = this.moves.slice(0, Math.max(0, this.moves.length - back));
    this.hint = null;
    await this.look();
  }

  // The search thinks aloud: a line for each part of its playouts, the last one is its move.
  async think(turn, asHint = false) {
    let last = null;
    try {
      const response = await ask("/api/think", { of: this.of, moves: this.moves, search: this.search, playouts: this.playouts, seed: this.moves.length + 1 });
      for await (const line of lines(response)) {
        if (this.closed || turn !== this.turn) return null;
        if (line.error) throw new Error(line.error);
        last = line;
        this.thought(line);
      }
    } catch (error) { this.opinion.replaceChildren(complaint(error)); return null; }
    if (this.closed || turn !== this.turn || !last || last.more) return null;
    if (!asHint) await this.play(last.move);
    return last;
  }

  async ask() {
    const turn = this.turn;
    this.hintButton.disabled = true;
    if (this.puzzle) {
      this.opinion.replaceChildren(h("p", {}, "A search looks for two seconds."));
      try {
        const hint = await post("/api/hint", { of: this.of, moves: this.moves, seconds: 2 });
        if (turn !== this.turn) return;
        this.opinion.replaceChildren(h("p", { id: "hinted" }, hint.move === null ? "There is nothing left to play." : `${hint.words}: from there it reaches ${hint.score} (${number(hint.playouts)} playouts).`));
        this.hint = hint.move === null ? null : JSON.stringify(hint.move);
      } catch (error) { this.opinion.replaceChildren(complaint(error)); }
    } else {
      const last = await this.think(turn, true);
      this.hint = last ? JSON.stringify(last.move) : null;
    }
    this.hintButton.disabled = !this.isMine();
    this.place();
  }

  thought(line) {
    const won = line.value === null || line.value === undefined ? "" : `${(100 * line.value).toFixed(1)}% of its playouts won`;
    this.opinion.replaceChildren(
      h("p", { id: "thought" }, `${line.proven ? `a proven ${line.proven}; ` : ""}${won}, ${number(line.playouts)} playouts${line.more ? " so far" : ` in ${line.seconds.toFixed(2)} s`}`),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "move"), h("th", { class: "number", scope: "col" }, "playouts"), h("th", { class: "number", scope: "col" }, "won"))),
        h("tbody", {}, line.rows.map(([words, visits, value]) => h("tr", {}, h("td", {}, words), h("td", { class: "number" }, number(visits)), h("td", { class: "number" }, value === null ? "-" : `${(100 * value).toFixed(1)}%`))))));
  }

  keep() {
    const { position } = this, question = JSON.stringify({ ...this.of, moves: this.moves });
    const buttons = position.picture ? [h("a", { class: "button", href: address("/api/board", { q: question, save: 1 }), download: "game.svg" }, "Save SVG")] : [];
    if (position.sgf) buttons.push(h("button", { onclick: () => this.save("sgf", "game.sgf") }, "Save SGF"));
    if (!this.puzzle && position.over) buttons.push(h("button", { id: "record", onclick: () => this.save("record", "game.jsonl") }, "Save record"));
    this.saves.replaceChildren(...buttons);
  }

  async save(format, name) {
    try {
      const { text } = await post("/api/keep", { of: this.of, moves: this.moves, search: this.search, person: this.person, format });
      const link = h("a", { href: `data:application/octet-stream,${encodeURIComponent(text)}`, download: name });
      link.click();
    } catch (error) { this.opinion.replaceChildren(complaint(error)); }
  }
}

async function* lines(response) {
  if (!response.ok) throw new Error((await response.json()).error);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) if (part) yield JSON.parse(part);
  }
}
