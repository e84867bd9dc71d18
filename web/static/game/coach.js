// @ts-check
/**
 * Three hints for somebody's first game ever. Each goes away by being followed;
 * they stand in the status line and never in the way.
 *
 * @typedef {import("../model/state.js").Game} Game
 */

import { option } from "../model/shape.js";

/**
 * The hint that fits now.
 * @param {Game} game
 * @param {number} seen how many hints have been followed
 * @returns {{hint: "" | "pits" | "way" | "again", seen: number}} what to show, and how many are done now
 */
export function coach({ snap, as }, seen) {
  const none = /** @type {const} */ ({ hint: "", seen });
  if (as < 0 || snap.state !== "live" || snap.phase !== "play" || seen >= 3) return none;
  const sown = snap.last?.seat === as ? snap.last : null;
  if (seen === 0 && !sown) return snap.turn === as ? { hint: "pits", seen } : none;
  // The way is told while one's own seeds lie there; the next move ends it.
  if (seen <= 1 && sown) return { hint: "way", seen: 1 };
  if (seen === 1 && snap.turn === as) return coach(/** @type {Game} */ ({ snap, as }), 2);
  const stores = option(snap.canonical, "again")?.includes("store") ?? false;
  if (!stores) return { hint: "", seen: 3 };
  if (sown && snap.turn === as) return { hint: "", seen: 3 }; // it has happened: no need to tell
  return snap.turn === as ? { hint: "again", seen } : none;
}

const key = "coached";

/** Remembers on this device what has been shown. */
export class Coach {
  #seen = -1; // not looked up: who watches does not wait for the storage
  #kept = "";

  /** @param {string} room */
  constructor(room) {
    this.room = room;
  }

  /** @param {Game} game */
  hint(game) {
    if (game.as < 0) return "";
    if (this.#seen < 0) this.#seen = this.#before();
    if (this.#seen >= 3) return "";
    const { hint, seen } = coach(game, this.#seen);
    this.#seen = seen;
    if (seen > 0 || game.snap.moves.length > 0) this.#keep(`${this.room} ${seen}`);
    return hint;
  }

  /** How many have been shown; whoever has been in another game knows how it goes. */
  #before() {
    try {
      const [first, seen] = (localStorage.getItem(key) ?? `${this.room} 0`).split(" ");
      return first === this.room ? Number(seen) : 3;
    } catch {
      return 3; // without storage nobody is taught again and again
    }
  }

  /** @param {string} what */
  #keep(what) {
    if (what === this.#kept) return;
    this.#kept = what;
    try {
      localStorage.setItem(key, what);
    } catch {} // the storage is full, or forbidden: see above
  }
}
