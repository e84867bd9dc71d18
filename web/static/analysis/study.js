// @ts-check
/**
 * The state of the page: a tree for each round of the game and one for a position that the viewer
 * has set up, the node that is shown, and what is known of the positions.
 *
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("../model/history.js").Round} Round
 * @typedef {import("../review/analysisrequest.js").Answer} Answer
 * @typedef {import("../review/analysisrequest.js").Found} Found
 */

import { hashOf } from "../model/history.js";
import { branchPoint, mainAt, root, treeOf } from "./tree.js";

export class Study {
  /** @type {Round[]} the rounds as they were played */
  rounds = [];
  /** @type {Answer["rounds"]} the server's knowledge of them */
  places = [];
  /** @type {Node[]} one for each round, and one for a position that was set up */
  trees = [];
  round = 0; // the round that is shown: an index of trees
  storyRound = 0; // the round of the game that was shown last: the story is about it
  puzzleRound = -1; // the round whose mistakes are puzzles
  flipped = false; // the other side is at the bottom
  message = ""; // the text of the status line until another node is shown
  /** @type {Node | null} */
  #setUp = null;
  /** @type {Map<string, Found>} positions whose worth the viewer has asked for */
  #valued = new Map();

  /** @param {Game} game @param {number} sides */
  constructor(game, sides) {
    this.game = game;
    this.sides = sides;
    this.here = root({ pits: game.snap.pits, stores: game.snap.stores, marks: game.snap.marks }, "", sides);
  }

  /** Takes in the game, and shows its end. @param {Round[]} rounds @param {Answer["rounds"]} places */
  load(rounds, places) {
    this.rounds = rounds;
    this.places = places;
    this.trees.push(...rounds.map((round, i) => treeOf(round, places[i], this.sides)));
    this.round = this.trees.length - 1;
    this.here = this.end();
  }

  /**
   * Makes a tree for a position that the viewer has set up.
   * @param {import("./explorer.js").Looked} position
   */
  setUp(position) {
    if (this.#setUp) this.trees.pop();
    this.#setUp = root(position, position.position, this.sides);
    this.trees.push(this.#setUp);
    this.round = this.trees.length - 1;
    return this.#setUp;
  }

  /** Reports whether a round is the position that was set up. @param {number} [round] */
  isSetUp(round = this.round) {
    return this.trees[round] === this.#setUp;
  }

  /** Returns the last node of the game in the round that is shown. */
  end() {
    return mainAt(this.trees[this.round] ?? this.here, Infinity);
  }

  /** Returns the findings about the round that is shown, or null. */
  get findings() {
    return this.places[this.round]?.review ?? null;
  }

  /** Returns what is known of the position at a node. @param {Node} node @returns {Found | undefined} */
  foundAt(node) {
    const found = node.main && !this.isSetUp() ? this.findings?.plies[node.at] : undefined;
    return found ?? this.#valued.get(node.position);
  }

  /** Returns what is known of the move that led to a node. @param {Node} node @returns {Found | undefined} */
  foundBefore({ main, at }) {
    return main && !this.isSetUp() ? this.findings?.plies[at - 1] : undefined;
  }

  /** Notes what a position is worth. @param {string} position @param {Found} found */
  value(position, found) {
    this.#valued.set(position, found);
  }

  /** Returns the game as it stood, or would stand, at a node. @param {Node} node @returns {Game} */
  gameAt({ phase, board, turn, at, made }) {
    const over = phase === "over";
    const state = over ? "over" : "live";
    const snap = { ...this.game.snap, ...board, state, phase: over ? "play" : phase, turn, ply: at };
    return { ...this.game, snap: { ...snap, result: undefined, last: made ?? undefined } };
  }

  /**
   * Returns the place as the fragment of the address: where the viewer is in the game, or where a variation leaves it.
   */
  get hash() {
    if (this.isSetUp()) return "";
    return hashOf({ round: this.round, at: branchPoint(this.here).at }, this.places.length);
  }
}
