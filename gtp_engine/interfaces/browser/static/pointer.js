// Mouse and finger on the board: a click acts, a wheel and a swipe step, a candidate under the mouse shows what is expected after it.

import { app, byId, refresh } from "./app.js";
import { candidates, drawCandidates, showGhost, vertexAt } from "./board_view.js";
import { step } from "./navigation.js";

const LEAST_SWIPE = 40, MOST_TAP = 10; // pixels that a finger moves
const WHEEL_STEP = 40; // pixels for a step: a notch of a wheel is more, and is one step; a touchpad tells of a few at a time

/** `act(vertex, event)` hears of clicks on points, `mayPlay()` says whether a stone may be shown under the mouse. */
export function listenToPointer(act, mayPlay) {
  const svg = byId("board");
  let start = null, turned = 0;
  svg.addEventListener("pointerdown", (event) => { start = event.button === 0 ? event : null; });
  svg.addEventListener("pointercancel", () => { start = null; });
  svg.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") hover(vertexAt(event), mayPlay());
  });
  svg.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") hover("", false); // a finger leaves whenever it is lifted
  });
  svg.addEventListener("pointerup", (event) => {
    if (start === null) return;
    const right = event.clientX - start.clientX, down = event.clientY - start.clientY;
    start = null;
    if (event.pointerType === "touch" && Math.abs(right) > LEAST_SWIPE && Math.abs(right) > 2 * Math.abs(down)) step(right < 0 ? 1 : -1);
    else if (Math.hypot(right, down) <= MOST_TAP && vertexAt(event)) act(vertexAt(event), event);
  });
  svg.addEventListener("wheel", (event) => {
    if (event.ctrlKey) return; // zooms the page
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < WHEEL_STEP) return;
    step(Math.sign(turned));
    turned = 0;
  }, { passive: false });
}

/** The mouse is on a point. */
function hover(vertex, mayPlay) {
  const isCandidate = candidates().some((candidate) => candidate.vertex === vertex);
  showGhost(mayPlay && !isCandidate ? vertex : "");
  setHovered(isCandidate ? vertex : "");
}

/** Show what is expected after a candidate, "" for none. */
export function setHovered(vertex) {
  if (app.hovered === vertex) return;
  app.hovered = vertex;
  drawCandidates();
}

/** A tap on a candidate shows its moves, where there is no mouse to point with; true when that was done. */
export function toggleHovered(vertex) {
  if (!candidates().some((candidate) => candidate.vertex === vertex) || app.hovered === vertex) return false;
  app.hovered = vertex;
  refresh();
  return true;
}
