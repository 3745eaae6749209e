// Which view is shown: the part of the address after the # says so.

import { complaint, get, h } from "/dom.js";
import { runsView } from "/runs.js";
import { runView } from "/run.js";
import { compareView } from "/compare.js";
import { playView } from "/play.js";
import { clusterView } from "/cluster.js";

const VIEWS = { runs: runsView, run: runView, compare: compareView, play: playView, cluster: clusterView };
const TITLES = { runs: "Runs", run: "A run", compare: "Compare", play: "Play", cluster: "Cluster" };
const main = document.getElementById("main");
let leave = null;

async function show() {
  const [way, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const name = way in VIEWS ? way : "runs";
  leave?.();
  leave = null;
  document.title = `${TITLES[name]} · Rookery`;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.getAttribute("href") === `#/${name === "run" ? "runs" : name}`;
    if (here) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  const place = h("div", { class: `view ${name}` });
  main.replaceChildren(place);
  try {
    leave = await VIEWS[name](place, new URLSearchParams(query));
  } catch (error) {
    place.replaceChildren(complaint(error));
  }
}

window.addEventListener("hashchange", () => { show(); main.focus(); });
const begin = await get("/api/begin").catch(() => ({}));
document.getElementById("folder").textContent = begin.folder ?? "";
if (begin.run && !location.hash) history.replaceState(null, "", `#/run?${new URLSearchParams({ file: begin.run })}`);
show();
