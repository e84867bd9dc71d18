// @ts-check
/**
 * Which tab of this browser was used last for a game: it is the one that goes on
 * playing when all of them come back after an outage.
 */

const key = "tab";

export class LastTab {
  #game;
  #own;

  /** @param {string} room */
  constructor(room) {
    this.#game = `${room} `;
    this.#own = this.#game + Math.random().toString(36).slice(2);
  }

  /** This one is used now. */
  use() {
    try {
      localStorage.setItem(key, this.#own);
    } catch {
      // Without storage each tab believes that it was the last; then the newest plays, as ever.
    }
  }

  /** Whether no other tab has been used for this game since. */
  get last() {
    try {
      const used = localStorage.getItem(key) ?? "";
      return used === this.#own || !used.startsWith(this.#game);
    } catch {
      return true;
    }
  }
}
