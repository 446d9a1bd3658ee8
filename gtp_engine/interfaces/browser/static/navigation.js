// Looking back: steps along the line that is shown, by buttons, keys, wheel, swipe and slider.

import { addView, app, byId, goTo } from "./app.js";
import { ask } from "./server.js";

export const TEN = 10;
let line = []; // the nodes that the slider runs over
let lineOf = null; // [version, node] it was made for

/** The line through the position that is shown. */
export function shownLine() {
  const { tree, node } = app;
  if (lineOf && lineOf.tree === tree && lineOf.version === tree.version && line[node.depth] === node) return line;
  line = tree.line(node);
  lineOf = { tree, version: tree.version };
  return line;
}

/** Show a position, and the line that goes on from there along first children, whatever line was shown before. */
export function leaveLine(node) {
  lineOf = null;
  goTo(node);
}

/** Go so many positions on, or back. A variation on the board is played move by move, as one of the game's. */
export function step(moves) {
  if (moves === 1 && app.shown && app.board === app.game) {
    playShown(app.shown);
    return;
  }
  const nodes = shownLine();
  goTo(nodes[Math.min(Math.max(app.node.depth + moves, 0), nodes.length - 1)]);
}

function playShown({ vertices: [first, ...rest], color }) {
  const { node } = app, isTurn = node.toPlay === color;
  const left = isTurn ? rest : [first, ...rest]; // who has to wait passes first
  const next = isTurn ? otherColor(color) : color;
  ask({ do: "move", node: node.id, vertex: isTurn ? first : "pass" }, left.length ? { vertices: left, color: next } : null);
}

const otherColor = (color) => (color === "black" ? "white" : "black");

export const toStart = () => goTo(app.tree.root);
export const toEnd = () => goTo(shownLine()[shownLine().length - 1]);

/** To the variation beside this one, `by` 1 or -1: at the nearest fork before. */
export function toSibling(by) {
  for (let node = app.node; node.parent; node = node.parent) {
    const { children } = node.parent;
    if (children.length > 1) {
      goTo(children[(children.indexOf(node) + by + children.length) % children.length]);
      return;
    }
  }
}

const steps = { first: toStart, "back-ten": () => step(-TEN), back: () => step(-1), forward: () => step(1), "forward-ten": () => step(TEN), last: toEnd };
for (const [id, action] of Object.entries(steps)) byId(id).addEventListener("click", action);

byId("slider").addEventListener("input", () => goTo(shownLine()[Number(byId("slider").value)]));

function drawNavigation() {
  const nodes = shownLine(), { depth } = app.node, slider = byId("slider");
  slider.max = nodes.length - 1;
  slider.value = depth;
  slider.setAttribute("aria-valuetext", `move ${app.node.moveNumber}`);
  byId("where").textContent = `${app.node.moveNumber} / ${nodes[nodes.length - 1].moveNumber}`;
  for (const id of ["first", "back-ten", "back"]) byId(id).disabled = depth === 0;
  for (const id of ["forward", "forward-ten", "last"]) byId(id).disabled = depth === nodes.length - 1 && !(id === "forward" && app.shown);
}

addView(drawNavigation);
