// The page: which position is shown, and everything that changes with it. Position i is the board after i moves; what is judged there
// is the next move, number i + 1.

import { BLACK, BoardView, COLOR_NAMES, COLUMNS, EMPTY, LEAST_OWNERSHIP, MARGIN, WHITE, ownershipValues, shortCount } from "../../pages/board.js";
import { GraphView, leadScale } from "../../pages/graph.js";
import { Trial } from "./trial.js";

const review = JSON.parse(document.getElementById("review").textContent);
const last = review.positions.length - 1;
const mistakes = review.moves.filter((move) => move.mistake !== "");
const LEAST_SWIPE = 40, MOST_TAP = 10; // pixels that a finger moves
let position = 0;
let trial = null; // the reader's own moves, while some are tried
let shownVariation = ""; // the vertex of the candidate whose variation is on the board

const byId = (id) => document.getElementById(id);

/** A new element with this class and text. */
function element(name, className = "", text = "") {
  const result = document.createElement(name);
  if (className) result.className = className;
  result.textContent = text;
  return result;
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const percent = (rate) => `${Math.round(100 * rate)}%`;
const signed = (points) => `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;
const leadText = (lead) => `${lead < 0 ? "W" : "B"}+${Math.abs(lead).toFixed(1)}`;
const playerName = (color) => review.players[color] || capital(color);

/** The board after each number of moves, as colors by index. */
const boards = (() => {
  let colors = new Array(review.size * review.size).fill(EMPTY);
  return review.positions.map(({ changes }) => {
    colors = colors.slice();
    for (let i = 0; i < changes.length; i += 2) colors[changes[i]] = changes[i + 1];
    return colors;
  });
})();

const board = new BoardView(byId("board"), review.size);
const winScale = { low: 0, high: 100, even: 50, ticks: [0, 50, 100], unit: "%" };
const leads = review.positions.map((each) => each.lead);
const graphs = [
  new GraphView(byId("win-graph"), review.positions.map((each) => 100 * each.winRate), winScale, mistakes, show),
  new GraphView(byId("lead-graph"), leads, leadScale(leads), mistakes, show),
];

/** Show the position after `wanted` moves, or the nearest there is. */
function show(wanted) {
  position = Math.min(Math.max(wanted, 0), last);
  endTrial();
  shownVariation = "";
  showBoard();
  showWinBar();
  showVerdict();
  showCandidateTable();
  for (const graph of graphs) graph.show(position);
  byId("where").textContent = `${position} / ${last}`;
  const slider = byId("win-graph");
  slider.setAttribute("aria-valuenow", position);
  slider.setAttribute("aria-valuetext", `after move ${position}, Black wins ${percent(review.positions[position].winRate)}`);
  markMistake();
  rememberInAddress();
}

/** Show in the list which mistake is on the board, scrolling the list only. */
function markMistake() {
  const list = byId("mistakes");
  for (const button of list.querySelectorAll("button")) {
    if (Number(button.dataset.number) === position + 1) {
      button.setAttribute("aria-current", "true");
      const above = button.offsetTop - list.offsetTop, space = list.clientHeight - button.offsetHeight;
      if (above < list.scrollTop || above > list.scrollTop + space) list.scrollTop = above - space / 2;
    } else {
      button.removeAttribute("aria-current");
    }
  }
}

/** The address names the position, so that a link can. Pages opened as files may not be allowed to change it. */
function rememberInAddress() {
  try {
    history.replaceState(null, "", `#${position}`);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

function showBoard() {
  const now = review.positions[position];
  const lastMove = position ? review.moves[position - 1].vertex : "";
  const move = review.moves[position];
  board.showStones(boards[position], lastMove);
  board.showOwnership(byId("show-ownership").checked ? ownershipValues(now.ownership) : [], boards[position]);
  const candidates = byId("show-candidates").checked ? now.candidates : [];
  board.showCandidates(candidates, move ? move.vertex : "", move ? move.mistake || "good" : "");
  const stones = boards[position].filter((color) => color !== EMPTY).length;
  const end = lastMove ? `, last move ${review.moves[position - 1].color} ${lastMove}` : "";
  byId("board").setAttribute("aria-label", `${review.size} by ${review.size} board after ${position} ${position === 1 ? "move" : "moves"}, ${stones} stones${end}`);
}

function showWinBar() {
  const { winRate, lead } = review.positions[position];
  byId("win-bar-black").style.width = percent(winRate);
  byId("win-bar-text").textContent = `Black ${percent(winRate)} · ${leadText(lead)}`;
  byId("win-bar").setAttribute("aria-label", `Black wins ${percent(winRate)}, ${leadText(lead)}`);
}

function showVerdict() {
  const box = byId("verdict");
  const move = review.moves[position];
  if (!move) {
    box.replaceChildren(element("strong", "", review.moves.length ? "The end of the record" : "There are no moves"), lastLine());
    return;
  }
  const title = element("p");
  title.append(element("span", `disc ${move.color}`), " ", element("strong", "", `Move ${move.number}: ${capital(move.color)} ${move.vertex}`));
  title.append(element("span", `size ${move.mistake || "good"}`, move.mistake || "good"));
  box.replaceChildren(title, element("p", "", move.verdict), element("p", "faint", numbersText(move)));
}

function lastLine() {
  const result = review.result ? `Result: ${review.result}. ` : "";
  const { winRate, lead } = review.positions[position];
  return element("p", "", `${result}Black wins ${percent(winRate)}, ${leadText(lead)}.`);
}

/** The chances and the lead of a move's player, before and after it. */
function numbersText(move) {
  const name = capital(move.color), before = percent(move.win_rate_before), now = percent(move.win_rate_after), lead = signed(move.score_lead_after);
  if (!move.mistake) return `${name}'s chances: ${now}. Lead: ${lead} points.`;
  const chances = before === now ? `stay at ${now}` : `went from ${before} to ${now}`;
  return `${name}'s chances ${chances}, the lead went from ${signed(move.score_lead_before)} to ${lead} points.`;
}

function showCandidateTable() {
  const now = review.positions[position];
  const played = review.moves[position] ? review.moves[position].vertex : "";
  byId("candidates-title").textContent = now.candidates.length ? `${capital(now.toPlay)} to play` : "No candidates here";
  const rows = now.candidates.map((candidate) => {
    const row = element("tr");
    row.dataset.vertex = candidate.vertex;
    const name = element("td");
    const button = element("button", "", candidate.vertex);
    button.setAttribute("aria-label", `Show the variation after ${candidate.vertex}`);
    name.append(button);
    if (candidate.vertex === played) name.append(element("span", "tag", "played"));
    row.append(name, element("td", "", percent(candidate.winRate)), element("td", "", signed(candidate.lead)));
    row.append(element("td", "", String(candidate.visits)), element("td", "wide", candidate.variation));
    row.addEventListener("click", () => toggleVariation(candidate.vertex));
    return row;
  });
  byId("candidates").tBodies[0].replaceChildren(...rows);
}

/** Put a candidate's variation on the board, or take it off again. Moves that are being tried end. */
function toggleVariation(vertex) {
  endTrial();
  const now = review.positions[position];
  const candidate = now.candidates.find((each) => each.vertex === vertex);
  const isOff = shownVariation === vertex || !candidate;
  showBoard();
  markVariation(isOff ? "" : vertex);
  if (!isOff) board.showVariation(candidate.variation.split(" "), now.toPlay === "black" ? BLACK : WHITE);
}

/** Note which candidate's variation is on the board, "" for none, and show it in the table. */
function markVariation(vertex) {
  shownVariation = vertex;
  for (const row of byId("candidates").tBodies[0].rows) row.classList.toggle("shown", row.dataset.vertex === vertex);
}

/** The board as the switches want it, without tried moves and variations. */
function showPlainBoard() {
  endTrial();
  markVariation("");
  showBoard();
}

/** Show the position before the next mistake; after the last one, before the first. */
function showNextMistake() {
  const next = mistakes.find((move) => move.number > position + 1) || mistakes[0];
  if (next) show(next.number - 1);
}

function fillHeader() {
  const title = `${playerName("black")} – ${playerName("white")}`;
  document.title = `${title}: review`;
  byId("players").replaceChildren(element("span", "disc black"), ` ${playerName("black")} – `, element("span", "disc white"), ` ${playerName("white")}`);
  const result = review.result ? `, ${review.result}` : "";
  const note = review.isFirstLook ? " — a first look; the review goes on" : "";
  byId("about").textContent = `${review.size}x${review.size}, ${review.rules} rules, komi ${review.komi}${result}, ${last} ${last === 1 ? "move" : "moves"}${note}`;
  const warnings = review.warnings.length ? ` The record: ${review.warnings.join("; ")}.` : "";
  byId("footer").textContent = `Reviewed by the Go program gtp_engine ${review.version}. Judged by ${review.judgedBy}. ${review.effort}. ${review.notes}${warnings} Keys: ← → Home End, Page up, Page down, N for the next mistake.`;
}

function fillMistakes() {
  const table = byId("summary").tBodies[0];
  const head = element("tr");
  for (const title of ["", "Points lost per move", "Engine's move", "?!", "?", "??"]) head.append(element("th", "", title));
  ["inaccuracies", "mistakes", "blunders"].forEach((name, i) => { head.cells[3 + i].title = name; });
  table.append(head);
  for (const color of ["black", "white"]) {
    const row = element("tr");
    const { mean_loss: meanLoss, agreement, mistakes: sizes } = review.summary[color];
    row.append(element("td", "", playerName(color)), element("td", "", meanLoss.toFixed(1)), element("td", "", percent(agreement)));
    for (const size of ["inaccuracy", "mistake", "blunder"]) row.append(element("td", "", String(sizes[size])));
    table.append(row);
  }
  fillRanks();
  fillPhases();
  sortMistakes();
}

/** What rank the moves look like, where it can be told. */
function fillRanks() {
  const texts = Object.entries(review.ranks).map(([color, { rank, low, high, interval }]) =>
    `${playerName(color)}'s moves look like ${rank} (${percent(interval)} sure: from ${low} to ${high})`);
  byId("ranks").hidden = !texts.length;
  if (texts.length) byId("ranks").textContent = `In ranks of the OGS server, ${texts.join("; ")}. A single game says little.`;
}

/** How the players did in each phase, and why their mistakes were mistakes, as far as that is certain. */
function fillPhases() {
  const table = byId("phases").tBodies[0];
  const head = element("tr");
  for (const title of ["Phase", "Points lost per move", "Engine's move", "Mistakes"]) head.append(element("th", "", title));
  table.append(head);
  for (const color of ["black", "white"]) {
    for (const [phase, figures] of Object.entries(review.summary[color].phases)) {
      const row = element("tr");
      row.append(element("td", "", `${playerName(color)}, ${phase}`), element("td", "", figures.mean_loss.toFixed(1)));
      row.append(element("td", "", percent(figures.agreement)), element("td", "", String(figures.mistakes)));
      table.append(row);
    }
  }
  const texts = ["black", "white"].map((color) => {
    const kinds = Object.entries(review.summary[color].kinds).sort((a, b) => b[1] - a[1]);
    return kinds.length ? `${playerName(color)}'s mistakes by reason: ${kinds.map(([kind, count]) => `${review.kindNames[kind]} ${count}`).join(", ")}.` : "";
  });
  byId("kinds").textContent = texts.filter(Boolean).join(" ");
}

/** A line of the list of mistakes, which leads to the position before the move. */
function mistakeItem(move) {
  const item = element("li");
  const button = element("button");
  button.dataset.number = move.number;
  button.append(element("span", `disc ${move.color}`), element("span", "", `${move.number} ${move.vertex}`));
  button.append(element("span", `size ${move.mistake}`, move.mistake), element("span", "lost", `−${move.loss.toFixed(1)}`));
  button.addEventListener("click", () => show(move.number - 1));
  item.append(button);
  return item;
}

/** List the mistakes in the order of the game, or the largest first. */
function sortMistakes() {
  const bySize = byId("sort-by-size").checked;
  const listed = bySize ? [...mistakes].sort((a, b) => b.loss - a.loss || a.number - b.number) : mistakes;
  byId("mistakes").replaceChildren(...(listed.length ? listed.map(mistakeItem) : [element("li", "", "None.")]));
  markMistake();
}

/** The biggest swings: the moves that cost most of their players' chances. */
function fillMoments() {
  const decisive = review.moments.map((number) => {
    const move = review.moves[number - 1];
    const item = element("li");
    const button = element("button");
    const chances = `${percent(move.win_rate_before)} → ${percent(move.win_rate_after)}`;
    button.append(element("span", `disc ${move.color}`), element("span", "", `${move.number} ${move.vertex}`), element("span", "lost", chances));
    button.addEventListener("click", () => show(number - 1));
    item.append(button);
    return item;
  });
  byId("moments").replaceChildren(...(decisive.length ? decisive : [element("li", "", "No single move.")]));
}

function listen() {
  const steps = { first: () => 0, "back-ten": () => position - 10, back: () => position - 1 };
  Object.assign(steps, { forward: () => position + 1, "forward-ten": () => position + 10, last: () => last });
  for (const [id, target] of Object.entries(steps)) byId(id).addEventListener("click", () => show(target()));
  byId("sort-by-size").addEventListener("change", sortMistakes);
  byId("next-mistake").addEventListener("click", showNextMistake);
  for (const id of ["show-ownership", "show-candidates"]) byId(id).addEventListener("change", showPlainBoard);
  byId("try-moves").addEventListener("change", () => (byId("try-moves").checked ? beginTrial() : show(position)));
  byId("undo-try").addEventListener("click", () => { if (trial && trial.undo()) showTrial(); });
  const keys = { Home: steps.first, End: steps.last, PageUp: steps["back-ten"], PageDown: steps["forward-ten"] };
  Object.assign(keys, { ArrowLeft: steps.back, ArrowRight: steps.forward });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "n" || event.key === "N") showNextMistake();
    if (!(event.key in keys)) return;
    event.preventDefault();
    show(keys[event.key]());
  });
  window.addEventListener("hashchange", showFromAddress);
  listenToBoard();
}

/** A swipe steps, a tap on a candidate shows its variation, a tap elsewhere on the right half steps forward, on the left half back. */
function listenToBoard() {
  const svg = byId("board");
  let start = null;
  svg.addEventListener("pointerdown", (event) => { start = event.button === 0 ? event : null; });
  svg.addEventListener("pointercancel", () => { start = null; });
  svg.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") showOwner(indexAt(event, svg)); });
  svg.addEventListener("pointerleave", () => showOwner(-1));
  svg.addEventListener("pointerup", (event) => {
    if (start === null) return;
    const right = event.clientX - start.clientX, down = event.clientY - start.clientY;
    const candidate = start.target.closest(".candidate");
    start = null;
    if (Math.abs(right) > LEAST_SWIPE && Math.abs(right) > 2 * Math.abs(down)) show(position + (right < 0 ? 1 : -1));
    else if (Math.hypot(right, down) > MOST_TAP) return;
    else if (trial !== null) tryMove(indexAt(event, svg));
    else if (candidate !== null) toggleVariation(candidate.dataset.vertex);
    else if (shownVariation) toggleVariation(shownVariation);
    else stepTowards(event.clientX, svg.getBoundingClientRect());
  });
}

function stepTowards(x, box) {
  show(position + (x > box.left + box.width / 2 ? 1 : -1));
}

/** The index of the point under the pointer; -1 beside the board. */
function indexAt(event, svg) {
  const box = svg.getBoundingClientRect();
  const unit = box.width / (review.size - 1 + 2 * MARGIN);
  const x = Math.round((event.clientX - box.left) / unit - MARGIN), y = Math.round((event.clientY - box.top) / unit - MARGIN);
  return Math.min(x, y) < 0 || Math.max(x, y) >= review.size ? -1 : y * review.size + x;
}

const vertexOf = (index) => `${COLUMNS[index % review.size]}${review.size - Math.floor(index / review.size)}`;

/** Say who will own the point. */
function showOwner(index) {
  if (trial !== null) return;
  const value = index < 0 ? 0 : ownershipValues(review.positions[position].ownership)[index];
  const owner = Math.abs(value) < LEAST_OWNERSHIP ? "open" : `${value > 0 ? "Black" : "White"}'s, ${percent(Math.abs(value))} sure`;
  byId("point-note").textContent = index < 0 ? "" : `${vertexOf(index)}: ${owner}`;
}

/** From now on, clicks on the board play moves. */
function beginTrial() {
  const toPlay = review.positions[position].toPlay === "black" ? BLACK : WHITE;
  trial = new Trial(boards[position], review.size, toPlay, position ? boards[position - 1] : null);
  markVariation("");
  showTrial();
}

function endTrial() {
  trial = null;
  byId("try-moves").checked = false;
  byId("undo-try").hidden = true;
  byId("point-note").textContent = "";
}

function tryMove(index) {
  if (index < 0) return;
  if (trial.play(index)) showTrial();
  else byId("point-note").textContent = `${vertexOf(index)} is not allowed`;
}

function showTrial() {
  const { moves } = trial;
  board.showStones(trial.colors, moves.length ? vertexOf(moves[moves.length - 1]) : "");
  board.showOwnership([], trial.colors);
  board.showCandidates([], "", "");
  byId("undo-try").hidden = !moves.length;
  byId("point-note").textContent = `${capital(COLOR_NAMES[trial.toPlay])} to play: click a point${moves.length ? "" : "; a step leaves this"}`;
}

/** `#35`: after 35 moves. `#move=35`: where move 35 is judged, the position before it. */
function showFromAddress() {
  const match = /^#(move=)?(\d+)$/.exec(location.hash);
  show(match ? Number(match[2]) - (match[1] ? 1 : 0) : 0);
}

byId("win-graph").setAttribute("aria-valuemin", 0);
byId("win-graph").setAttribute("aria-valuemax", last);
fillHeader();
fillMoments();
fillMistakes();
listen();
showFromAddress();
