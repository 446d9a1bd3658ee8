// Moves of one's own on the board: the rules of Go as far as a reader needs them, and the state of a try.

import { BLACK, EMPTY, WHITE } from "../../pages/board.js";

/** Indexes of the points beside one. */
function pointsBeside(index, size) {
  const x = index % size, y = Math.floor(index / size);
  const found = [];
  if (x > 0) found.push(index - 1);
  if (x < size - 1) found.push(index + 1);
  if (y > 0) found.push(index - size);
  if (y < size - 1) found.push(index + size);
  return found;
}

/** The stones of the chain on a point when it has no liberty; else none. */
function chainWithoutLiberty(colors, size, start) {
  const chain = new Set([start]);
  for (const stone of chain) {
    for (const other of pointsBeside(stone, size)) {
      if (colors[other] === EMPTY) return [];
      if (colors[other] === colors[start]) chain.add(other);
    }
  }
  return [...chain];
}

/** The board after a stone of `color`, captures taken off; null for an occupied point and for suicide. */
function boardAfter(colors, size, index, color) {
  if (colors[index] !== EMPTY) return null;
  const after = colors.slice();
  after[index] = color;
  for (const other of pointsBeside(index, size)) {
    if (after[other] !== BLACK + WHITE - color) continue;
    for (const stone of chainWithoutLiberty(after, size, other)) after[stone] = EMPTY;
  }
  return chainWithoutLiberty(after, size, index).length ? null : after;
}

export class Trial {
  /** Begins with `colors`, `toPlay` to move; `earlier` is the board one move before, which a ko must not bring back, or null. */
  constructor(colors, size, toPlay, earlier) {
    this.size = size;
    this.toPlay = toPlay;
    this.boards = earlier === null ? [colors] : [earlier, colors];
    this.moves = []; // indexes
  }

  get colors() { return this.boards[this.boards.length - 1]; }

  /** Play on a point; false where the rules forbid it. */
  play(index) {
    const after = boardAfter(this.colors, this.size, index, this.toPlay);
    const before = this.boards[this.boards.length - 2];
    if (after === null || (before && before.every((color, i) => color === after[i]))) return false;
    this.boards.push(after);
    this.moves.push(index);
    this.toPlay = BLACK + WHITE - this.toPlay;
    return true;
  }

  /** Take the last move back; false when there is none. */
  undo() {
    if (!this.moves.length) return false;
    this.boards.pop();
    this.moves.pop();
    this.toPlay = BLACK + WHITE - this.toPlay;
    return true;
  }
}
