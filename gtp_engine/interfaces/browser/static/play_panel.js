// Play: whose turn it is, the buttons of a game, how the engine plays.

import { addView, app, byId, capital, goTo, percent, refresh, rulesText } from "./app.js";
import { confirmThat, showRank } from "./dialogs.js";
import { ask, onEvent } from "./server.js";

/** May the person move in the position that is shown? */
export const mayPlay = () => !app.isLost && !isTipBlocked() && isPersons(app.node.toPlay);
const isPersons = (color) => app.play.person === "both" || app.play.person === color;
const isAtTip = () => app.node.id === app.play.tip;
const isTipBlocked = () => isAtTip() && Boolean(app.play.result || app.play.warning || app.play.isThinking);

/** The person's move in the position that is shown. */
export function playMove(vertex) {
  if (!app.isLost) ask({ do: "play", node: app.node.id, vertex });
}

/** The engine's advice for the position that is shown. */
export function showHint() {
  app.hintAt = app.node.id;
  ask({ do: "look", node: app.node.id });
  refresh();
}

onEvent("tree", () => { byId("comment").value = ""; });

function resultText(result) {
  if (result === "0") return "a draw";
  const winner = result[0] === "B" ? "Black" : "White";
  const how = { R: "by resignation", T: "on time" }[result.slice(2)] || `by ${result.slice(2)} points`;
  return `${winner} wins ${how}`;
}

/** The best move of a hint as a sentence. */
function hintText() {
  const { node } = app;
  if (app.hintAt !== node.id) return "";
  if (!node.found || !node.found.candidates.length) return "Looking for a good move …";
  const [best] = node.found.candidates;
  return `${best.vertex === "pass" ? "Passing" : best.vertex} is good: it wins ${percent(best.winRate)} of the time.`;
}

/** Who leads, where the territory is shown. */
function leadSentence() {
  const { found } = app.node;
  if (!app.showTerritory || app.mode !== "play") return "";
  if (!found) return "Looking at the territory …";
  const leader = found.lead < 0 ? "White" : "Black";
  const lead = Math.abs(found.lead) < 0.05 ? "The score is even" : `${leader} leads by about ${Math.abs(found.lead).toFixed(1)} points, komi included`;
  return `${lead}; Black wins ${percent(found.winRate)} of the time.`;
}

function noteText() {
  const { play } = app;
  if (app.isLost) return app.note;
  if (!app.isReady) return "The engine is getting ready: at the first start this takes a minute.";
  if (play.warning && isAtTip()) return `${play.warning.vertex} loses about ${play.warning.loss} points; ${play.warning.better} is better. Take it back?`;
  if (app.note) return app.note;
  if (play.outcome && isAtTip()) return play.outcome;
  return hintText() || leadSentence() || (play.isThinking && isAtTip() ? (play.isCounting ? "Counting …" : "The engine is thinking …") : "");
}

function drawStatus() {
  const { play, node, tree } = app;
  const isOver = Boolean(play.result) && isAtTip();
  byId("turn-disc").className = `disc ${node.toPlay}`;
  byId("turn").textContent = isOver ? `The game is over: ${resultText(play.result)}` : `${capital(node.toPlay)} to play`;
  byId("note").textContent = noteText();
  byId("facts").textContent = `Move ${node.moveNumber}. Captured by Black ${node.captures[0]}, by White ${node.captures[1]}.`;
  const handicap = tree.handicap ? `, ${tree.handicap} handicap stones` : "";
  byId("about").textContent = `${tree.size}×${tree.size}, ${rulesText(tree.rules)} rules, komi ${tree.komi}${handicap}`;
  for (const color of ["black", "white"]) byId(`name-${color}`).textContent = nameOf(color);
}

/** Who has a color: a name of the record, you, or the engine. */
function nameOf(color) {
  const { play, tree } = app;
  if (tree.players[color]) return tree.players[color];
  if (play.person === "both") return capital(color);
  return play.person === color ? `${capital(color)}, you` : `${capital(color)}, gtp_engine ${play.strength}`;
}

function drawButtons() {
  const { play } = app;
  const isPlaying = app.mode === "play";
  byId("play-buttons").hidden = !isPlaying;
  byId("play-panel").hidden = !isPlaying;
  byId("pass").disabled = !mayPlay();
  byId("hint").disabled = app.isLost || (isAtTip() && Boolean(play.result));
  byId("undo").disabled = app.isLost || play.person === "none";
  byId("resign").disabled = app.isLost || Boolean(play.result) || play.person === "none" || play.person === "both";
  byId("interrupt").hidden = !play.isThinking || play.isCounting;
  byId("pause").hidden = play.person !== "none" || Boolean(play.result);
  byId("pause").textContent = play.isPaused ? "Go on" : "Pause";
  byId("keep").hidden = !play.warning;
  byId("to-game").hidden = isAtTip();
  byId("continue").hidden = isAtTip() && play.person !== "both" && !play.result;
  byId("continue").textContent = `Play ${app.node.toPlay === "white" ? "White" : "Black"} from here`;
  byId("warns").checked = play.warns;
  showRank(byId("rank"), play.rank);
  byId("board").classList.toggle("may-play", isPlaying ? mayPlay() : true);
}

addView(drawStatus);
addView(drawButtons);

byId("pass").addEventListener("click", () => playMove("pass"));
byId("undo").addEventListener("click", () => ask({ do: "undo" }));
byId("hint").addEventListener("click", showHint);
byId("resign").addEventListener("click", async () => {
  if (await confirmThat("Resign this game?", "Resign")) ask({ do: "resign" });
});
byId("interrupt").addEventListener("click", () => ask({ do: "interrupt" }));
byId("pause").addEventListener("click", () => ask({ do: "pause", paused: !app.play.isPaused }));
byId("keep").addEventListener("click", () => ask({ do: "keep" }));
byId("to-game").addEventListener("click", () => goTo(app.game.tree.nodes.get(app.play.tip)));
byId("continue").addEventListener("click", () => ask({ do: "continue", node: app.node.id, color: app.node.toPlay, rank: byId("rank").value }));
byId("rank").addEventListener("change", () => ask({ do: "rank", rank: byId("rank").value }));
byId("warns").addEventListener("change", () => ask({ do: "warn", warns: byId("warns").checked }));
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const vertex = byId("vertex").value.trim();
  byId("vertex").value = "";
  if (vertex) playMove(vertex);
});
