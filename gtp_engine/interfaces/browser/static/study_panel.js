// Looking closely: moves of one's own beside the game, stones set up, comments, marks.

import { addView, app, byId, refresh } from "./app.js";
import { examine } from "./analysis_panel.js";
import { confirmThat } from "./dialogs.js";
import { ask } from "./server.js";

const STONES = { "black-stone": "black", "white-stone": "white", eraser: "empty" };
const MARKS = ["triangle", "square", "circle", "cross"];
let commented = null; // the node whose comment is in the box

/** A move beside the game, which nobody answers. */
export const playBeside = (vertex) => { if (!app.isLost) ask({ do: "move", node: app.node.id, vertex }); };

/** What a click on a point does. */
export function act(vertex) {
  const { node, tool } = app;
  if (app.isLost || examine(vertex)) return;
  if (tool === "move") playBeside(vertex);
  else if (STONES[tool]) ask({ do: "setup", node: node.id, vertex, stone: STONES[tool], toPlay: node.toPlay });
  else if (MARKS.includes(tool)) ask({ do: "mark", node: node.id, vertex, mark: tool });
  else if (tool === "label") ask({ do: "mark", node: node.id, vertex, mark: nextLabel() });
}

/** The first letter that marks nothing yet. */
function nextLabel() {
  const used = new Set((app.node.marks || []).map(([, mark]) => mark));
  return "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("").find((letter) => !used.has(letter)) || "Z";
}

function drawStudy() {
  byId("study-panel").hidden = app.mode !== "study";
  byId("study-buttons").hidden = app.mode !== "study";
  for (const button of document.querySelectorAll("[data-tool]")) {
    button.setAttribute("aria-pressed", String(button.dataset.tool === app.tool));
  }
  byId("remove").disabled = !app.node.parent;
  if (commented !== app.node && document.activeElement !== byId("comment")) showComment();
}

function showComment() {
  commented = app.node;
  byId("comment").value = app.node.comment || "";
}

/** Send what was written, when another position is shown or the box is left. */
function keepComment() {
  if (commented && byId("comment").value !== (commented.comment || "") && app.tree.nodes.has(commented.id)) {
    ask({ do: "comment", node: commented.id, text: byId("comment").value });
    commented.comment = byId("comment").value;
  }
}

byId("comment").addEventListener("change", keepComment);
byId("comment").addEventListener("blur", () => { keepComment(); refresh(); });
for (const button of document.querySelectorAll("[data-tool]")) {
  button.addEventListener("click", () => {
    app.tool = button.dataset.tool === app.tool ? "move" : button.dataset.tool;
    refresh();
  });
}
byId("study-pass").addEventListener("click", () => ask({ do: "move", node: app.node.id, vertex: "pass" }));
byId("promote").addEventListener("click", () => ask({ do: "promote", node: app.node.id }));
byId("remove").addEventListener("click", async () => {
  const { node } = app;
  if (!node.children.length || (await confirmThat("Delete this move and all that follow it?", "Delete"))) ask({ do: "remove", node: node.id });
});

addView(drawStudy);
