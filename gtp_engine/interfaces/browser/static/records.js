// Records: opened by a button, by dropping a file, by pasting; saved with everything that was found.

import { app, byId, tell } from "./app.js";
import { confirmThat } from "./dialogs.js";
import { openRecord } from "./server.js";

/** Open a record, unless a game is under way that the person wants to go on with. */
async function open(record) {
  const isUnderWay = app.play && app.play.person !== "both" && !app.play.result && app.game.tree.nodes.get(app.play.tip).moveNumber > 0;
  if (isUnderWay && !(await confirmThat("Leave the current game and open this record?", "Open"))) return;
  await openRecord(record);
}

byId("open").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", () => {
  const [file] = byId("file").files;
  if (file) open(file);
  byId("file").value = "";
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  const text = event.dataTransfer.getData("text/plain");
  if (file || text) open(file || text);
});
document.addEventListener("paste", (event) => {
  if (event.target.matches("input, textarea")) return;
  const [file] = event.clipboardData.files;
  const text = event.clipboardData.getData("text/plain");
  if (file) open(file);
  else if (text.includes("(")) open(text);
  else if (text) tell("What was pasted is no game record.");
});
