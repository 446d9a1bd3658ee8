// The tree of the game: a dot for each position, variations below the line that they leave.

import { addView, app, byId, goTo } from "./app.js";
import { svgElement } from "./board.js";

const STEP = 20, RADIUS = 5.5, MOST = 3000; // pixels; positions that are drawn
let drawn = null; // what is shown: the tree, its version, and the dot of each node

/** Give each node a column and a row: a line keeps its row, what leaves it gets the first free one below. */
function layOut(root) {
  const places = new Map(), free = []; // free[row]: the leftmost column that is taken
  const waiting = [{ start: root, row: 0 }];
  while (waiting.length && places.size < MOST) {
    const { start, row: least } = waiting.pop();
    const line = [start];
    while (line[line.length - 1].children.length) line.push(line[line.length - 1].children[0]);
    const end = line[line.length - 1].depth;
    let row = least;
    while (free[row] !== undefined && free[row] <= end + 1) row++;
    free[row] = start.depth - 1;
    for (const node of line) {
      places.set(node.id, { node, column: node.depth, row });
      for (const child of node.children.slice(1).reverse()) waiting.push({ start: child, row: row + 1 });
    }
  }
  return { places, rows: free.length };
}

function drawTree() {
  const { tree } = app;
  if (!drawn || drawn.tree !== tree || drawn.version !== tree.version) rebuild();
  const place = drawn.places.get(app.node.id);
  byId("tree-cursor")?.remove();
  if (!place) return;
  const [x, y] = [(place.column + 0.5) * STEP, (place.row + 0.5) * STEP];
  byId("tree").append(svgElement("circle", { id: "tree-cursor", cx: x, cy: y, r: RADIUS + 3 }));
  const box = byId("tree-box");
  if (x < box.scrollLeft + STEP || x > box.scrollLeft + box.clientWidth - STEP) box.scrollLeft = x - box.clientWidth / 2;
  if (y < box.scrollTop || y > box.scrollTop + box.clientHeight - STEP) box.scrollTop = y - box.clientHeight / 2;
}

function rebuild() {
  const { tree } = app, { places, rows } = layOut(tree.root);
  const columns = Math.max(...[...places.values()].map((place) => place.column)) + 1;
  const svg = byId("tree");
  svg.setAttribute("width", columns * STEP);
  svg.setAttribute("height", rows * STEP);
  const edges = [], dots = [];
  for (const { node, column, row } of places.values()) {
    const [x, y] = [(column + 0.5) * STEP, (row + 0.5) * STEP];
    const parent = node.parent && places.get(node.parent.id);
    if (parent) edges.push(`M${x - STEP} ${(parent.row + 0.5) * STEP}V${y - (row > parent.row ? STEP / 2 : 0)}L${x} ${y}`);
    const kind = node.vertex ? node.color : node.parent ? "set-up" : "start";
    const mistake = node.judgement ? node.judgement.mistake : "";
    dots.push(svgElement("circle", { class: `node ${kind} ${mistake} ${node.comment ? "commented" : ""}`, cx: x, cy: y, r: RADIUS, "data-id": node.id }));
  }
  svg.replaceChildren(svgElement("path", { class: "edges", d: edges.join("") }), ...dots);
  drawn = { tree, version: tree.version, places };
}

byId("tree").addEventListener("click", (event) => {
  if (event.target.dataset.id) goTo(app.tree.nodes.get(Number(event.target.dataset.id)));
});

addView(drawTree);
