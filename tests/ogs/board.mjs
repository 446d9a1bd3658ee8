// The rules of area scoring with positional superko, and a count by playouts, for the server of the test: boards are strings of ".", "b" and "w".
export const PASS = -1;

export class Board {
  constructor(size) {
    this.size = size;
    this.points = ".".repeat(size * size);
    this.seen = new Set([this.points]);
    this.passes = 0;
  }

  neighbors(point) {
    const [x, y] = [point % this.size, Math.floor(point / this.size)];
    return [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]
      .filter(([column, row]) => column >= 0 && row >= 0 && column < this.size && row < this.size)
      .map(([column, row]) => row * this.size + column);
  }

  // The points of the region of one color around `point`, and the colors at its edge.
  region(points, point) {
    const [inside, edge, open] = [new Set([point]), new Set(), [point]];
    while (open.length) {
      for (const next of this.neighbors(open.pop())) {
        if (points[next] !== points[point]) edge.add(points[next]);
        else if (!inside.has(next)) {
          inside.add(next);
          open.push(next);
        }
      }
    }
    return { inside, edge };
  }

  // The board after a move, or null where it is illegal.
  after(color, point) {
    if (point === PASS) return this.points;
    if (!(point >= 0 && this.points[point] === ".")) return null;
    const points = [...this.points];
    points[point] = color;
    for (const next of this.neighbors(point)) {
      if (points[next] === "." || points[next] === color) continue;
      const { inside, edge } = this.region(points, next);
      if (!edge.has(".")) for (const stone of inside) points[stone] = ".";
    }
    if (!this.region(points, point).edge.has(".")) return null;
    const text = points.join("");
    return this.seen.has(text) ? null : text;
  }

  play(color, point) {
    const points = this.after(color, point);
    if (points === null) return false;
    this.points = points;
    this.seen.add(points);
    this.passes = point === PASS ? this.passes + 1 : 0;
    return true;
  }

  // A move that is legal and fills no point that only stones of `color` surround; PASS where there is none.
  randomMove(color, random) {
    const left = [...this.points].flatMap((content, point) => (content === "." ? [point] : []));
    while (left.length) {
      const [point] = left.splice(Math.floor(random() * left.length), 1);
      if (this.neighbors(point).some((next) => this.points[next] !== color) && this.after(color, point) !== null) return point;
    }
    return PASS;
  }

  // Black's area less White's, with every stone alive.
  area() {
    let total = 0;
    for (let point = 0; point < this.points.length; point += 1) {
      const owners = this.points[point] === "." ? this.region(this.points, point).edge : new Set(this.points[point]);
      if (owners.size === 1) total += owners.has("b") ? 1 : -1;
    }
    return total;
  }

  // The same after both sides have moved at random until the end: dead stones are captured.
  areaAfterPlayout(color, random) {
    const board = new Board(this.size);
    board.points = this.points;
    for (let [moves, toPlay] = [0, color]; board.passes < 2 && moves < 4 * this.points.length; moves += 1, toPlay = toPlay === "b" ? "w" : "b") {
      board.play(toPlay, board.randomMove(toPlay, random));
    }
    return board.area();
  }
}
