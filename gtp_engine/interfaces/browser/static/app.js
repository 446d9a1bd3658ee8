// What the page knows and shows, in one place. Whoever changes it asks for a refresh; every view then draws what is its own.

export const choices = JSON.parse(document.getElementById("choices").textContent);

export const app = {
  game: { tree: null, node: null }, // a GameTree, and the position of it that was looked at last
  exercise: { tree: null, node: null }, // the same of what is practised
  get board() { return this.mode === "practice" && this.exercise.tree ? this.exercise : this.game; },
  get tree() { return this.board.tree; },
  get node() { return this.board.node; }, // the position on the board
  set node(node) { this.board.node = node; },
  practice: null, // what is practised, as the server tells it
  play: null, // the game that is played, as the server tells it
  mode: "play", // which of the tabs is open
  isReady: true, // has the engine compiled what it needs
  isLost: false, // does the server not answer any more
  note: "", // a sentence for the person
  showTerritory: false,
  hintAt: null, // the id of the node whose hint is shown
  hovered: "", // the vertex of the candidate whose variation is shown
  tool: "move", // what a click on the board does in the study
  analysis: null, // what is analyzed, as the server tells it
  limited: null, // what an analysis without some moves found, which isn't kept: {node, found}
  shown: null, // moves of a variation on the board, which steps forward play: {vertices, color}
};

export const byId = (id) => document.getElementById(id);
export const capital = (word) => word[0].toUpperCase() + word.slice(1);
export const rulesText = (rules) => ({ aga: "AGA", cgos: "CGOS", new_zealand: "New Zealand", "tromp-taylor": "Tromp-Taylor" })[rules] || capital(rules);
export const percent = (rate) => `${Math.round(100 * rate)}%`;
export const leadText = (lead) => (Math.abs(lead) < 0.05 ? "even" : `${lead < 0 ? "W" : "B"}+${Math.abs(lead).toFixed(1)}`);

/** A new element with this class and text. */
export function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

const views = [];
let isDue = false;

/** `view` is called after every change. */
export const addView = (view) => views.push(view);

/** Draw what has changed, once, before the next frame. */
export function refresh() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(draw);
}

function draw() {
  isDue = false;
  if (app.tree) for (const view of views) view();
}

/** Show a position, and a variation that begins there. */
export function goTo(node, shown = null) {
  if (!node || node === app.node) return;
  app.node = node;
  app.hovered = "";
  app.shown = shown;
  app.note = "";
  refresh();
}

/** Show a sentence. */
export function tell(note) {
  app.note = note;
  refresh();
}
