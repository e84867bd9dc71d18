// @ts-check
/**
 * Remembers which tab of this browser was used last for a game. That tab goes on playing when all
 * of them reconnect after an outage.
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

  /** Notes that this tab is being used. */
  use() {
    try {
      localStorage.setItem(key, this.#own);
    } catch {
      // Without storage every tab believes that it was the last one; then the newest one plays.
    }
  }

  /** Reports whether no other tab has been used for this game since. */
  get last() {
    try {
      const used = localStorage.getItem(key) ?? "";
      return used === this.#own || !used.startsWith(this.#game);
    } catch {
      return true;
    }
  }
}
