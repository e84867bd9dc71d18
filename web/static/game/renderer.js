// @ts-check
/**
 * Draws the page of a game: the board from what is known, and everything around it.
 *
 * @typedef {import("./gamepage.js").Parts} Parts
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { viewOf } from "../board/view.js";
import { find, intoView, show, write } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import { gameName } from "../lib/text.js";
import { sideOf } from "../model/shape.js";
import { play as sound } from "../sound/sound.js";
import { whyAt } from "../speech/refusals.js";
import { speaker } from "../speech/words.js";
import { statusOf } from "../table/status.js";

/** The number of frames in which a move begins to be shown. */
export const beginning = 4;
/** How long a drawing in frames may last, in ms. Then the rest is drawn at once. */
const longest = 1_000;

export class Renderer {
  #countdown = 0; // timer of a claim
  #soon = 0; // timer of what can wait
  #frame = 0; // the request for the frame in which the drawing begins or goes on
  #wait = 0; // frames until it begins
  #late = 0; // timer of what the frames have not drawn
  #pieces = /** @type {Generator | null} */ (null); // the pieces of it that are left
  /** @type {[Element | null, string | undefined] | null} the focus and the view before a drawing, until it ends */
  #before = null;
  #turn = false; // it was the viewer's turn
  #bottom = 0; // the side at the bottom

  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    prefs.on((name) => name === "turns" && this.draw());
    // A press completes the drawing first.
    for (const kind of ["pointerdown", "click", "keydown"])
      document.addEventListener(kind, () => this.#frame && this.draw(), { capture: true });
  }

  /** Draws everything now. */
  draw() {
    clearTimeout(this.#soon);
    clearTimeout(this.#late);
    cancelAnimationFrame(this.#frame);
    this.#soon = this.#late = this.#frame = 0;
    this.#pieces = null;
    for (const _ of this.#draws());
  }

  /** Draws once after everything that has just come is known. */
  soon() {
    this.#soon ||= window.setTimeout(() => this.draw());
  }

  /**
   * Draws a piece in each frame, after some frames. While a move is shown, a phone would drop frames if it drew
   * everything in one. A page that is hidden has no frames, so it draws everything at once. A page that is
   * hidden or covered later has no further frames either: a timer draws what is left.
   * @param {number} [frames]
   */
  inPieces(frames = 0) {
    if (document.hidden) return this.draw();
    this.#pieces = null;
    this.#wait = this.#frame ? Math.min(this.#wait, frames) : frames;
    this.#frame ||= requestAnimationFrame(() => this.#goOn());
    this.#late ||= window.setTimeout(() => this.draw(), longest);
  }

  #goOn() {
    this.#frame = 0;
    if (this.#wait-- <= 0) this.#pieces ??= this.#draws();
    if (!this.#pieces?.next().done) this.#frame = requestAnimationFrame(() => this.#goOn());
    else {
      clearTimeout(this.#late);
      this.#late = 0;
    }
  }

  /** Draws a piece each time it is resumed. If the focused button is gone, the focus moves to the board. */
  *#draws() {
    if (this.parts.review.awaited) return; // the end of the game is not what the address names
    const [focused, view] = (this.#before ??= [document.activeElement, find("#game").dataset.view]);
    yield* this.#show();
    this.#before = null;
    this.#scroll(view === "offer" || view === "room");
    if (
      focused &&
      [focused, document.body].includes(/** @type {Element} */ (document.activeElement)) &&
      (!focused.isConnected || focused.closest("[hidden]") || /** @type {any} */ (focused).disabled)
    )
      this.parts.input.enter();
  }

  /**
   * Shows the board when the game begins and when it becomes the viewer's turn, unless they do
   * something else.
   * @param {boolean} waited the page showed no game before
   */
  #scroll(waited) {
    const { snap, as } = this.parts.page.game;
    const turn = snap.turn === as && (snap.state === "live" || snap.state === "setup");
    const begins = waited && snap.state !== "waiting";
    if (begins) scrollTo({ top: 0, behavior: "instant" });
    const busy = () => document.querySelector("dialog[open], :popover-open, :is(input, select, textarea):focus");
    if (turn && !this.#turn && !busy()) intoView(".table");
    this.#turn = turn;
  }

  /**
   * Says why something could not be done. After a tap on the board of a game that is over, the line goes on saying
   * who won.
   * @param {number} pit or -1
   * @param {string} text
   * @param {string} [code]
   */
  refuse(pit, text, code = "") {
    const { page, voice, board } = this.parts;
    page.tell(pit >= 0 && page.game.snap.state === "over" ? "" : text, code);
    voice.shout(text);
    board.shake(pit);
    sound("no");
    this.draw();
  }

  /** Draws the page piece by piece. The board comes last: when it is at rest, all the page is drawn. */
  *#show() {
    const { t, page, board, input, animation, table, review, actionBar, result, chat, waiting } = this.parts;
    const { connection, layout, ruleSheet } = this.parts;
    const { game } = page;
    const { snap, as } = game;
    const words = speaker(t, game);
    const laying = snap.phase === "setup" && snap.state === "setup" && snap.turn === as && !page.reader;
    show("#layout", laying);
    if (laying) layout.seats(sideOf(words.shape, as), words.name(1 - as));
    if (laying && !layout.draft) return layout.begin(snap); // draws again
    if (!laying) layout.draft = null;
    write(find("#title"), gameName(t, snap));
    const past = review.shown();
    const shown = this.#bottom;
    const { bottom, stores } = this.#view(words);
    table.draw(game, words, bottom, stores);
    const turns = game.all && this.#bottom !== shown; // the names and the board change sides in one frame
    if (!turns) yield;
    ruleSheet.point(page.message && page.code ? whyAt(page.code, snap.rules, snap.options) : "");
    table.status(this.#status(words), page.message !== "" || connection.text !== "");
    actionBar.draw(game, words, Date.now() + game.ahead, page.reader);
    waiting?.draw(game, words, page.message);
    if (!animation.ending) result.draw(game, words);
    chat.draw(game);
    if (!turns) yield;
    this.parts.moveList.draw(words);
    this.#scheduleCountdown();
    const gone = as >= 0 && snap.state === "live" ? table.away(as) : [];
    show("#later", gone.length > 0 && connection.text === "" && snap.clockText === "none");
    show("#superseded", page.reader);
    find("[data-action=sound]").setAttribute("aria-pressed", String(prefs.get("muted") !== "on"));
    show("#updated", connection.updated);
    show("#offline", connection.retry);
    show("#outdated", connection.reload);
    // the result has its final height: what is below it may be shown
    find("#game").toggleAttribute("data-drawn", review.settled && !animation.ending);
    find("#game").toggleAttribute("data-past", past !== null || animation.stepping);
    if (!turns) yield;
    const view = this.#view(words);
    const trace = animation.shown || (laying && !past) ? null : (past ? past.ply : snap.last)?.trace;
    board.draw(view, trace ?? null);
    input.follow(view);
    this.parts.hints.draw();
  }

  /** @param {Speaker} words @returns {import("../board/board.js").View} */
  #view(words) {
    const { t, page, animation, review, connection, layout, play } = this.parts;
    const { snap } = page.game;
    const { sides } = words.shape;
    const past = review.shown();
    const moving = animation.shown;
    const shown = moving ?? past ?? { ...snap, pits: layout.draft?.pits ?? page.filling ?? snap.pits };
    const choices = play.choices();
    const view = viewOf(t, page.game, words, { conn: connection.state, moving, past });
    const { all } = page.game;
    // at one screen it stays, or turns to the player on move once the last move was shown
    if (all && prefs.get("turns") !== "on") this.#bottom = sideOf(words.shape, snap.seats.indexOf(page.game.me));
    else if (!all || !moving) this.#bottom = view.bottom;
    return {
      ...view,
      ply: past ? past.at : snap.ply,
      bottom: (this.#bottom + (page.flipped ? sides / 2 : 0)) % sides,
      pits: shown.pits,
      stores: shown.stores,
      marks: shown.marks,
      choices,
      watchable: play.watchable(),
      plannable: play.plannable(),
      planned: (moving ? null : play.sent?.pit) ?? play.planned?.pit,
      only: play.only(),
      pitName: (pit, seeds, playable) => words.pit(pit, seeds, playable, choices.size > 0, shown.marks ?? {}),
      laid: layout.draft ? (seeds) => animation.fall(seeds) : undefined,
    };
  }

  /** @param {Speaker} words */
  #status(words) {
    const { t, page, animation, table, review, connection, layout, play, coach } = this.parts;
    const { game } = page;
    return statusOf(t, game, words, {
      connection: connection.text,
      message: page.message,
      reader: page.reader,
      past: review.shown(),
      ending: animation.ending,
      moving: animation.shown !== null,
      sent: play.sent !== null,
      draft: layout.status,
      hint: coach.hint(game),
      only: play.only(),
      away: game.as < 0 ? [] : table.away(game.as),
      plan: play.plan(),
    });
  }

  /** Draws again when a countdown ends: nothing comes over the socket then, but the game can be claimed. */
  #scheduleCountdown() {
    const { page, actionBar } = this.parts;
    const { snap, ahead } = page.game;
    clearTimeout(this.#countdown);
    const wait = Math.max(snap.countdown?.until ?? 0, actionBar.patient) - Date.now() - ahead;
    if (wait > 0) this.#countdown = window.setTimeout(() => this.draw(), wait + 20);
  }
}
