// @ts-check
/**
 * The animation of moves on this page: which moves are shown and how, by the viewer's settings;
 * their sounds; and the taps that end them.
 *
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("../model/state.js").Legal} Legal
 * @typedef {import("../model/trace.js").Board} Board
 * @typedef {import("../model/trace.js").Event} Event
 * @typedef {{before: Board, ply: {seat: number, move: string, trace: import("../model/trace.js").Step[]},
 *   again: boolean}} Played
 */

import { prefs, still } from "../lib/prefs.js";
import { pitOf, shapeOf, sideOf } from "../model/shape.js";
import { expand } from "../model/trace.js";
import { soundOf } from "../sound/notes.js";
import { drop, play, vibrate } from "../sound/sound.js";
import { Hand } from "./hand.js";
import { Sowing } from "./sowing.js";

const missed = 500; // ms for each move that came while the connection was lost: all of them take 2 s

export class MoveAnimation {
  /** @type {Hand} */
  #hand;
  #cols = 1; // pits in a row
  /** @type {import("../model/shape.js").Made} */
  #made = "maple";
  #own = false; // the move is this player's
  #ends = false; // the game is over with this move
  /** @type {import("../sound/notes.js").SoundName | null} to be played after the move has been shown */
  #sound = null;

  /**
   * @param {import("./board.js").MancalaBoard} board
   * @param {import("../lib/text.js").T} t
   * @param {{onEnd: (tapped: boolean) => void, onStep: (events: Event[], kind: string, lap: number) => void}} wiring
   *   onEnd: the animation is over, and the board must be drawn again; onStep: what a viewer who steps
   *   is told
   */
  constructor(board, t, { onEnd, onStep }) {
    this.board = board;
    this.#hand = new Hand(board, t, { still, speed: () => prefs.get("speed") });
    this.sowing = new Sowing({
      hand: this.#hand,
      how: () => ({ speed: prefs.get("speed"), reduced: still(), hidden: document.hidden }),
      row: (slot) => (typeof slot === "number" ? Math.floor(slot / this.#cols) : -1),
      onBegin: (ms) => Object.assign(board.dataset, { anim: "running", lasts: String(Math.round(ms)) }),
      onSound: (what, share, at) => this.#heard(what, share, at),
      onStep: (beat, events) => onStep(events, beat.kind, beat.lap),
      onEnd: (tapped) => {
        this.#playSound();
        onEnd(tapped);
      },
    });
    this.#listen();
  }

  /** Returns the position to show instead of the game's; null at rest. */
  get shown() {
    return this.sowing.shown;
  }

  /** Reports whether the viewer steps through a move. */
  get stepping() {
    return this.sowing.stepping;
  }

  /** Reports whether the last move of a game is being shown: its end is told afterwards. */
  get ending() {
    return this.#ends && this.shown !== null;
  }

  /**
   * Ends the animation at each tap and key, before it is handled. The buttons for stepping end it themselves:
   * when a finger lifts, another button could be where one of them was.
   */
  #listen() {
    const end = (/** @type {any} */ e) => {
      if (e.type === "click" && e.detail > 0) return; // the pointer went down before
      const steps = e.key === "x" || (e.target instanceof Element && e.target.closest(".stepping, [data-action=step]"));
      if (!steps) this.sowing.finish();
    };
    for (const kind of ["pointerdown", "click", "keydown"]) document.addEventListener(kind, end, { capture: true });
    document.addEventListener("visibilitychange", () => document.hidden && this.sowing.finish());
    // Places were measured: they are wrong when the board changes its size.
    new ResizeObserver(() => {
      this.sowing.finish();
      this.#hand.clear(); // also the dots of a move that was not animated
      this.#hand.places.forget();
    }).observe(this.board);
    prefs.on(() => this.#hand.places.forget());
  }

  /**
   * Shows a move of this player before the server has answered.
   * @param {Game} game
   * @param {string} move
   * @returns {boolean} whether the move is shown
   */
  echo(game, move) {
    const legal = game.you?.legal?.find(({ m }) => m === move);
    if (!legal?.trace) return false;
    this.#add(
      game,
      { before: game.snap, ply: { seat: game.as, move, trace: legal.trace }, again: legal.again === true },
      { name: name(game.snap.ply + 1, move) },
    );
    return true;
  }

  /**
   * Shows what came over the socket.
   * @param {Game} old
   * @param {Game} game
   * @param {import("../model/state.js").Snap | undefined} before the position before a move;
   *   undefined if it was no move
   * @param {{inPast: boolean, late: boolean}} how inPast: an earlier position is shown; late: the
   *   connection was lost
   */
  follow(old, game, before, { inPast, late }) {
    this.#sound = soundOf(old, game) ?? this.#sound;
    if (this.#sound === "turn" && document.hidden) vibrate("turn");
    this.#show(old, game, before, { inPast, late });
    this.#playSound();
  }

  /**
   * @param {Game} old
   * @param {Game} game
   * @param {import("../model/state.js").Snap | undefined} before
   * @param {{inPast: boolean, late: boolean}} how
   */
  #show(old, game, before, { inPast, late }) {
    const ply = game.snap.last;
    if (!before || !ply) {
      if (game.snap.ply !== old.snap.ply || game.snap.sum !== old.snap.sum || game.snap.state !== old.snap.state)
        this.sowing.clear();
      return;
    }
    this.#ends = game.snap.state === "over";
    if (this.sowing.awaits(name(game.snap.ply, ply.move))) return this.sowing.confirm(name(game.snap.ply, ply.move));
    if (this.sowing.awaits()) this.sowing.clear(); // another tab was faster
    if (inPast) return;
    const again =
      game.snap.state === "live" &&
      game.snap.turn === ply.seat &&
      pitOf(shapeOf(game.snap), sideOf(shapeOf(game.snap), ply.seat), ply.move) !== null;
    this.#add(game, { before, ply, again }, late ? { most: missed } : {});
  }

  /** Lets seeds fall that this player lays out. @param {HTMLElement[]} seeds */
  fall(seeds) {
    if (!document.hidden) this.#hand.fall(seeds);
  }

  /** Ends the animation: the server has refused the move, or another position is shown. */
  end() {
    this.sowing.clear();
  }

  /** Shows a ply of the past. @param {Game} game @param {Played} played */
  replay(game, played) {
    this.sowing.clear();
    this.#ends = false;
    this.#add(game, played);
  }

  /**
   * Shows the next event of the current animation, or the first of this ply.
   * @param {Game} game
   * @param {Played | null} played
   */
  step(game, played) {
    if (!this.shown) ({ cols: this.#cols, made: this.#made } = shapeOf(game.snap));
    if (!this.shown) this.#ends = false;
    this.sowing.step(played && { before: played.before, events: expand(played.ply.trace), again: played.again });
  }

  /** @param {Game} game @param {Played} played @param {{name?: string, most?: number}} [more] */
  #add(game, { before, ply, again }, more = {}) {
    const events = expand(ply.trace);
    this.#own = ply.seat === game.as;
    // The player who laid out the board has already seen it.
    if (events.length === 0 || (this.#own && events[0].kind === "lay")) return this.sowing.clear();
    ({ cols: this.#cols, made: this.#made } = shapeOf(game.snap));
    this.sowing.add({ before, events, again, ...more });
  }

  /** Plays the sound of a change that came with a move, after the move. */
  #playSound() {
    if (!this.#sound || this.shown) return;
    play(this.#sound);
    this.#sound = null;
  }

  /**
   * @param {"seed" | "take" | "again"} what
   * @param {number} share
   * @param {import("../model/trace.js").Slot} [at]
   */
  #heard(what, share, at = 0) {
    if (what !== "again") drop(this.#made, { share, store: typeof at === "string", pan: this.#hand.panOf(at) });
    if (what !== "seed") play(what);
    if (what === "take") vibrate("take");
    else if (what === "seed" && this.#own) vibrate("land");
  }
}

/** @param {number} ply @param {string} move */
const name = (ply, move) => `${ply} ${move}`;
