// Whom the points will belong to, shown when it is wanted: where that isn't known, the engine is asked.

import { addView, app, byId, refresh } from "./app.js";
import { ask } from "./server.js";

const PATIENCE = 150; // ms that a position is looked at before the engine is asked: who steps quickly through a game asks nothing
let due = 0, askedFor = null;

byId("territory").addEventListener("change", () => {
  app.showTerritory = byId("territory").checked;
  askedFor = null;
  refresh();
});

function askForOwners() {
  const { node } = app;
  if (!app.showTerritory || app.mode === "practice" || node === askedFor || (node.found && node.found.ownership)) return;
  askedFor = node;
  clearTimeout(due);
  due = setTimeout(() => { if (app.node === node) ask({ do: "look", node: node.id }); }, PATIENCE);
}

addView(askForOwners);
