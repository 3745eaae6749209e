// Elements, requests, numbers: what all views use. Text is always text: nothing that a file holds becomes markup.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export async function get(path, parameters = {}) {
  return answered(await fetch(address(path, parameters)));
}

export async function post(path, data) {
  return answered(await ask(path, data));
}

export function ask(path, data) {
  return fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
}

async function answered(response) {
  if (response.ok) return response.json();
  const text = await response.text();
  let said = text;
  try { said = JSON.parse(text).error; } catch { /* a sentence in plain text */ }
  throw new Error(said || `the server answers ${response.status}`);
}

export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) if (one !== null && one !== undefined) query.append(name, one);
  }
  return query.size ? `${path}?${query}` : path;
}

export const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

export function say(text) {
  document.getElementById("said").textContent = text;
}

// --- numbers and words ---

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

export function number(value, digits = 6) {
  if (!isNumber(value)) return "-";
  return Number.isInteger(value) ? value.toLocaleString("en") : Number(value.toPrecision(digits)).toLocaleString("en", { maximumSignificantDigits: digits });
}

export function short(value) {
  if (!isNumber(value)) return "-";
  const size = Math.abs(value);
  for (const [limit, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (size >= limit) return `${Number((value / limit).toPrecision(3))}${unit}`;
  }
  return `${Number(value.toPrecision(3))}`;
}

export function duration(seconds) {
  if (!isNumber(seconds)) return "-";
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const whole = Math.floor(seconds), two = (n) => String(n).padStart(2, "0");
  const clock = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return whole < 3600 ? `${Math.floor(whole / 60)}:${two(whole % 60)}` : `${Math.floor(whole / 3600)}:${clock}`;
}

export function call(name, parameters) {
  const given = Object.entries(parameters ?? {}).filter(([key, value]) => key !== "algorithm" && value !== null && value !== false);
  const told = given.map(([key, value]) => `${key}=${cut(typeof value === "string" ? value : JSON.stringify(value), 40)}`);
  return told.length ? `${name}(${told.join(", ")})` : `${name ?? "?"}`;
}

export const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export function badge(status) {
  const kind = status === "running" ? "running" : ["no news", "interrupted", "failed"].includes(status) ? "lost" : "over";
  return h("span", { class: `badge ${kind}` }, status ?? "kept");
}

export function facts(pairs) {
  return h("dl", {}, pairs.filter(([, value]) => value !== null && value !== undefined).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

export function complaint(error) {
  return h("p", { class: "bad", role: "alert" }, error.message ?? String(error));
}

export function card(title, ...children) {
  return h("section", { class: "card" }, title ? h("h2", {}, title) : null, ...children);
}
