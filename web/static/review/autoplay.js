// @ts-check
/**
 * Plays a replay move after move: each move is shown, and then there is a pause. Whatever else
 * changes the position that is shown stops it.
 */

import { find } from "../lib/dom.js";

const beat = 100; // ms
const rest = 700; // ms between two moves

export class AutoPlay {
  #timer = 0;
  #at = -1; // plies before the position that was shown last
  #idle = 0; // ms since the last move was shown

  /**
   * @param {import("./review.js").Review} review
   * @param {{walk: (way: "first" | "forward") => void, moving: () => boolean}} wiring
   *   walk: shows another position; moving: whether a move is being shown
   */
  constructor(review, wiring) {
    this.review = review;
    this.wiring = wiring;
  }

  /** Starts at the position that is shown, at the end of a round at its start; or pauses. */
  toggle() {
    if (this.#timer) return this.#stop();
    if (this.review.now >= this.review.length) this.wiring.walk("first");
    [this.#at, this.#idle] = [this.review.now, 0];
    this.#timer = window.setInterval(() => this.#go(), beat);
    this.#draw();
  }

  #go() {
    const { review, wiring } = this;
    if (review.now !== this.#at || review.now >= review.length) return this.#stop();
    this.#idle = wiring.moving() ? 0 : this.#idle + beat;
    if (this.#idle < rest) return;
    wiring.walk("forward");
    [this.#at, this.#idle] = [review.now, 0];
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#draw();
  }

  /** Draws the button, which shows what it does next. */
  #draw() {
    const button = find("[data-action=replay]");
    button.dataset.play ??= button.getAttribute("aria-label") ?? "";
    button.textContent = this.#timer ? "❚❚" : "▶";
    button.setAttribute("aria-label", (this.#timer ? button.dataset.stop : button.dataset.play) ?? "");
  }
}
