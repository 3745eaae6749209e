// The view of a run. Whatever it shows is set as text, or as the source of an image: none of it is run.

function part(parent, kind, name) {
  const made = document.createElement(kind);
  made.className = `rookery-run-${name}`;
  parent.append(made);
  return made;
}

function render({ model, el }) {
  const box = part(el, "div", "box");
  const head = part(box, "div", "head");
  const score = part(head, "b", "score");
  const sense = part(head, "span", "dim");
  const stop = part(head, "button", "stop");
  const words = Object.fromEntries(["problem", "status", "progress"].map((name) => [name, part(box, "div", name)]));
  const picture = part(box, "img", "picture");
  const drawing = part(box, "pre", "drawing");
  const notes = part(box, "div", "notes");
  stop.type = "button";
  stop.textContent = "Stop";
  picture.alt = "the best so far as a picture";

  function show() {
    const shown = model.get("shown");
    for (const [name, place] of Object.entries(words)) place.textContent = shown[name] ?? "";
    score.textContent = shown.score || "–";
    sense.textContent = shown.sense;
    drawing.textContent = shown.drawing;
    drawing.hidden = !shown.drawing;
    notes.textContent = shown.notes.join("\n");
    stop.hidden = !shown.running;
  }

  function draw() {
    const svg = model.get("picture");
    picture.hidden = !svg;
    if (svg) picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    else picture.removeAttribute("src");
  }

  stop.addEventListener("click", () => {
    stop.disabled = true;
    stop.textContent = "Stopping";
    model.send("stop");
  });
  model.on("change:shown", show);
  model.on("change:picture", draw);
  show();
  draw();
  return () => {
    model.off("change:shown", show);
    model.off("change:picture", draw);
  };
}

export default { render };
