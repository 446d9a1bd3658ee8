// Practice: problems and the person's own mistakes, on the board. The server judges each move; a wrong one is refuted on the board.

import { addView, app, byId, capital, element, refresh } from "./app.js";
import { GameTree } from "./game_tree.js";
import { ask, onEvent, openProblems } from "./server.js";

let wanted = false; // was the tab opened before anything was practised

/** May a move be tried? */
export const mayTry = () => !app.isLost && app.practice !== null && !app.practice.isOver && app.node === app.exercise.tip;

/** A move that the person tries. */
export function tryMove(vertex) {
  if (mayTry()) ask({ do: "try", vertex }).then(showNote);
}

export const nextExercise = () => ask({ do: "practice", source: byId("source").value }).then(showNote);
export const practiceHint = () => ask({ do: "hint" }).then(showNote);

/** The tab was opened. */
export function beginPractice() {
  if (app.practice === null && !wanted) nextExercise();
  else showLine();
  wanted = true;
}

function showNote(answer) {
  const text = answer.note || answer.error;
  if (text) byId("exercise-text").textContent = text;
}

/** Put a refutation or a solution on the board. */
function showLine() {
  const { practice } = app;
  const isHere = practice !== null && app.mode === "practice" && app.node === app.exercise.tip;
  app.shown = isHere && practice.line && practice.line.length ? { vertices: practice.line, color: practice.lineColor } : null;
}

onEvent("practice", (told) => {
  app.practice = told;
  if (told === null) return;
  app.exercise = { tree: null, node: null, tip: null };
  if (told.tree) {
    const tree = new GameTree(told.tree), tip = tree.nodes.get(told.node);
    app.exercise = { tree, node: tip, tip };
  }
  byId("source").value = told.source;
  byId("exercise-text").textContent = told.text;
  showLine();
});

function drawPractice() {
  const { practice } = app;
  byId("practice-panel").hidden = app.mode !== "practice";
  if (app.mode !== "practice") return;
  byId("open-problems").hidden = byId("source").value !== "collection";
  byId("exercise-next").disabled = practice === null || app.isLost;
  for (const id of ["exercise-hint", "exercise-solution"]) byId(id).disabled = practice === null || practice.isOver || app.isLost;
  if (practice === null) return;
  const [number, total] = practice.count;
  byId("exercise-title").textContent = practice.title;
  byId("exercise-grade").textContent = practice.source === "collection" && total ? `${number} of ${total}` : practice.grade || "";
  byId("exercise-text").className = practice.verdict;
  byId("practice-rating").textContent = `Your rating: ${practice.rating}, give or take ${practice.range}. ${practice.solved} solved at the first try, ${practice.missed} missed.`;
  const { problem, mistake } = practice.due;
  byId("practice-due").textContent = `Due for repetition: ${problem} of ${practice.kept.problem} problems, ${mistake} of ${practice.kept.mistake} mistakes.`;
}

byId("source").addEventListener("change", () => {
  if (byId("source").value === "collection" && !(app.practice && app.practice.count[1])) refresh();
  else nextExercise();
});
byId("exercise-hint").addEventListener("click", practiceHint);
byId("exercise-solution").addEventListener("click", () => ask({ do: "solution" }).then(showNote));
byId("exercise-next").addEventListener("click", nextExercise);
byId("open-problems").addEventListener("click", () => byId("problems-file").click());
byId("problems-file").addEventListener("change", () => {
  const [file] = byId("problems-file").files;
  if (file) openProblems(file).then(showNote);
  byId("problems-file").value = "";
});

byId("progress-box").addEventListener("toggle", async () => {
  if (byId("progress-box").open) showProgress(await ask({ do: "progress" }));
});

/** Points lost a move over all reviewed games, with intervals; what has changed is said where it is more than chance. */
function showProgress({ games = 0, fewest = 0, progress = [] }) {
  const counted = `${games} game${games === 1 ? "" : "s"} reviewed`;
  byId("progress-text").textContent = progress.length ? `${counted}. The true number is in the range nine times out of ten.` : `${counted}. With ${fewest} or more, the points that you lose per move appear here.`;
  byId("progress-table").hidden = !progress.length;
  byId("progress-rows").replaceChildren(...progress.map((each) => {
    const row = element("tr");
    const change = each.is_real ? `${Math.abs(each.change).toFixed(2)} ${each.change < 0 ? "less" : "more"}` : "no clear change";
    row.append(element("td", "", capital(each.title)), element("td", "", `${each.loss.toFixed(2)} (${each.low.toFixed(2)}–${each.high.toFixed(2)})`), element("td", "", change));
    return row;
  }));
}

addView(drawPractice);
