// @ts-check
/**
 * The state of the page: the game as it is known, how it is shown, and the latest news.
 *
 * @typedef {import("../model/state.js").Game} Game
 */

export class PageState {
  fresh = true; // nothing has come over the socket yet: the page's game may be old
  flipped = false; // the other side is at the bottom
  reader = false; // another tab plays
  /** @type {number[] | null} the pits that another player fills */
  filling = null;
  message = ""; // the last refusal or news, until something happens
  code = ""; // the code of that refusal, or ""

  /** @param {Game} game */
  constructor(game) {
    this.game = game;
  }

  /**
   * Sets what the status line says until something happens.
   * @param {string} text
   * @param {string} [code] of a refusal
   */
  tell(text, code = "") {
    [this.message, this.code] = [text, code];
  }
}
