// @ts-check
/**
 * Speaks through the two live regions of the page: one polite sentence for each finished move, and
 * at once only what cannot wait.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("../model/state.js").Snap} Snap
 */

import { ownOf } from "../model/state.js";
import { answers } from "./answers.js";
import { speaker } from "./words.js";

const patience = 5_000; // ms of waiting after which "your turn" may interrupt

/** Reports whether a move was taken back. @param {Snap} old @param {Snap} now */
export const takenBack = (old, now) =>
  now.round === old.round && now.ply < old.ply && old.state !== "waiting" && now.state !== "over";

export class Voice {
  #last = "";
  #starting = false; // the game has begun, and this has not been said yet
  #since = Date.now(); // the time at which the player began to wait for their turn

  /** @param {T} t @param {() => string} verbosity brief, normal or full */
  constructor(t, verbosity) {
    this.t = t;
    this.verbosity = verbosity;
  }

  /** Says a text politely. @param {string} text */
  say(text) {
    this.#speak("say", text);
  }

  /** Says a text at once. @param {string} text */
  shout(text) {
    this.#speak("shout", text);
  }

  /** Repeats the last text. */
  repeat() {
    this.#speak("say", this.#last || this.t("say.nothing-yet"));
  }

  /**
   * Writes a text into a live region. A screen reader must read a repeated text again, so every second one ends in a
   * silent space.
   * @param {string} region
   * @param {string} text
   */
  #speak(region, text) {
    if (!text) return;
    this.#last = text;
    const el = /** @type {HTMLElement} */ (document.getElementById(region));
    el.textContent = el.textContent === text ? text + "\u00a0" : text;
  }

  /**
   * Says what has changed in the game.
   * @param {Game} old
   * @param {Game} now
   * @param {Snap} [before] the position before the move, if it was a move
   */
  follow(old, now, before) {
    const words = speaker(this.t, now);
    const own = ownOf(now);
    const turn = now.snap.turn === own && (now.snap.state === "live" || now.snap.state === "setup");
    // The interruption comes first: the sentence waits, and is heard after it.
    if (turn && (old.snap.turn !== own || old.snap.state === "waiting") && Date.now() - this.#since > patience)
      this.shout(this.t("turn.you"));
    if (!turn && (old.snap.turn === own || old.snap.state === "waiting")) this.#since = Date.now();
    if (before && now.snap.last) this.say(this.#moved(now, before));
    const over = (/** @type {Snap} */ snap) => snap.state === "over" || snap.state === "pause";
    if (over(now.snap) && now.snap.state !== old.snap.state) this.shout(words.ending());
    else if (old.snap.state === "waiting" && now.snap.state !== "waiting") this.#starting = true;
    else if (takenBack(old.snap, now.snap)) this.say(this.t("say.taken-back", { turn: words.turnText() }));
    else if (old.snap.state === "pause" && !over(now.snap)) this.say(words.turnText()); // the next round
    for (const offer of now.snap.offers) {
      const known = old.snap.offers.some((o) => o.what === offer.what && o.seat === offer.seat);
      if (known || offer.seat === now.as) continue;
      this.say([words.offerText(offer), now.as < 0 ? "" : this.t("offer.where")].filter(Boolean).join(" "));
    }
    this.#begin(now);
  }

  /** @param {Game} game @param {Snap} before */
  #moved(game, before) {
    const words = speaker(this.t, game);
    const ply = /** @type {import("./words.js").Ply} */ (game.snap.last);
    const verbosity = this.verbosity();
    if (verbosity === "brief")
      return [this.t("say.whole", { words: words.lastMoveText() }), words.nextText()].filter(Boolean).join(" ");
    const said = words.moveSentence(ply, before);
    if (verbosity !== "full") return said;
    const mine = game.snap.turn === game.as && game.you?.legal;
    const { score, playable } = answers(game, words);
    return [said, said.includes(score()) ? "" : score(), mine ? playable() : ""].filter(Boolean).join(" ");
  }

  /** Says the start once the names have come: they are looked up a moment later. @param {Game} game */
  #begin(game) {
    if (!this.#starting || game.snap.seats.some((player) => game.names[player] === undefined)) return;
    this.#starting = false;
    this.say(this.t("started", { turn: speaker(this.t, game).turnText() }));
  }
}
