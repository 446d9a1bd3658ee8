// The board: the stones of the position that is shown, and whatever the open view puts on it.

import { addView, app, byId } from "./app.js";
import { BLACK, BoardView, EMPTY, WHITE, indexOfVertex, ownershipValues, placeOfVertex, svgElement, vertexOfPlace } from "./board.js";

export let board = null; // of the size of the game
export const colorNumber = (name) => (name === "white" ? WHITE : BLACK);

/** The vertex under the pointer; "" beside the board. */
export function vertexAt(event) {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(byId("board").getScreenCTM().inverse());
  return vertexOfPlace({ x: Math.round(place.x), y: Math.round(place.y) }, app.tree.size);
}

/** Show a stone that would be played at a vertex, "" for none. */
export function showGhost(vertex) {
  if (!board) return;
  const colors = app.tree.colors(app.node);
  const isFree = vertex && colors[indexOfVertex(vertex, app.tree.size)] === EMPTY;
  const place = isFree ? placeOfVertex(vertex, app.tree.size) : null;
  board.layers.ghost.replaceChildren(...(place ? board.stone(place.x, place.y, colorNumber(app.node.toPlay)) : []));
}

/** Show where the keyboard's cursor is, "" for nowhere. */
export function showCursor(vertex) {
  const place = vertex ? placeOfVertex(vertex, app.tree.size) : null;
  const frame = place && svgElement("rect", { class: "key-cursor", x: place.x - 0.5, y: place.y - 0.5, width: 1, height: 1, rx: 0.12 });
  board.layers.cursor.replaceChildren(...(frame ? [frame] : []));
}

/** Whom each point belongs to, as far as it is known and wanted. */
function ownership() {
  const { play, node } = app, found = foundHere();
  if (app.mode === "practice") return [];
  if (play.ownership.length && node.id === play.tip) return play.ownership;
  if (!app.showTerritory || !found || !found.ownership) return [];
  return ownershipValues(found.ownership);
}

/** What is known of the position that is shown; where some first moves are left out, what was found without them. */
export const foundHere = () => (app.limited && app.limited.node === app.node.id ? app.limited.found : app.node.found);

/** The candidates to show: while the position is analyzed all that were found, in a game those of a hint that was asked for. */
export function candidates() {
  const found = foundHere(), areWanted = app.mode === "study" || (app.mode !== "practice" && app.hintAt === app.node.id);
  return areWanted && found ? found.candidates : [];
}

function drawBoard() {
  const { tree, node } = app;
  if (!board || board.size !== tree.size) {
    byId("board").replaceChildren();
    board = new BoardView(byId("board"), tree.size);
    board.layers.ghost = byId("board").appendChild(svgElement("g", { class: "ghost" }));
    board.layers.cursor = byId("board").appendChild(svgElement("g"));
  }
  const colors = tree.colors(node);
  board.showStones(colors, node.vertex && node.vertex !== "pass" ? node.vertex : "");
  const marks = [...(node.marks || [])];
  if (node.children.length > 1 && app.mode === "study") marks.push(...branchLetters(node, marks, colors));
  board.showMarks(marks, colors);
  board.showOwnership(ownership(), colors);
  board.layers.ghost.replaceChildren();
  drawCandidates();
}

/** A small letter where each variation begins. */
function branchLetters(node, marks, colors) {
  const taken = new Set(marks.map(([index]) => index));
  return node.children
    .map((child, i) => [child.vertex ? indexOfVertex(child.vertex, app.tree.size) : -1, String.fromCharCode(65 + (i % 26))])
    .filter(([index]) => index >= 0 && !taken.has(index) && colors[index] === EMPTY);
}

/** Candidates, or the moves that are expected after the one under the mouse, or those of a hint. */
export function drawCandidates() {
  const found = candidates();
  const hovered = found.find((candidate) => candidate.vertex === app.hovered);
  if (app.shown) board.showVariation(app.shown.vertices, colorNumber(app.shown.color));
  else if (hovered) board.showVariation(hovered.variation.split(" "), colorNumber(app.node.toPlay));
  else board.showCandidates(found, "", "");
}

addView(drawBoard);
