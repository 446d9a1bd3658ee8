// The tree of the game as the page has it: the server's nodes, joined, with the stones of each.

import { EMPTY } from "./board.js";

export class GameTree {
  /** `data` as game_tree.py tells it. */
  constructor(data) {
    Object.assign(this, { size: data.size, komi: data.komi, rules: data.rules, handicap: data.handicap, players: data.players, result: data.result, isRecord: data.isRecord });
    this.nodes = new Map();
    this.version = 0; // goes up when nodes come, go or change their order
    for (const node of data.nodes) this.put(node);
    this.root = this.nodes.get(data.nodes[0].id);
  }

  /** A node is new, or something was written there. */
  put(data) {
    const known = this.nodes.get(data.id);
    if (known) {
      for (const name of ["comment", "marks", "found", "judgement"]) known[name] = data[name];
      this.version += 1;
      return;
    }
    const parent = this.nodes.get(data.parent) || null;
    const node = { ...data, parent, children: [], depth: parent ? parent.depth + 1 : 0, moveNumber: parent ? parent.moveNumber + (data.vertex ? 1 : 0) : 0 };
    if (parent) parent.children.push(node);
    this.nodes.set(node.id, node);
    this.version += 1;
  }

  /** Nodes are gone. */
  remove(ids) {
    for (const id of ids) {
      const node = this.nodes.get(id);
      if (!node) continue;
      if (node.parent) node.parent.children = node.parent.children.filter((child) => child !== node);
      this.nodes.delete(id);
    }
    this.version += 1;
  }

  /** These nodes, from the root on, are the main line now. */
  promote(ids) {
    for (const id of ids.slice(1)) {
      const node = this.nodes.get(id);
      if (!node) continue;
      const others = node.parent.children.filter((child) => child !== node);
      node.parent.children = [node, ...others];
    }
    this.version += 1;
  }

  /** The colors of the points by rows from the top left. */
  colors(node) {
    if (!node.colors) {
      const waiting = [];
      let known = node;
      for (; known && !known.colors; known = known.parent) waiting.push(known);
      let colors = known ? known.colors : new Array(this.size * this.size).fill(EMPTY);
      for (const each of waiting.reverse()) {
        colors = colors.slice();
        for (let i = 0; i < each.changes.length; i += 2) colors[each.changes[i]] = each.changes[i + 1];
        each.colors = colors;
      }
    }
    return node.colors;
  }

  /** The nodes from the root to this one. */
  path(node) {
    const found = [];
    for (let each = node; each; each = each.parent) found.push(each);
    return found.reverse();
  }

  /** The path to this node and on along first children to the end. */
  line(node) {
    const found = this.path(node);
    for (let each = node.children[0]; each; each = each.children[0]) found.push(each);
    return found;
  }

  /** The child of `node` with this move, or undefined. */
  childWith(node, vertex) {
    return node.children.find((child) => child.vertex === vertex && child.color === node.toPlay);
  }
}
