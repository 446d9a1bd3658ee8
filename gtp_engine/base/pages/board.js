// The board: an SVG in a unit of one line distance, with a layer for each kind of thing on it.

const SVG = "http://www.w3.org/2000/svg";
export const COLUMNS = "ABCDEFGHJKLMNOPQRST";
const OWNERSHIP_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
export const MARGIN = 1.15; // units around the outer lines
export const EMPTY = 0, BLACK = 1, WHITE = 2;
export const COLOR_NAMES = ["", "black", "white"];
const CANDIDATES_ON_BOARD = 5;
export const LEAST_OWNERSHIP = 0.25; // what is less sure is not shaded

/** A new SVG element with these attributes and this text. */
export function svgElement(name, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== "") element.textContent = text;
  return element;
}

/** "D4" -> {x, y} in units from the top left line; null for "pass". */
export function placeOfVertex(vertex, size) {
  if (vertex === "pass") return null;
  return { x: COLUMNS.indexOf(vertex[0]), y: size - Number(vertex.slice(1)) };
}

/** Index of a point in rows from the top left, as in the data. */
export function indexOfVertex(vertex, size) {
  const place = placeOfVertex(vertex, size);
  return place === null ? -1 : place.y * size + place.x;
}

/** -1..1 of each point; 1 is Black's. */
export function ownershipValues(text) {
  return Array.from(text, (digit) => OWNERSHIP_DIGITS.indexOf(digit) / 31 - 1);
}

/** A vertex from its place, {x, y} in units from the top left line; "" beside the board. */
export function vertexOfPlace({ x, y }, size) {
  return x < 0 || y < 0 || x >= size || y >= size ? "" : `${COLUMNS[x]}${size - y}`;
}

export const vertexOfIndex = (index, size) => vertexOfPlace({ x: index % size, y: Math.floor(index / size) }, size);

/** [x, y] of the star points: nine on large boards, five on 9x9 and 13x13, the middle alone on small ones. */
function starPoints(size) {
  const middle = (size - 1) / 2;
  const center = size % 2 ? [[middle, middle]] : [];
  if (size < 7) return center;
  const low = size < 13 ? 2 : 3, high = size - 1 - low;
  const corners = [[low, low], [low, high], [high, low], [high, high]];
  const sides = size % 2 && size > 13 ? [[low, middle], [high, middle], [middle, low], [middle, high]] : [];
  return [...corners, ...center, ...sides];
}

export class BoardView {
  /** Draws into `svg`. */
  constructor(svg, size) {
    this.svg = svg;
    this.size = size;
    const length = size - 1 + 2 * MARGIN;
    svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${length} ${length}`);
    this.drawGround(length);
    this.layers = {};
    for (const name of ["stones", "ownership", "marks", "candidates"]) {
      this.layers[name] = svg.appendChild(svgElement("g"));
    }
    this.shown = new Array(size * size).fill(EMPTY); // the stones that are drawn
    this.drawn = new Array(size * size).fill(null); // their elements
  }

  drawGround(length) {
    const end = this.size - 1;
    this.svg.append(this.gradients());
    this.svg.append(svgElement("rect", { class: "wood", x: -MARGIN, y: -MARGIN, width: length, height: length, rx: 0.35 }));
    let path = "";
    for (let line = 0; line <= end; line++) path += `M${line} 0V${end}M0 ${line}H${end}`;
    this.svg.append(svgElement("path", { class: "grid", d: path }));
    for (const [x, y] of starPoints(this.size)) this.svg.append(svgElement("circle", { class: "star", cx: x, cy: y, r: 0.11 }));
    for (let line = 0; line <= end; line++) {
      const letter = COLUMNS[line], number = String(this.size - line);
      for (const far of [-0.8, end + 0.8]) {
        this.svg.append(svgElement("text", { class: "coordinate", x: line, y: far }, letter));
        this.svg.append(svgElement("text", { class: "coordinate", x: far, y: line }, number));
      }
    }
  }

  gradients() {
    const definitions = svgElement("defs");
    for (const [id, light, dark] of [["black-stone", "#6a6a6a", "#0b0b0b"], ["white-stone", "#ffffff", "#d3d0c8"]]) {
      const gradient = definitions.appendChild(svgElement("radialGradient", { id, cx: "36%", cy: "32%", r: "70%" }));
      gradient.append(svgElement("stop", { offset: "0", "stop-color": light }));
      gradient.append(svgElement("stop", { offset: "1", "stop-color": dark }));
    }
    return definitions;
  }

  /** Stones as colors by index; `lastMove` is a vertex or "". Only what has changed is drawn. */
  showStones(colors, lastMove) {
    colors.forEach((color, index) => {
      if (color === this.shown[index]) return;
      if (this.drawn[index]) this.drawn[index].remove();
      this.drawn[index] = null;
      if (color !== EMPTY) {
        const group = this.layers.stones.appendChild(svgElement("g"));
        group.append(...this.stone(index % this.size, Math.floor(index / this.size), color));
        this.drawn[index] = group;
      }
      this.shown[index] = color;
    });
    this.layers.marks.replaceChildren();
    const place = lastMove && placeOfVertex(lastMove, this.size);
    const color = place ? colors[place.y * this.size + place.x] : EMPTY;
    if (color !== EMPTY) {
      this.layers.marks.append(svgElement("circle", { class: `last-move ${COLOR_NAMES[color]}`, cx: place.x, cy: place.y, r: 0.24 }));
    }
  }

  /** Shapes and labels, [index, mark] each, beside what showStones has marked. */
  showMarks(marks, colors) {
    for (const [index, mark] of marks) this.layers.marks.append(this.mark(index % this.size, Math.floor(index / this.size), mark, colors[index]));
  }

  mark(x, y, mark, color) {
    const kind = `mark on-${COLOR_NAMES[color] || "wood"}`, half = 0.24;
    if (mark === "triangle") return svgElement("path", { class: kind, d: `M${x} ${y - 0.3}L${x + 0.27} ${y + 0.17}H${x - 0.27}Z` });
    if (mark === "square") return svgElement("rect", { class: kind, x: x - half, y: y - half, width: 2 * half, height: 2 * half });
    if (mark === "circle") return svgElement("circle", { class: kind, cx: x, cy: y, r: 0.27 });
    if (mark === "cross") return svgElement("path", { class: kind, d: `M${x - half} ${y - half}l${2 * half} ${2 * half}M${x + half} ${y - half}l${-2 * half} ${2 * half}` });
    const label = svgElement("g");
    if (color === EMPTY) label.append(svgElement("circle", { class: "wood-patch", cx: x, cy: y, r: 0.36 }));
    label.append(svgElement("text", { class: `label on-${COLOR_NAMES[color] || "wood"}`, x, y }, mark));
    return label;
  }

  stone(x, y, color) {
    return [
      svgElement("circle", { class: "stone-shadow", cx: x + 0.04, cy: y + 0.06, r: 0.47 }),
      svgElement("circle", { class: `stone ${COLOR_NAMES[color]}`, cx: x, cy: y, r: 0.47, fill: `url(#${COLOR_NAMES[color]}-stone)` }),
    ];
  }

  /** Squares for whom each point will belong to, stones excepted that stand on their owner's point: what is left are the dead. */
  showOwnership(values, colors) {
    const squares = [];
    values.forEach((value, index) => {
      if (Math.abs(value) < LEAST_OWNERSHIP || colors[index] === (value > 0 ? BLACK : WHITE)) return;
      const x = index % this.size, y = Math.floor(index / this.size);
      const owner = value > 0 ? "owned-black" : "owned-white";
      const half = 0.16 + 0.14 * Math.abs(value);
      const opacity = (0.25 + 0.45 * Math.abs(value)).toFixed(2);
      squares.push(svgElement("rect", { class: owner, opacity, x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 0.06 }));
    });
    this.layers.ownership.replaceChildren(...squares);
  }

  /** Candidates as discs with win rate and visits, and a ring of the judgement's color around the move that was played. */
  showCandidates(candidates, played, judgement) {
    const parts = [];
    candidates.slice(0, CANDIDATES_ON_BOARD).forEach((candidate, rank) => {
      const place = placeOfVertex(candidate.vertex, this.size);
      if (place !== null) parts.push(this.candidate(candidate, place, rank));
    });
    const place = played && placeOfVertex(played, this.size);
    if (place) parts.push(svgElement("circle", { class: `played ${judgement}`, cx: place.x, cy: place.y, r: 0.5 }));
    this.layers.candidates.replaceChildren(...parts);
  }

  candidate(candidate, place, rank) {
    const group = svgElement("g", { class: rank === 0 ? "candidate best" : "candidate", "data-vertex": candidate.vertex });
    const { x, y } = place;
    const lead = `${candidate.lead < 0 ? "−" : "+"}${Math.abs(candidate.lead).toFixed(1)}`;
    group.append(svgElement("circle", { cx: x, cy: y, r: 0.46 }));
    group.append(svgElement("text", { class: "rate", x, y: y - 0.17 }, String(Math.round(100 * candidate.winRate))));
    group.append(svgElement("text", { class: "lead", x, y: y + 0.1 }, lead));
    group.append(svgElement("text", { class: "count", x, y: y + 0.31 }, shortCount(candidate.visits)));
    return group;
  }

  /** The moves of a variation as numbered stones; captures are not played out. */
  showVariation(vertices, toPlay) {
    const parts = [];
    let color = toPlay;
    vertices.forEach((vertex, number) => {
      const place = placeOfVertex(vertex, this.size);
      if (place !== null) {
        parts.push(...this.stone(place.x, place.y, color));
        const text = { class: `number on-${COLOR_NAMES[color]}`, x: place.x, y: place.y };
        parts.push(svgElement("text", text, String(number + 1)));
      }
      color = BLACK + WHITE - color;
    });
    this.layers.candidates.replaceChildren(...parts);
  }
}

/** 950 -> "950", 1234 -> "1.2k": fits into a stone. */
export function shortCount(count) {
  if (count < 1000) return String(count);
  return count < 100_000 ? `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k` : `${Math.round(count / 1000)}k`;
}
