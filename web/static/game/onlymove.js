// @ts-check
/** Plays the only legal move of a position automatically, after a while. */

const delay = 1_000; // ms

export class OnlyMove {
  #timer = 0;
  #handled = ""; // the position whose only move has been handled

  /** @param {() => boolean} busy whether a move is being shown */
  constructor(busy) {
    this.busy = busy;
  }

  /** Reports whether a move is about to be played. */
  get waits() {
    return this.#timer !== 0;
  }

  /** Plays a move soon, once for each position. @param {string} position @param {() => void} play */
  start(position, play) {
    if (position === this.#handled) return;
    this.#handled = position;
    const go = () => {
      this.#timer = 0;
      if (this.busy()) this.#timer = window.setTimeout(go, delay);
      else play();
    };
    this.#timer = window.setTimeout(go, delay);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }
}
