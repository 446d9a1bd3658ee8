// The page: it shows the state that the server has sent, sends what the person wants, and asks for the engine's move when it is its turn.

const byId = (id) => document.getElementById(id);
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const NO_RANK = "none";
const USUAL_KOMI = 7.5, HANDICAP_KOMI = 0.5;
let state = null;
let board = null; // a BoardView of the state's size
let isWaiting = false; // for an answer: nothing else is asked, but that the engine moves now
let newGame = null; // a request for another game that came meanwhile: it is sent next
let isPaused = false; // the person watches, and the engine's next move is not asked for

/** Ask the server; the answer's state is shown. Then the engine's move is asked for, as long as it is its turn. */
async function ask(request) {
  if (isWaiting) return;
  isWaiting = true;
  if (request.do === "new") {
    newGame = null;
    isPaused = false;
  }
  showControls(request.do);
  let isRefused = true;
  try {
    const answer = await post(request);
    if (answer.error) showRefusal(answer.error);
    else show(answer);
    isRefused = Boolean(answer.error);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // what fetch throws when nobody answers
    byId("note").textContent = "The engine does not answer: start gtp-engine play --browser again.";
    state = null;
  }
  isWaiting = false;
  showControls("");
  if (state === null) return;
  const next = newGame;
  if (next) setTimeout(() => ask(next), 0);
  else if (!isRefused) askForMove();
}

/** The engine's move, if it is its turn. */
function askForMove() {
  if (state.isEnginesTurn) setTimeout(() => { if (!isPaused) ask({ do: "answer" }); }, 0);
}

/** Let the engine move at once, if it thinks. Nobody answers where the program has ended: the request that is waited for tells it. */
const interrupt = () => post({ do: "interrupt" }).catch(() => {});

async function post(request) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("do", { method: "POST", headers, body: JSON.stringify(request) });
  return response.json();
}

function show(answer) {
  if (!board || answer.size !== board.size) {
    byId("board").replaceChildren();
    board = new BoardView(byId("board"), answer.size);
    board.layers.ghost = byId("board").appendChild(svgElement("g", { class: "ghost" }));
  }
  state = answer;
  board.showStones(state.stones, state.lastMove);
  board.showOwnership(state.ownership, state.stones);
  board.layers.ghost.replaceChildren();
  byId("note").textContent = state.note;
  showRank(state.rank);
  byId("turn-disc").className = `disc ${state.toPlay}`;
  byId("turn").textContent = state.result ? `The game is over: ${resultText(state.result)}` : `${capital(state.toPlay)} to play`;
  const { black, white } = state.captures;
  const handicap = state.handicap ? `, ${state.handicap} handicap stones` : "";
  byId("facts").textContent = `Move ${state.moves}. Captured by Black ${black}, by White ${white}.`;
  byId("about").textContent = `${state.size}x${state.size}, ${state.rules} rules, komi ${state.komi}${handicap}. The engine plays ${state.strength}.`;
  const last = state.lastMove ? `, last move ${state.lastMove}` : "";
  byId("board").setAttribute("aria-label", `${state.size} by ${state.size} board after ${state.moves} moves${last}`);
}

/** Tell what is wrong with a request. A rank that was refused must not be asked for again by the next game. */
function showRefusal(sentence) {
  byId("note").textContent = `${capital(sentence)}.`;
  if (state) showRank(state.rank);
}

/** Choose the rank in the list, which has not all that a human network of KataGo's knows. */
function showRank(rank) {
  const select = byId("rank");
  if (![...select.options].some((option) => option.value === rank)) addRank(rank);
  select.value = rank;
}

const addRank = (rank) => addOption(byId("rank"), rank, rank === NO_RANK ? "at full strength" : `at rank ${rank}`);

function resultText(result) {
  if (result === "0") return "a draw";
  const winner = result[0] === "B" ? "Black" : "White";
  return result.endsWith("R") ? `${winner} wins by resignation` : `${winner} wins by ${result.slice(2)}`;
}

const mayPlay = () => state !== null && !isWaiting && !state.result && !state.isEnginesTurn;

/** What can be pressed now. `doing`: what is waited for, or nothing. */
function showControls(doing) {
  for (const id of ["pass", "hint", "resign"]) byId(id).disabled = !mayPlay();
  for (const id of ["undo", "score", "rank"]) byId(id).disabled = state === null || isWaiting;
  byId("play").disabled = state === null || isWaiting;
  byId("begin").disabled = state === null;
  showPause();
  byId("interrupt").hidden = doing !== "answer";
  byId("board").classList.toggle("may-play", mayPlay());
  if (doing === "answer") byId("note").textContent = "The engine thinks …";
}

/** The button that stops an engine which plays itself, and lets it go on. */
function showPause() {
  byId("pause").hidden = state === null || state.person !== "none" || Boolean(state.result);
  byId("pause").textContent = isPaused ? "Go on" : "Pause";
}

/** The vertex under the mouse; "" beside the board. */
function vertexAt(event) {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(byId("board").getScreenCTM().inverse());
  const x = Math.round(place.x), y = Math.round(place.y), size = state.size;
  return x < 0 || y < 0 || x >= size || y >= size ? "" : `${COLUMNS[x]}${size - y}`;
}

byId("board").addEventListener("click", (event) => {
  if (!mayPlay()) return;
  const vertex = vertexAt(event);
  if (vertex) ask({ do: "play", vertex });
});
byId("board").addEventListener("pointermove", (event) => {
  if (!board || event.pointerType === "touch") return;
  const vertex = mayPlay() ? vertexAt(event) : "";
  const isFree = vertex && state.stones[indexOfVertex(vertex, state.size)] === EMPTY;
  const place = isFree ? placeOfVertex(vertex, state.size) : null;
  const color = state && state.toPlay === "white" ? WHITE : BLACK;
  board.layers.ghost.replaceChildren(...(place ? board.stone(place.x, place.y, color) : []));
});
byId("board").addEventListener("pointerleave", () => { if (board) board.layers.ghost.replaceChildren(); });

byId("pass").addEventListener("click", () => ask({ do: "play", vertex: "pass" }));
for (const id of ["undo", "hint", "score", "resign"]) byId(id).addEventListener("click", () => ask({ do: id }));
byId("interrupt").addEventListener("click", interrupt);
byId("pause").addEventListener("click", () => {
  isPaused = !isPaused;
  showPause();
  if (isWaiting) interrupt();
  else askForMove();
});
byId("rank").addEventListener("change", () => ask({ do: "rank", rank: byId("rank").value }));
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const vertex = byId("vertex").value.trim();
  byId("vertex").value = "";
  if (vertex) ask({ do: "play", vertex });
});
byId("new-game").addEventListener("submit", (event) => {
  event.preventDefault();
  const handicap = Number(byId("handicap").value), komi = Number(byId("komi").value);
  newGame = { do: "new", size: Number(byId("size").value), color: byId("color").value, handicap, komi, rank: byId("rank").value };
  if (isWaiting) interrupt();
  else ask(newGame);
});
byId("handicap").addEventListener("change", () => { byId("komi").value = byId("handicap").value === "0" ? USUAL_KOMI : HANDICAP_KOMI; });

function addOption(select, value, text) {
  const option = select.appendChild(document.createElement("option"));
  option.value = value;
  option.textContent = text;
}

choices.ranks.forEach(addRank);
for (const size of choices.sizes) addOption(byId("size"), size, `${size}x${size}`);
for (const stones of [0, 2, 3, 4, 5, 6, 7, 8, 9]) addOption(byId("handicap"), stones, stones || "none"); // GTP's fixed handicap
ask({ do: "state" });
