// The keyboard: steps through the game from anywhere, and a cursor on the board when the board has the focus.

import { app, byId, refresh } from "./app.js";
import { showCursor } from "./board_view.js";
import { COLOR_NAMES, EMPTY, indexOfVertex, placeOfVertex, vertexOfPlace } from "./board.js";
import { TEN, step, toEnd, toSibling, toStart } from "./navigation.js";
import { announce } from "./speech.js";

const ANYWHERE = { Home: toStart, End: toEnd, PageUp: () => step(-TEN), PageDown: () => step(TEN) };
const BESIDE = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => toSibling(-1), ArrowDown: () => toSibling(1) };
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let cursor = ""; // a vertex

/** `act(vertex)` hears of Enter and Space on a point; `letters` are what single letters do. */
export function listenToKeys(act, letters) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const isOnBoard = document.activeElement === byId("board-frame");
    const letter = letters[event.key.toLowerCase()];
    if (ANYWHERE[event.key]) ANYWHERE[event.key]();
    else if (isOnBoard && DIRECTIONS[event.key]) moveCursor(...DIRECTIONS[event.key]);
    else if (isOnBoard && cursor && (event.key === "Enter" || event.key === " ")) act(cursor);
    else if (BESIDE[event.key] && !isArrowed(event.target)) BESIDE[event.key]();
    else if (letter && !event.repeat) letter();
    else if (event.key === "Escape" && app.shown) hideVariation();
    else return;
    event.preventDefault();
  });
  byId("board-frame").addEventListener("pointerdown", (event) => event.preventDefault()); // a click doesn't take the focus: arrows still step
  byId("board-frame").addEventListener("focus", () => moveCursor(0, 0));
  byId("board-frame").addEventListener("blur", () => showCursor(""));
}

function hideVariation() {
  app.shown = null;
  refresh();
}

const isTyping = (target) => target.matches("textarea, select, input:not([type=checkbox]):not([type=range]):not([type=radio])");
const isArrowed = (target) => target.matches("[type=range], [type=radio], [role=tab]");

/** Move the cursor and tell what is there. */
function moveCursor(right, down) {
  const { tree, node } = app, { size } = tree;
  const middle = { x: (size - 1) >> 1, y: (size - 1) >> 1 };
  const place = (cursor && placeOfVertex(cursor, size)) || middle;
  const inside = (value) => Math.min(Math.max(value, 0), size - 1);
  cursor = vertexOfPlace({ x: inside(place.x + right), y: inside(place.y + down) }, size);
  showCursor(cursor);
  const color = tree.colors(node)[indexOfVertex(cursor, size)];
  announce(`${cursor}, ${color === EMPTY ? "empty" : COLOR_NAMES[color]}`);
}
