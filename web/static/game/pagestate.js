// @ts-check
/**
 * What this page is about now: the game as it is known, how it is looked at, and
 * the latest news.
 *
 * @typedef {import("../model/state.js").Game} Game
 */

export class PageState {
  fresh = true; // nothing has come over the socket yet: what the page brought may be old
  flipped = false; // the other side is at the bottom
  reader = false; // another tab plays
  message = ""; // the last refusal or news, until something happens
  code = ""; // the code of that refusal

  /** @param {Game} game */
  constructor(game) {
    this.game = game;
  }

  /** What the status line tells until something happens. @param {string} text @param {string} [code] of a refusal */
  tell(text, code = "") {
    [this.message, this.code] = [text, code];
  }
}
