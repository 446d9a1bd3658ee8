// The page: its tabs, what a click on the board does in each, and the start.

import { addView, app, byId, refresh } from "./app.js";
import { showNewGame } from "./dialogs.js";
import "./clocks.js";
import "./graph_panel.js";
import "./records.js";
import "./territory.js";
import "./tree_panel.js";
import { listenToKeys } from "./keyboard.js";
import { mayPlay, playMove, showHint } from "./play_panel.js";
import { beginPractice, mayTry, nextExercise, practiceHint, tryMove } from "./practice_panel.js";
import { toNextMistake } from "./review_panel.js";
import { listenToPointer, toggleHovered } from "./pointer.js";
import { listen } from "./server.js";
import * as study from "./study_panel.js";

const TABS = ["play", "study", "review", "practice"];
const acts = { play: playMove, study: study.act, review: study.playBeside, practice: tryMove };
const mayAct = { play: mayPlay, study: () => app.tool === "move", review: () => true, practice: mayTry };

/** Open one of the tabs. */
export function setMode(mode) {
  app.mode = mode;
  app.hovered = "";
  app.shown = null;
  if (mode === "practice") beginPractice();
  refresh();
}

function drawTabs() {
  for (const mode of TABS) {
    const tab = byId(`tab-${mode}`);
    tab.setAttribute("aria-selected", String(app.mode === mode));
    tab.tabIndex = app.mode === mode ? 0 : -1;
  }
  document.body.dataset.mode = app.mode;
}

for (const mode of TABS) byId(`tab-${mode}`).addEventListener("click", () => setMode(mode));
byId("tabs").addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  setMode(TABS[(TABS.indexOf(app.mode) + by + TABS.length) % TABS.length]);
  byId(`tab-${app.mode}`).focus();
});
addView(drawTabs);

const hasTool = () => app.mode === "study" && app.tool !== "move"; // what a tap is for, on a candidate, too

listenToPointer(
  (vertex, event) => { if (event.pointerType !== "touch" || hasTool() || !toggleHovered(vertex)) acts[app.mode](vertex); },
  () => app.play !== null && mayAct[app.mode](),
);
listenToKeys((vertex) => acts[app.mode](vertex), {
  h: () => (app.mode === "practice" ? practiceHint() : showHint()),
  a: () => { setMode("study"); byId("analyze").click(); },
  t: () => byId("territory").click(),
  p: () => byId(app.mode === "play" ? "pass" : "study-pass").click(),
  u: () => byId("undo").click(),
  n: () => (app.mode === "practice" ? nextExercise() : showNewGame()),
  m: toNextMistake,
  o: () => byId("open").click(),
  "?": () => byId("help").click(),
});
listen();
