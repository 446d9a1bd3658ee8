// Between the page and the server: requests, and the events that tell what happens.

import { app, capital, goTo, refresh, tell } from "./app.js";
import { GameTree } from "./game_tree.js";

let wanted = null; // the id of a node that an answer has named and no event has brought yet
let shownThere = null; // a variation that begins there, see app.shown
const listeners = {}; // name of an event -> who hears of it, beside what is done here

/** `listener` hears of events of this name. */
export const onEvent = (name, listener) => (listeners[name] = listener);

/** Ask for something; the answer, {} where nobody answers. Where it names a node, that one is shown, with a variation that begins there. */
export async function ask(request, shown = null) {
  shownThere = shown;
  return send("do", "application/json", JSON.stringify(request));
}

/** Open a record: a File or a text. */
export const openRecord = (record) => send("open", "application/x-go-sgf", record);

/** Open a collection of problems, likewise. */
export const openProblems = (record) => send("problems", "application/x-go-sgf", record);

async function send(path, type, body) {
  let answer;
  try {
    const response = await fetch(path, { method: "POST", headers: { "Content-Type": type }, body });
    answer = await response.json();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // what fetch throws when nobody answers
    lose();
    return {};
  }
  if (answer.node !== undefined) show(answer.node);
  if (answer.error) tell(`${capital(answer.error)}${answer.error.endsWith(".") ? "" : "."}`);
  else if (answer.note !== undefined) tell(answer.note);
  return answer;
}

/** Nobody answers any more. */
function lose() {
  app.isLost = true;
  tell("The engine does not answer: start gtp-engine play --browser again.");
}

/** Show the node with this id, now or as soon as it comes. */
function show(id) {
  const node = app.game.tree.nodes.get(id);
  wanted = node ? null : id;
  if (node) goToGame(node);
}

/** Show a position of the game; while something is practised, as soon as that is over. */
function goToGame(node) {
  if (app.board === app.game) goTo(node, shownThere);
  else app.game.node = node;
  shownThere = null;
}

/** What each part of an event does. */
const takes = {
  tree(data) {
    app.mode = data.isRecord ? "study" : "play";
    app.game = { tree: new GameTree(data), node: null };
    app.hintAt = null;
    goTo(app.game.tree.root);
  },
  gone(ids) {
    const { game } = app;
    while (game.node.parent && ids.includes(game.node.id)) game.node = game.node.parent;
    game.tree.remove(ids);
  },
  nodes(nodes) {
    for (const node of nodes) app.game.tree.put(node);
    if (wanted !== null) show(wanted);
  },
  found(found) {
    for (const [id, what] of Object.entries(found)) {
      const node = app.game.tree.nodes.get(Number(id));
      if (node) node.found = what;
    }
    app.game.tree.foundVersion = (app.game.tree.foundVersion || 0) + 1;
  },
  moved({ path, node }) {
    const follows = node !== undefined && app.play && app.game.node.id === app.play.tip && app.mode === "play";
    if (follows) wanted = node;
    app.game.tree.promote(path);
  },
  play(play) {
    const isFirst = app.play === null;
    app.play = play;
    if (isFirst && !app.game.tree.isRecord) show(play.tip);
  },
  isReady(isReady) { app.isReady = isReady; },
  note(note) { app.note = note; },
};

/** Hear what happens from now on. */
export function listen() {
  const events = new EventSource("events");
  events.onmessage = (message) => {
    const event = JSON.parse(message.data);
    app.isLost = false;
    for (const [name, data] of Object.entries(event)) {
      if (takes[name]) takes[name](data);
      if (listeners[name]) listeners[name](data);
    }
    refresh();
  };
  events.onerror = () => lose();
}
