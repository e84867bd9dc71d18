// @ts-check
/**
 * Three hints for a player's first game. Each one disappears when the player follows it. They stand
 * in the status line.
 *
 * @typedef {import("../model/state.js").Game} Game
 */

import { option } from "../model/shape.js";
import { ownOf } from "../model/state.js";

/**
 * Returns the hint that fits now.
 * @param {Game} game
 * @param {number} seen hints that the player has followed
 * @returns {{hint: "" | "pits" | "way" | "again", seen: number}}
 *   hint: what to show; seen: hints followed by now
 */
export function coach({ snap, as }, seen) {
  const none = /** @type {const} */ ({ hint: "", seen });
  if (as < 0 || snap.state !== "live" || snap.phase !== "play" || seen >= 3) return none;
  const sown = snap.last?.seat === as ? snap.last : null;
  if (seen === 0 && !sown) return snap.turn === as ? { hint: "pits", seen } : none;
  // The direction is explained while the player's own seeds are visible there; the next move ends
  // it. A player who chooses the direction of each move has seen it.
  const chosen = option(snap.canonical, "direction") === "choice";
  if (seen <= 1 && sown && !chosen) return { hint: "way", seen: 1 };
  if (seen <= 1 && (sown || snap.turn === as)) return coach(/** @type {Game} */ ({ snap, as }), 2);
  const stores = option(snap.canonical, "again")?.includes("store") ?? false;
  if (!stores) return { hint: "", seen: 3 };
  if (sown && snap.turn === as) return { hint: "", seen: 3 }; // it has happened: the hint is not needed
  return snap.turn === as ? { hint: "again", seen } : none;
}

const key = "coached";

/** Remembers on this device which hints have been shown. */
export class Coach {
  #seen = -1; // not read yet: watchers do not wait for the storage
  #kept = "";

  /** @param {string} room */
  constructor(room) {
    this.room = room;
  }

  /** @param {Game} game */
  hint(game) {
    if (ownOf(game) < 0) return "";
    if (this.#seen < 0) this.#seen = this.#before();
    if (this.#seen >= 3) return "";
    const { hint, seen } = coach(game, this.#seen);
    this.#seen = seen;
    if (seen > 0 || game.snap.moves.length > 0) this.#keep(`${this.room} ${seen}`);
    return hint;
  }

  /** Returns the number of hints that were shown. A player who has been in another game needs none. */
  #before() {
    try {
      const [first, seen] = (localStorage.getItem(key) ?? `${this.room} 0`).split(" ");
      return first === this.room ? Number(seen) : 3;
    } catch {
      return 3; // without storage, no player must be taught again and again
    }
  }

  /** @param {string} what */
  #keep(what) {
    if (what === this.#kept) return;
    this.#kept = what;
    try {
      localStorage.setItem(key, what);
    } catch {} // the storage is full or forbidden: see above
  }
}
