// @ts-check
/**
 * A lesson: its steps, the one that is shown, and the move that was made in it. Pure. The server has
 * judged every move beforehand.
 *
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("../model/state.js").Legal} Legal
 * @typedef {{kind: string, what: string, about: string[], task: string, section: string,
 *   said: Record<string, string>, right: string[], refused: Record<string, string>, legal: Legal[],
 *   ply: number, pits: number[], stores: number[], marks?: import("../model/trace.js").Marks}} Step
 *   said: the verdict on each move; right: the moves that solve the step; refused: why a pit cannot
 *   be played
 */

import { pitOf } from "../model/shape.js";
import { apply, expand } from "../model/trace.js";

export class Course {
  at = 0; // the step that is shown, from 0
  /** @type {Legal | null} the move that was made */
  made = null;

  /** @param {Game} game the first step as a game @param {Step[]} steps */
  constructor(game, steps) {
    this.game = game;
    this.steps = steps;
  }

  get step() {
    return this.steps[this.at];
  }

  /** Reports whether the move that was made solves the step. */
  get solved() {
    return this.made !== null && this.step.right.includes(this.made.m);
  }

  /** Returns a move that solves the step; null after a move, and while the server keeps the answers. */
  get hint() {
    return this.made ? null : (this.step.right[0] ?? null);
  }

  /**
   * Returns the verdict on the move that was made: its effect, and whether that was the task. It is "" before a move,
   * and until the server has judged it.
   */
  get verdict() {
    return this.made ? (this.step.said[this.made.m] ?? "") : "";
  }

  /** Takes the server's verdict on a move. @param {string} move @param {{said: string, right: string[]}} answer */
  learn(move, { said, right }) {
    this.step.said[move] = said;
    this.step.right = right;
  }

  /** Shows a step from its start. @param {number} at */
  go(at) {
    this.at = Math.max(0, Math.min(this.steps.length - 1, at));
    this.made = null;
  }

  /** Makes a move, which must be legal. @param {string} move */
  play(move) {
    this.made = this.step.legal.find(({ m }) => m === move) ?? null;
  }

  /** Returns the moves of each pit that can be played now. @param {import("../model/shape.js").Shape} shape */
  choices(shape) {
    /** @type {Map<number, string[]>} */
    const map = new Map();
    for (const { m } of this.made ? [] : this.step.legal) {
      const pit = pitOf(shape, 0, m);
      if (pit !== null) map.set(pit, [...(map.get(pit) ?? []), m]);
    }
    return map;
  }

  /** Returns the step as a game, after the move that was made. @returns {Game} */
  now() {
    const { pits, stores, marks, ply } = this.step;
    const before = { pits, stores, marks };
    const base = { ...this.game.snap, ...before, ply };
    if (!this.made) return { ...this.game, snap: base };
    const { m: move, trace = [], again = false, end = false } = this.made;
    const snap = {
      ...base,
      ...apply(before, expand(trace)),
      state: end ? "over" : "live",
      turn: again ? 0 : 1,
      ply: ply + 1,
      last: { seat: 0, move, trace },
    };
    return { ...this.game, snap };
  }
}
