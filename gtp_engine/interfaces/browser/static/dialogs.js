// Questions before something is lost, the choices of another game, and the list of keys.

import { app, byId, choices, element, rulesText } from "./app.js";
import { ask } from "./server.js";

const NO_RANK = "none";
const USUAL_KOMI = 7.5, TERRITORY_KOMI = 6.5, HANDICAP_KOMI = 0.5;
const CLOCKS = {
  none: null,
  "10m": { kind: "absolute", main: 600 },
  "30m": { kind: "absolute", main: 1800 },
  "10m+3x30": { kind: "byoyomi", main: 600, period: 30, periods: 3 },
  "30m+5x30": { kind: "byoyomi", main: 1800, period: 30, periods: 5 },
  "5m+5s": { kind: "fischer", main: 300, period: 5 },
  "15m+10s": { kind: "fischer", main: 900, period: 10 },
};

/** Ask a question; true when the person wants it. */
export function confirmThat(question, action) {
  const dialog = byId("confirm");
  byId("question").textContent = question;
  byId("confirm-yes").textContent = action;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

export function addOption(select, value, text) {
  const option = element("option", "", text);
  option.value = value;
  select.append(option);
}

/** Choose a rank in a list, which has not all that a human network of KataGo's knows. */
export function showRank(select, rank) {
  if (![...select.options].some((option) => option.value === rank)) addOption(select, rank, rankText(rank));
  if (select.value !== rank) select.value = rank;
}

export const rankText = (rank) => (rank === NO_RANK ? "full strength" : rank);

for (const id of ["rank", "new-rank"]) for (const rank of choices.ranks) addOption(byId(id), rank, rankText(rank));
for (const size of choices.sizes) addOption(byId("size"), size, `${size}×${size}`);
for (const rules of choices.rules) addOption(byId("rules"), rules, rulesText(rules));
for (const stones of [0, 2, 3, 4, 5, 6, 7, 8, 9]) addOption(byId("handicap"), stones, stones || "none"); // GTP's fixed handicap

/** Let the person choose another game. */
export function showNewGame() {
  const { play, game: { tree } } = app;
  if (choices.sizes.includes(tree.size)) byId("size").value = tree.size;
  byId("rules").value = tree.rules;
  byId("color").value = play.person;
  showRank(byId("new-rank"), play.rank);
  byId("pace").checked = play.isPaced;
  const isUnderWay = !play.result && tree.nodes.get(play.tip).moveNumber > 0;
  byId("new-warning").hidden = !isUnderWay;
  byId("new-dialog").returnValue = "";
  byId("new-dialog").showModal();
}

function suggestKomi() {
  const usual = byId("rules").value === "japanese" ? TERRITORY_KOMI : USUAL_KOMI;
  byId("komi").value = byId("handicap").value === "0" ? usual : HANDICAP_KOMI;
}

byId("handicap").addEventListener("change", suggestKomi);
byId("rules").addEventListener("change", suggestKomi);
byId("new").addEventListener("click", showNewGame);
byId("new-dialog").addEventListener("close", () => {
  if (byId("new-dialog").returnValue !== "begin") return;
  ask({
    do: "new",
    size: Number(byId("size").value),
    color: byId("color").value,
    handicap: Number(byId("handicap").value),
    komi: Number(byId("komi").value),
    rules: byId("rules").value,
    rank: byId("new-rank").value,
    clock: CLOCKS[byId("time").value],
    pace: byId("pace").checked,
  });
});
for (const dialog of document.querySelectorAll("dialog")) {
  for (const button of dialog.querySelectorAll("[value=no]")) button.addEventListener("click", () => dialog.close("no"));
}
byId("help").addEventListener("click", () => byId("help-dialog").showModal());
