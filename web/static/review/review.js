// @ts-check
/**
 * The steps through the moves of a game, during it and after it, and the position that is shown.
 *
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { ask } from "../lib/api.js";
import { addressOf, boardAt, listing, placeIn, rounds, turnAt } from "../model/history.js";

export class Review {
  /** @type {import("../model/history.js").Round[]} */
  #rounds = [];
  #round = -1; // the round that is shown
  #at = -1; // plies before the position that is shown; -1: the game as it is
  #loading = false;
  #incomplete = true; // some plies must still be fetched
  /** @type {Game | null} the game that came while an answer was on its way */
  #newest = null;
  #loaded = false; // the plies are loaded: an address can be followed
  #over = false; // the game is over

  /** @param {string} room @param {() => void} changed the board must be drawn again */
  constructor(room, changed) {
    this.room = room;
    this.changed = changed;
    addEventListener("hashchange", () => this.#goToAddress());
  }

  /** Goes to the place in the address, or to the nearest one. */
  #goToAddress() {
    const place = placeIn(new URL(location.href), this.#over);
    const last = this.#rounds.length - 1;
    if (!place || last < 0) return;
    this.#round = Math.max(0, Math.min(place.round ?? last, last));
    this.go(place.at, true);
  }

  /** Writes the place into the address. */
  #updateAddress() {
    const url = this.#address(location.href, this.inPast);
    if (url !== location.href) history.replaceState(history.state, "", url);
  }

  /** @param {string} base @param {boolean} past the position is not the latest */
  #address(base, past) {
    const place = past ? { round: this.#round, at: this.place.at } : null;
    return addressOf(new URL(base), place, this.#rounds.length, this.#over).href;
  }

  /** Returns the number of rounds that are known. */
  get count() {
    return this.#rounds.length;
  }

  /** Goes to the end of a round. @param {number} round */
  choose(round) {
    this.#round = round;
    this.go(this.#plies.length, true);
  }

  /** Returns the round that is shown, and the number of plies before the position. */
  get place() {
    return {
      n: this.#round,
      round: this.#rounds[this.#round] ?? null,
      at: this.inPast ? this.#at : this.#plies.length,
    };
  }

  /** Returns the number of the turn that led to the position, and of all turns of the round. */
  get counted() {
    const { round, at } = this.place;
    return round ? { n: turnAt(round, at), of: turnAt(round, round.plies.length) } : { n: 0, of: 0 };
  }

  /** Returns the address of the position, to send it. Of a game that is over the server draws it. */
  get link() {
    return this.#address(`${location.origin}/${this.room}`, true);
  }

  /** Returns the moves as text. @param {Speaker} words */
  text(words) {
    const round = this.#rounds[this.#round];
    return round ? listing(round, words.written) : "";
  }

  get #plies() {
    return this.#rounds[this.#round]?.plies ?? [];
  }

  /** Reports whether an earlier position is shown. */
  get inPast() {
    return this.#at >= 0;
  }

  /** Returns the number of plies before the position that is shown. */
  get now() {
    return this.inPast ? this.#at : this.#plies.length;
  }

  /** Returns the number of plies of the round that is shown. */
  get length() {
    return this.#plies.length;
  }

  /**
   * Returns the ply that led to the position that is shown.
   * @param {number} turn the seat on turn after the last ply; -1: the game is over
   * @returns {import("../board/animation.js").Played | null}
   */
  played(turn) {
    const ply = this.#plies[this.now - 1];
    if (!ply) return null;
    const next = this.#plies[this.now]?.seat ?? turn;
    return { before: boardAt(this.#rounds[this.#round], this.now - 1), ply, again: next === ply.seat };
  }

  /** Returns the earlier position that is shown; null: the game as it is. */
  shown() {
    if (!this.inPast) return null;
    const round = this.#rounds[this.#round];
    const ply = this.#at > 0 ? round.plies[this.#at - 1] : null;
    return { ...boardAt(round, this.#at), ply, at: this.#at, counted: this.counted };
  }

  /** Follows the game: adds a ply, or fetches all of them if one is missing. @param {Game} game */
  async follow(game) {
    this.#newest = game;
    this.#over = game.snap.state === "over";
    if (this.#loading) return; // one request at a time; the latest state is next
    this.#loading = true;
    try {
      for (let next = this.#take(); next; next = this.#take()) await this.#follow(next);
    } finally {
      this.#loading = this.#incomplete = false;
    }
    if (this.#loaded || this.#rounds.length === 0) return;
    this.#loaded = true;
    this.#goToAddress();
  }

  /** Reports whether nothing more is being fetched. */
  get settled() {
    return !this.#incomplete;
  }

  /** Reports whether the place in the address is being fetched. Until then the page stays as the server drew it. */
  get awaited() {
    return this.#loading && !this.#loaded && this.#over && placeIn(new URL(location.href), true) !== null;
  }

  #take() {
    const game = this.#newest;
    this.#newest = null;
    return game;
  }

  /** @param {Game} game */
  async #follow({ snap }) {
    const current = this.#rounds[this.#rounds.length - 1];
    const past = snap.rounds?.length ?? 0;
    const index = snap.state === "over" || snap.state === "pause" ? Math.max(0, past - 1) : past;
    const known = current?.plies ?? [];
    const fits = this.#rounds.length - 1 === index;
    if (fits && known.length === snap.moves.length && known.every((p, i) => p.move === snap.moves[i])) return;
    if (
      fits &&
      snap.last &&
      known.length + 1 === snap.moves.length &&
      known.every((p, i) => p.move === snap.moves[i])
    ) {
      known.push({ ...snap.last, pits: snap.pits, stores: snap.stores, marks: snap.marks });
      return;
    }
    if (snap.moves.length === 0 && index === 0) {
      this.#rounds = [{ first: { pits: snap.pits, stores: snap.stores, marks: snap.marks }, plies: [] }];
      this.#round = 0;
      this.#at = -1;
      return;
    }
    this.#incomplete = true;
    const { ok, body } = await ask("GET", `/api/v1/games/${this.room}/replay`);
    if (!ok) return; // the list stays; the next move fetches again
    const loaded = rounds(body);
    const stay = this.inPast && this.#round < loaded.length && this.#at <= loaded[this.#round].plies.length;
    this.#rounds = loaded;
    if (!stay) [this.#round, this.#at] = [loaded.length - 1, -1];
    this.changed();
  }

  /**
   * @param {number} n plies before the position; more than there are: the game as it is
   * @param {boolean} [hold] stay at the last ply of an earlier round
   */
  go(n, hold = false) {
    const last = this.#plies.length;
    const newest = this.#round === this.#rounds.length - 1;
    if (this.#rounds.length === 0) return;
    this.#at = n >= last && newest && !hold ? -1 : Math.max(0, Math.min(n, last));
    if (this.#at === last && newest) this.#at = -1;
    this.#updateAddress();
    this.changed();
  }

  /** @param {"first" | "back" | "forward" | "last"} way */
  step(way) {
    const now = this.inPast ? this.#at : this.#plies.length;
    if (way === "last") {
      this.#round = this.#rounds.length - 1;
      this.#at = -1;
      this.#updateAddress();
      return this.changed();
    }
    this.go(way === "first" ? 0 : now + (way === "back" ? -1 : 1));
  }
}
