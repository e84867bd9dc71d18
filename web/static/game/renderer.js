// @ts-check
/**
 * Shows the page of a game: makes the board's view of what is known, and brings
 * everything around it up to date.
 *
 * @typedef {import("./game.js").Parts} Parts
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { viewOf } from "../board/view.js";
import { find, write } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import { sideOf } from "../model/shape.js";
import { play as sound } from "../sound/sound.js";
import { whyAt } from "../speech/refusals.js";
import { speaker } from "../speech/words.js";
import { statusOf } from "../table/status.js";

export class Scene {
  #countdown = 0; // the timer of a claim
  #soon = 0; // the timer of what can wait

  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
  }

  /** Show everything. Who stood on a button that is gone now stands on the board. */
  draw() {
    clearTimeout(this.#soon);
    this.#soon = 0;
    const stood = document.activeElement;
    this.#show();
    if (stood instanceof HTMLElement && stood !== document.body && (!stood.isConnected || stood.closest("[hidden]") || /** @type {any} */ (stood).disabled)) this.parts.input.enter();
  }

  /** Show what can wait until all that has just come is known: once for all of it. */
  soon() {
    this.#soon ||= window.setTimeout(() => this.draw());
  }

  /** Why something could not be done. @param {number} pit @param {string} text @param {string} [code] */
  teach(pit, text, code = "") {
    const { here, voice, input } = this.parts;
    here.news(text, code);
    voice.shout(text);
    input.shake(pit);
    sound("no");
    this.draw();
  }

  #show() {
    const { t, here, board, input, motion, table, review, panels, result, chat, waiting, connection, layout, why } = this.parts;
    const { game } = here;
    const { snap, as } = game;
    const words = speaker(t, game);
    const laying = snap.phase === "setup" && snap.state === "setup" && snap.turn === as && !here.reader;
    find("#layout").hidden = !laying;
    if (laying) layout.seats(sideOf(words.shape, as), words.name(1 - as));
    if (laying && !layout.draft) return layout.begin(snap); // draws again
    if (!laying) layout.draft = null;
    const past = review.shown();
    const moving = motion.shown;
    const view = this.#view(words);
    board.draw(view, moving ? null : past ? (past.ply?.trace ?? null) : laying ? null : (snap.last?.trace ?? null));
    input.follow(view);
    this.parts.hints.draw();
    write(find("#title"), snap.title);
    table.draw(game, words, view.bottom, view.stores);
    panels.draw(game, words, Date.now() + game.ahead, here.reader);
    waiting.draw(game, words, here.message);
    if (!motion.ending) result.draw(game, words);
    chat.draw(game);
    review.draw(words);
    this.#count();
    const gone = as >= 0 && snap.state === "live" ? table.away(as) : [];
    find("#later").hidden = gone.length === 0 || connection.told !== "" || snap.clockText !== "none";
    find("#superseded").hidden = !here.reader;
    find("[data-action=sound]").setAttribute("aria-pressed", String(prefs.get("muted") !== "on"));
    find("#updated").hidden = !connection.updated;
    find("#offline").hidden = !connection.retry;
    find("#outdated").hidden = !connection.reload;
    find("#game").toggleAttribute("data-drawn", review.settled && !motion.ending); // the result has its height: what is below it may be seen
    find("#game").toggleAttribute("data-past", past !== null || motion.stepping);
    why.point(here.message && here.lesson ? whyAt(here.lesson, snap.rules, snap.options) : "");
    table.status(this.#status(words), here.message !== "" || connection.told !== "");
  }

  /** @param {Speaker} words @returns {import("../board/board.js").View} */
  #view(words) {
    const { t, here, motion, review, connection, layout, play } = this.parts;
    const { snap } = here.game;
    const { sides } = words.shape;
    const past = review.shown();
    const moving = motion.shown;
    const shown = moving ?? past ?? { pits: layout.draft?.pits ?? snap.pits, stores: snap.stores };
    const choices = play.choices();
    const view = viewOf(t, here.game, words, { conn: connection.state, moving });
    return {
      ...view,
      ply: past ? past.at : snap.ply,
      bottom: (view.bottom + (here.flipped ? sides / 2 : 0)) % sides,
      pits: shown.pits,
      stores: shown.stores,
      choices,
      looks: play.looks(),
      plans: play.plans(),
      planned: (moving ? null : play.sent?.pit) ?? play.planned?.pit,
      only: play.only(),
      pitName: (pit, seeds, playable) => words.pit(pit, seeds, playable, choices.size > 0),
      laid: layout.draft ? (seeds) => motion.fall(seeds) : undefined,
    };
  }

  /** @param {Speaker} words */
  #status(words) {
    const { t, here, motion, table, review, connection, layout, play, coach } = this.parts;
    const { game } = here;
    return statusOf(t, game, words, {
      told: connection.told,
      message: here.message,
      reader: here.reader,
      past: review.shown(),
      ending: motion.ending,
      moving: motion.shown !== null,
      sent: play.sent !== null,
      draft: layout.status,
      hint: coach.hint(game),
      only: play.only(),
      away: game.as < 0 ? [] : table.away(game.as),
      plan: play.plan(),
    });
  }

  /** When a countdown ends nothing comes over the socket, but the game can be claimed. */
  #count() {
    const { here, panels } = this.parts;
    const { snap, ahead } = here.game;
    clearTimeout(this.#countdown);
    const wait = Math.max(snap.countdown?.until ?? 0, panels.patient) - Date.now() - ahead;
    if (wait > 0) this.#countdown = window.setTimeout(() => this.draw(), wait + 20);
  }
}
