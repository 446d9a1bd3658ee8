// A graph of one value over the moves: a curve, dots for mistakes, a line for the position that is shown.

import { svgElement } from "./board.js";

const GRAPH_MARGIN = { left: 34, right: 8, top: 6, bottom: 6 };

export class GraphView {
  /**
   * `values` by position, null where none is known, shown between `low` and `high` with a line at `even`; `onJump(position)` hears of
   * clicks and drags.
   */
  constructor(svg, values, scale, mistakes, onJump) {
    this.svg = svg;
    this.position = 0;
    this.set(values, scale, mistakes);
    let isDragging = false;
    const jump = (event) => onJump(this.positionAt(event.clientX));
    svg.addEventListener("pointerdown", (event) => {
      isDragging = true;
      svg.setPointerCapture(event.pointerId);
      jump(event);
    });
    svg.addEventListener("pointermove", (event) => { if (isDragging) jump(event); });
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, () => { isDragging = false; });
    new ResizeObserver(() => this.draw()).observe(svg);
  }

  /** Other values; `draw` shows them. */
  set(values, scale, mistakes) {
    this.values = values;
    this.scale = scale;
    this.mistakes = mistakes;
  }

  get last() { return this.values.length - 1; }

  /** Pixels from the left. */
  x(position) {
    const width = this.width - GRAPH_MARGIN.left - GRAPH_MARGIN.right;
    return GRAPH_MARGIN.left + (this.last ? position / this.last : 0.5) * width;
  }

  /** Pixels from the top. */
  y(value) {
    const { low, high } = this.scale;
    const height = this.height - GRAPH_MARGIN.top - GRAPH_MARGIN.bottom;
    const part = (Math.min(Math.max(value, low), high) - low) / (high - low);
    return GRAPH_MARGIN.top + (1 - part) * height;
  }

  positionAt(clientX) {
    const left = this.svg.getBoundingClientRect().left;
    const width = this.width - GRAPH_MARGIN.left - GRAPH_MARGIN.right;
    const position = Math.round(((clientX - left - GRAPH_MARGIN.left) / width) * this.last);
    return Math.min(Math.max(position, 0), this.last);
  }

  draw() {
    const box = this.svg.getBoundingClientRect();
    this.width = box.width;
    this.height = box.height;
    if (!this.width) return;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const { low, high, even, ticks } = this.scale;
    const ground = this.y(even);
    const runs = this.runs();
    const curve = runs.map((run) => `M${run.map((position) => this.pointAt(position)).join("L")}`).join("");
    const area = runs.map((run) => `M${this.x(run[0])} ${ground}L${run.map((position) => this.pointAt(position)).join("L")}L${this.x(run[run.length - 1])} ${ground}Z`).join("");
    const frame = { class: "frame", x: this.x(0), y: this.y(high), width: this.x(this.last) - this.x(0), height: this.y(low) - this.y(high) };
    this.svg.replaceChildren(
      svgElement("rect", frame),
      svgElement("path", { class: "area", d: area }),
      svgElement("line", { class: "even", x1: this.x(0), x2: this.x(this.last), y1: ground, y2: ground }),
      svgElement("path", { class: "curve", d: curve }),
      ...runs.filter((run) => run.length === 1).map(([position]) => svgElement("circle", { class: "alone", cx: this.x(position), cy: this.y(this.values[position]), r: 2 })),
      ...ticks.map((tick) => svgElement("text", { class: "axis", x: 2, y: this.y(tick) + 4 }, tickText(tick, this.scale))),
      ...this.mistakes.map((mistake) => this.dot(mistake)),
    );
    this.cursor = this.svg.appendChild(svgElement("line", { class: "cursor", y1: 0, y2: this.height }));
    this.show(this.position);
  }

  pointAt(position) {
    return `${this.x(position).toFixed(1)} ${this.y(this.values[position]).toFixed(1)}`;
  }

  /** The positions whose values are known, in runs without a gap. */
  runs() {
    const runs = [];
    this.values.forEach((value, position) => {
      if (value === null) return;
      if (position && runs.length && this.values[position - 1] !== null) runs[runs.length - 1].push(position);
      else runs.push([position]);
    });
    return runs;
  }

  dot(mistake) {
    const place = { cx: this.x(mistake.number), cy: this.y(this.values[mistake.number]) };
    return svgElement("circle", { class: `dot ${mistake.mistake}`, r: mistake.mistake === "blunder" ? 4 : 3, ...place });
  }

  /** Put the line at a position. */
  show(position) {
    this.position = position;
    if (!this.cursor) return;
    this.cursor.setAttribute("x1", this.x(position));
    this.cursor.setAttribute("x2", this.x(position));
  }
}

/** A number at the axis. */
function tickText(value, scale) {
  return scale.unit === "%" ? `${value}%` : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value)}`;
}

/** A scale for leads that holds nearly all of them; a few may be cut off. */
export function leadScale(leads) {
  const sizes = leads.map(Math.abs).sort((a, b) => a - b);
  const most = Math.max(sizes[Math.floor(sizes.length * 0.97)] || 0, 10);
  const high = Math.ceil(most / 10) * 10;
  return { low: -high, high, even: 0, ticks: [-high, 0, high], unit: "" };
}
