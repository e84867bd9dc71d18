// @ts-check
/**
 * Asks the server which moves are legal in a position, what they do and what the position is worth:
 * this page knows no rules.
 *
 * @typedef {import("./tree.js").Made & {turn: number, phase: string}} Step
 * @typedef {{position: string, pits: number[], stores: number[], steps: Step[],
 *   legal: import("../model/state.js").Legal[], worth?: import("./findings.js").Found}} Looked
 */

import { request } from "../lib/api.js";

export class Explorer {
  /** @type {Map<string, import("../model/state.js").Legal[]>} the legal moves, by position */
  #legal = new Map();

  /**
   * @param {{rules: string, options: string}} game
   * @param {(text: string) => void} refused gets the server's sentence, or `failed` if there is none
   * @param {string} failed
   */
  constructor({ rules, options }, refused, failed) {
    this.game = { rules, options };
    this.refused = refused;
    this.failed = failed;
  }

  /** Returns the legal moves, if they are known already. @param {string} position */
  known(position) {
    return this.#legal.get(position);
  }

  /**
   * @param {string} position
   * @param {{moves?: string[], worth?: boolean, quiet?: boolean}} [more] moves: to make from there;
   *   worth: whether to value the position; quiet: nothing is said if no answer comes
   * @returns {Promise<Looked | null>} null: the server has refused or no answer came, and this has been said
   */
  async look(position, { quiet = false, ...more } = {}) {
    const body = JSON.stringify({ ...this.game, position, ...more });
    const looked = await request(
      "/api/v1/positions",
      { method: "POST", headers: { "Content-Type": "application/json" }, body },
      this.refused,
      quiet ? "" : this.failed,
    );
    if (looked) this.#legal.set(looked.position, looked.legal);
    return looked;
  }
}
