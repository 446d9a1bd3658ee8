// Sentences for those who listen to the page, and the sounds of stones, which are off at first.

import { addView, app, byId, capital } from "./app.js";

let told = null; // the node that was announced

/** Have a screen reader say this. */
export function announce(text) {
  byId("announcer").textContent = text;
}

/** A stone's sound: a short knock, made here. */
function knock() {
  const context = new AudioContext();
  const noise = context.createBuffer(1, 0.06 * context.sampleRate, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (0.006 * context.sampleRate));
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  source.connect(new BiquadFilterNode(context, { type: "bandpass", frequency: 1300, Q: 1.2 })).connect(context.destination);
  source.onended = () => context.close();
  source.start();
}

/** A sentence for the last move. */
export function moveSentence(node) {
  if (!node.vertex) return node.parent ? "Stones were set up." : "The start of the game.";
  const taken = node.parent ? node.captures.reduce((sum, count, i) => sum + count - node.parent.captures[i], 0) : 0;
  const captured = taken ? `, captures ${taken}` : "";
  return `Move ${node.moveNumber}, ${capital(node.color)} ${node.vertex === "pass" ? "passes" : node.vertex}${captured}.`;
}

function announceMove() {
  if (app.node === told) return;
  const isNew = told !== null && app.node.parent === told && app.node.id === app.play.tip;
  told = app.node;
  announce(moveSentence(app.node));
  if (isNew && byId("sound").checked && app.node.vertex !== "pass") knock();
}

addView(announceMove);
