// @ts-check
/**
 * Games that the desk looks at beside the tournament: their scores, clocks and absent players. A
 * socket follows only some rooms at once, so the desk looks at the first boards that are in view.
 *
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("../model/state.js").Frame} Frame
 */

import { firstMoveDue, remaining, timeText } from "../model/clock.js";
import { fold, open } from "../model/state.js";

export const most = 12; // games at once: the server allows 16 rooms to a socket

export class Glances {
  /** @type {Map<string, {game: Game | null, away: Set<number>}>} */
  #games = new Map();
  /** @type {string[]} */
  #rooms = [];
  #pinned = "";

  /** @param {() => import("../lib/glancelink.js").GlanceLink} link @param {() => void} changed */
  constructor(link, changed) {
    this.link = link;
    this.changed = changed;
  }

  /** Looks at these games and no others. @param {string[]} rooms */
  watch(rooms) {
    this.#rooms = rooms;
    const wanted = new Set([this.#pinned, ...rooms].filter(Boolean).slice(0, most));
    for (const room of this.#games.keys())
      if (!wanted.has(room)) {
        this.#games.delete(room);
        this.link().glance(room, null);
      }
    for (const room of wanted)
      if (!this.#games.has(room)) {
        this.#games.set(room, { game: null, away: new Set() });
        this.link().glance(room, (frame) => this.#receive(room, frame));
      }
  }

  /** Looks at one more game, or with "" at no more. @param {string} room */
  pin(room) {
    this.#pinned = room;
    this.watch(this.#rooms);
  }

  /** Returns a game that the desk looks at, or null. @param {string} room */
  game(room) {
    return this.#games.get(room)?.game ?? null;
  }

  /** @param {string} room @param {Frame} frame */
  #receive(room, frame) {
    const known = this.#games.get(room);
    if (!known) return;
    if (frame.t === "sync") known.away.clear(); // the seats that are still away are named again
    if (frame.t === "snap") known.game = open(frame, Date.now(), known.game);
    else if (frame.t === "note" && frame.kind === "presence") {
      if (frame.here || frame.over) known.away.delete(frame.seat);
      else known.away.add(frame.seat);
    } else if (known.game) {
      const next = fold(known.game, frame, Date.now());
      if (next.resync) return this.link().glance(room, (f) => this.#receive(room, f));
      known.game = next.game;
    }
    this.changed();
  }

  /** Returns the seats of a game whose players are not at their pages. @param {string} room */
  away(room) {
    return this.#games.get(room)?.away ?? new Set();
  }

  /**
   * Returns the seeds in the store of a seat, or undefined before the first move.
   * @param {string} room
   * @param {number} seat
   */
  score(room, seat) {
    const snap = this.#games.get(room)?.game?.snap;
    return snap && snap.ply > 0 ? snap.stores[seat % snap.stores.length] : undefined;
  }

  /**
   * Returns the state of a game: "unseen", "fresh" before the first move, "paused", or that of its snapshot.
   * @param {string} room
   */
  state(room) {
    const snap = this.#games.get(room)?.game?.snap;
    if (!snap) return "unseen";
    if (/** @type {{paused?: number}} */ (snap).paused) return "paused";
    return snap.state === "live" && snap.ply === 0 ? "fresh" : snap.state;
  }

  /** Returns the time that the player on turn has left, or "". @param {string} room */
  clock(room) {
    const game = this.#games.get(room)?.game;
    if (!game?.snap.clock?.length || game.snap.state !== "live") return "";
    return timeText(remaining({ ...game.snap, outage: game.outage }, game.snap.turn, Date.now() + game.ahead));
  }

  /** Returns the seat that has made no first move, and the ms after which it loses, or null. @param {string} room */
  noMove(room) {
    const game = this.#games.get(room)?.game;
    if (!game || game.outage) return null;
    const now = Date.now() + game.ahead;
    const { snap } = game;
    return snap.state !== "over" && firstMoveDue(snap, now) ? { seat: snap.turn, left: snap.due - now } : null;
  }

  /** Returns the seat on turn, or -1. @param {string} room */
  turn(room) {
    const snap = this.#games.get(room)?.game?.snap;
    return snap?.state === "live" ? snap.turn : -1;
  }
}
