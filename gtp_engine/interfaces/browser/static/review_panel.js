// Review: the game judged move by move, on the board, while the review still goes on; its mistakes one after the other.

import { addView, app, byId, capital, element, goTo, percent, refresh } from "./app.js";
import { leaveLine } from "./navigation.js";
import { ask, onEvent } from "./server.js";

let ownOf = null; // the game whose player was taken for the person
let leftAt = null; // the move from whose judgement a line of play was put on the board
let review = null; // how far it is, and what it has found: see reviewing.py

onEvent("review", (told) => { review = told; });
onEvent("tree", () => { review = leftAt = null; });

const nodesOf = (ids) => (ids || []).map((id) => app.tree.nodes.get(id)).filter(Boolean);

/** The next mistake of the game after the position that is shown; after the last one the first. */
export function toNextMistake() {
  const mistakes = nodesOf(review && review.mistakes);
  goTo(mistakes.find((node) => node.depth > app.node.depth) || mistakes[0]);
}

function drawReview() {
  byId("review-panel").hidden = app.mode !== "review";
  if (app.mode !== "review") return;
  if (ownOf !== app.tree) byId("own-color").value = app.play.person;
  ownOf = app.tree;
  const isUnderWay = review !== null && !review.isOver;
  byId("begin-review").hidden = isUnderWay;
  byId("begin-review").textContent = review ? "Review again" : "Review this game";
  byId("stop-review").hidden = byId("progress").hidden = !isUnderWay;
  byId("progress").max = isUnderWay ? review.total : 1;
  byId("progress").value = isUnderWay ? review.done : 0;
  byId("next-mistake").hidden = !(review && review.mistakes && review.mistakes.length);
  drawReturn();
  drawVerdict();
  byId("reach").replaceChildren(...nodesOf(review && review.withinReach).map(momentItem));
  byId("reach-title").hidden = !(review && review.withinReach && review.withinReach.length);
  byId("moments").replaceChildren(...nodesOf(review && review.moments).map(momentItem));
  byId("moments-title").hidden = !(review && review.moments && review.moments.length);
  byId("players-summary").textContent = review && review.summary ? ["black", "white"].map(summaryText).join(" ") : "";
  byId("review-notes").textContent = (review && review.notes) || "";
}

function drawVerdict() {
  const judged = leftAt || app.node, { judgement, color, vertex, moveNumber } = judged, box = byId("verdict");
  if (!judgement) {
    box.replaceChildren(element("p", "faint", review ? "Go to a move to see what the review says about it." : "A review judges every move and explains the mistakes."));
    return;
  }
  const title = element("p");
  title.append(element("span", `disc ${color}`), " ", element("strong", "", `Move ${moveNumber}: ${capital(color)} ${vertex}`));
  title.append(" ", element("span", `size ${judgement.mistake || "good"}`, judgement.mistake || "good"));
  box.replaceChildren(title, element("p", "", judgement.text));
  if (!judgement.mistake) return;
  const { better, answer } = judgement, other = color === "black" ? "white" : "black", buttons = element("div", "buttons");
  if (better.length) buttons.append(lineButton(`Show ${better[0]}`, judged, judged.parent, better, color));
  if (answer.length) buttons.append(lineButton(`Show ${capital(other)}'s answer`, judged, judged, answer, other));
  box.append(element("p", "faint", chancesText(judgement, color)), buttons);
}

/** What a mistake did to its player's chances. */
function chancesText({ before, after }, color) {
  const [were, are] = [percent(before), percent(after)];
  return `${capital(color)}'s chances ${were === are ? `stay at ${are}` : `went from ${were} to ${are}`}.`;
}

/** A button that puts a line of play on the board, from the position where it begins; a step forward plays it. */
function lineButton(text, judged, start, vertices, color) {
  const button = element("button", "", text);
  button.addEventListener("click", () => {
    leftAt = judged;
    goTo(start);
    app.shown = { vertices, color };
    refresh();
  });
  return button;
}

/** The way back to the move whose line is looked at, until another move that was judged is shown. */
function drawReturn() {
  if (leftAt && app.node.judgement && !app.shown) leftAt = null;
  byId("to-review").hidden = leftAt === null;
  if (leftAt) byId("to-review").textContent = `Back to move ${leftAt.moveNumber}`;
}

function momentItem(node) {
  const item = element("li"), button = element("button");
  const { before, after } = node.judgement;
  button.append(element("span", `disc ${node.color}`), element("span", "", `${node.moveNumber} ${node.vertex}`), element("span", "lost", `${percent(before)} → ${percent(after)}`));
  button.addEventListener("click", () => goTo(node));
  item.append(button);
  return item;
}

function summaryText(color) {
  const { mistakes, mean_loss: loss } = review.summary[color];
  const counts = Object.entries(mistakes).filter(([, count]) => count).map(([size, count]) => `${count} ${count === 1 ? size : size === "inaccuracy" ? "inaccuracies" : `${size}s`}`);
  const rank = review.ranks[color];
  const like = rank ? ` The moves look like ${rank.rank}, anything from ${rank.low} to ${rank.high}.` : "";
  return `${capital(color)}: ${counts.join(", ") || "no mistakes"}, ${loss.toFixed(1)} points lost per move.${like}`;
}

byId("begin-review").addEventListener("click", () => ask({ do: "review", node: app.node.id, color: byId("own-color").value }));
byId("stop-review").addEventListener("click", () => ask({ do: "stop" }));
byId("next-mistake").addEventListener("click", toNextMistake);
byId("to-review").addEventListener("click", () => {
  app.shown = null;
  leaveLine(leftAt);
  refresh();
});

addView(drawReview);
