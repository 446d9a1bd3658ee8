// The graph of win rate and lead along the line that is shown, as far as positions have been searched.

import { addView, app, byId, goTo, leadText, percent } from "./app.js";
import { GraphView, leadScale } from "./graph.js";
import { shownLine } from "./navigation.js";

const WIN_SCALE = { low: 0, high: 100, even: 50, ticks: [0, 50, 100], unit: "%" };
let shown = null; // what the graphs were drawn from
const jump = (position) => goTo(shownLine()[position]);
const graphs = [new GraphView(byId("win-graph"), [], WIN_SCALE, [], jump), new GraphView(byId("lead-graph"), [], leadScale([]), [], jump)];

function drawGraphs() {
  const line = shownLine(), last = line[line.length - 1];
  const isKnown = line.some((node) => node.found);
  byId("graphs").hidden = !isKnown;
  if (!isKnown) return;
  const { version, foundVersion } = app.tree;
  if (!shown || shown.last !== last || shown.version !== version || shown.foundVersion !== foundVersion) {
    const leads = line.map((node) => (node.found ? node.found.lead : null));
    const mistakes = line.map((node, number) => ({ number, mistake: node.judgement ? node.judgement.mistake : "" }));
    const dots = mistakes.filter((each) => each.mistake && leads[each.number] !== null);
    graphs[0].set(line.map((node) => (node.found ? 100 * node.found.winRate : null)), WIN_SCALE, dots);
    graphs[1].set(leads, leadScale(leads.filter((lead) => lead !== null)), dots);
    for (const graph of graphs) graph.draw();
    shown = { last, version, foundVersion };
  }
  for (const graph of graphs) graph.show(app.node.depth);
  const { found } = app.node;
  byId("win-text").textContent = found ? `Black ${percent(found.winRate)} · ${leadText(found.lead)}` : "not searched yet";
}

addView(drawGraphs);
