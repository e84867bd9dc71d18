// @ts-check
/**
 * The replay of a game that is over in a frame of another site: a viewer steps through its moves, by
 * buttons and by keys, and chooses among the rounds of a match. The link below the board opens the game
 * at the same moment.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 */

import { steps } from "../board/keys.js";
import { find } from "../lib/dom.js";
import { AutoPlay } from "../review/autoplay.js";
import { Review } from "../review/review.js";
import { RoundChoice } from "../review/roundchoice.js";
import { speaker } from "../speech/words.js";

export class Replay {
  /**
   * @param {T} t
   * @param {Game} game it is over
   * @param {{animation: import("../board/animation.js").MoveAnimation, say: (text: string) => void,
   *   draw: () => void}} wiring
   */
  constructor(t, game, wiring) {
    const waiting = /** @type {HTMLTemplateElement | null} */ (document.querySelector("#replay"));
    waiting?.replaceWith(waiting.content); // of a game that has ended before the viewer's eyes
    find("#main").classList.add("replaying");
    this.t = t;
    this.game = game;
    this.wiring = wiring;
    this.words = speaker(t, game);
    this.review = new Review(game.room, wiring.draw);
    this.rounds = new RoundChoice(t, this.review);
    this.autoPlay = new AutoPlay(this.review, {
      walk: (way) => this.#walk(way),
      moving: () => wiring.animation.shown !== null,
    });
    document.addEventListener("click", (e) => {
      this.#press(/** @type {HTMLElement} */ (e.target).closest("button")?.dataset.action);
    });
    document.addEventListener("keydown", (e) => this.#key(e));
  }

  /** Fetches the moves. */
  async begin() {
    await this.review.follow(this.game);
    this.wiring.draw();
  }

  /** Returns the earlier position that is shown, or null. */
  get past() {
    return this.review.shown();
  }

  draw() {
    const { review } = this;
    if (review.count === 0) return; // the moves are on their way
    this.rounds.draw();
    find("#at").textContent = this.t("moves.at", review.counted);
    /** @type {HTMLAnchorElement} */ (find("#to-game")).href = review.link;
  }

  /** Shows another position; on the way forward, with its move. @param {"first" | "back" | "forward" | "last"} way */
  #walk(way) {
    const { review, wiring } = this;
    const was = review.now;
    wiring.animation.end();
    review.step(way);
    const played = review.played(-1);
    if (way === "forward" && played && review.now > was) {
      wiring.animation.replay(this.game, played);
      wiring.say(this.words.moveText(played.ply, false));
    }
    wiring.draw();
  }

  /** @param {string | undefined} action */
  #press(action) {
    if (action && this.review.count === 0) return void this.begin(); // there was no answer
    if (action === "replay") this.autoPlay.toggle();
    else if (action === "first" || action === "back" || action === "forward" || action === "last") this.#walk(action);
  }

  /** @param {KeyboardEvent} e */
  #key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
    const onControl = /** @type {HTMLElement} */ (e.target).closest("#main button, #main a");
    const way = Object.hasOwn(steps, e.key) ? steps[e.key].replace(/^start$/, "first").replace(/^end$/, "last") : "";
    const action = e.key === " " && !onControl ? "replay" : way;
    if (!action) return;
    e.preventDefault();
    this.#press(action);
  }
}
