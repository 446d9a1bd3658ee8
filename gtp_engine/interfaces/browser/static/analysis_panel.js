// Analysis: the engine's candidates as it finds them, moves that are avoided or tried, why not here, what becomes of a chain.

import { addView, app, byId, choices, element, leadText, percent, refresh } from "./app.js";
import { candidates, foundHere } from "./board_view.js";
import { setHovered } from "./pointer.js";
import { ask, onEvent } from "./server.js";
import { shortCount } from "./board.js";

const PATIENCE = 60; // ms that a position is looked at before it is searched: who steps quickly through a game starts no searches
const ROWS = 8; // candidates that are listed
const POSSIBLE = { why: "Why not here?", fate: "What becomes of this chain?", avoid: "Leave this move out", try: "Try this move alone" };
let due = 0, wantedAt = null;

/** What a click on a point does with one of the tools of this panel; false for other tools. */
export function examine(vertex) {
  const { node, tool } = app;
  if (!POSSIBLE[tool]) return false;
  app.shown = null;
  if (tool === "why" || tool === "fate") {
    byId("answer").textContent = "Looking …";
    ask({ do: tool, node: node.id, vertex }).then((answer) => { if (answer.note) byId("answer").textContent = answer.note; });
  } else {
    const before = app.analysis && app.analysis.node === node.id ? app.analysis.avoided : [];
    const avoid = tool === "avoid" ? [...before.filter((other) => other !== vertex), vertex] : [];
    ask({ do: "analyze", node: node.id, avoid, try: tool === "try" ? vertex : undefined });
    byId("analyze").checked = true;
    wantedAt = node;
  }
  return true;
}

const isWanted = () => byId("analyze").checked && app.mode === "study" && !app.isLost;

/** Have the position that is shown searched, as long as that is wanted. */
function follow() {
  if (!isWanted()) {
    if (wantedAt) ask({ do: "analyze", node: null });
    wantedAt = null;
    return;
  }
  if (wantedAt === app.node) return;
  wantedAt = app.node;
  clearTimeout(due);
  due = setTimeout(() => { if (isWanted() && wantedAt === app.node) ask({ do: "analyze", node: app.node.id }); }, PATIENCE);
}

onEvent("analysis", (analysis) => {
  app.analysis = analysis;
  app.limited = null;
  if (analysis === null && wantedAt) byId("analyze").checked = false;
  if (analysis === null) wantedAt = null;
});
onEvent("limited", (limited) => { app.limited = limited; });
onEvent("objection", (told) => show(told.node, told.text, told.vertex && told.line));
onEvent("fate", (told) => {
  show(told.node, told.text, null);
  byId("lines").replaceChildren(...Object.entries(told.lines).filter(([, line]) => line.length).map(([color, line]) => lineButton(told.node, color, line)));
});

/** Show what was said of a position, with a line of play from there. */
function show(id, text, line) {
  byId("answer").textContent = text;
  byId("lines").replaceChildren();
  if (line && app.node.id === id) app.shown = { vertices: line, color: app.node.toPlay };
}

function lineButton(id, color, line) {
  const button = element("button", "", `${color === "black" ? "Black" : "White"} first`);
  button.addEventListener("click", () => {
    if (app.node.id !== id) return;
    app.shown = { vertices: line, color };
    refresh();
  });
  return button;
}

function drawAnalysis() {
  follow();
  byId("analysis-panel").hidden = app.mode !== "study";
  const found = foundHere(), wish = app.analysis && app.analysis.node === app.node.id ? app.analysis : null;
  const limits = wish && wish.tried ? `only ${wish.tried} is tried` : wish && wish.avoided.length ? `without ${wish.avoided.join(", ")}` : "";
  byId("limits").textContent = limits;
  byId("all-moves").hidden = !limits;
  byId("summary").textContent = found ? summaryText(found) : "";
  byId("candidates").hidden = !found || !found.candidates.length;
  const listed = candidates();
  rows.forEach((row, i) => showCandidate(row, listed[i]));
  if (!app.shown && app.node !== drawAnalysis.at) byId("answer").textContent = "";
  drawAnalysis.at = app.node;
}

function summaryText({ winRate, lead, visits }) {
  return visits ? `Black wins ${percent(winRate)}, ${leadText(lead)}; ${visits} visits` : `The game is over: counted, ${leadText(lead)}`;
}

/** The rows of the table; they stay, and only their texts change: who is about to click one isn't disturbed ten times a second. */
const rows = Array.from({ length: ROWS }, () => {
  const row = byId("candidate-rows").appendChild(element("tr"));
  const name = element("button");
  name.addEventListener("click", () => ask({ do: "move", node: app.node.id, vertex: row.dataset.vertex }));
  name.addEventListener("focus", () => setHovered(row.dataset.vertex));
  row.addEventListener("pointerenter", () => setHovered(row.dataset.vertex));
  row.addEventListener("pointerleave", () => setHovered(""));
  row.appendChild(element("td")).append(name);
  row.append(element("td"), element("td"), element("td"), element("td", "wide"));
  return row;
});

function showCandidate(row, candidate) {
  row.hidden = !candidate;
  if (!candidate) return;
  const { vertex, winRate, lead, visits, variation } = candidate;
  row.dataset.vertex = vertex;
  row.querySelector("button").textContent = vertex;
  const texts = [percent(winRate), `${lead < 0 ? "−" : "+"}${Math.abs(lead).toFixed(1)}`, shortCount(visits), variation.split(" ").slice(1, 6).join(" ")];
  texts.forEach((text, i) => { row.cells[i + 1].textContent = text; });
}

for (const name of choices.networks) byId("network").append(new Option(name, name));
onEvent("network", (name) => { byId("network").value = name; });
byId("network").addEventListener("change", async () => {
  const wasWanted = byId("analyze").checked;
  await ask({ do: "network", name: byId("network").value });
  byId("analyze").checked = wasWanted;
  wantedAt = null;
  refresh();
});
byId("analyze").addEventListener("change", refresh);
byId("all-moves").addEventListener("click", () => ask({ do: "analyze", node: app.node.id }));

addView(drawAnalysis);
