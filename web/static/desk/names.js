// @ts-check
import { namesIn } from "../lib/text.js";
import { inTurn } from "./inturn.js";

/** The names of a tournament's players. Its state has their IDs only, so the page asks for names. */
export class Names {
  #first = Infinity; // the first player whose name must be asked for

  /**
   * @param {string} room
   * @param {Record<string, string>} known by ID
   * @param {import("../lib/text.js").T} t
   * @param {() => void} changed
   */
  constructor(room, known, t, changed) {
    this.t = t;
    this.room = room;
    this.known = known;
    this.changed = changed;
  }

  /** Returns the name of a person, or "". @param {string | undefined} id */
  of(id = "") {
    return this.known[id] ?? "";
  }

  /**
   * Asks for the names of the players from a number on, and ends when they are there.
   * @param {number} from
   */
  ask(from) {
    this.#first = Math.min(this.#first, from);
    return this.#next();
  }

  /** Asks for names that are missing. @param {import("../event/state.js").Player[]} players */
  complete(players) {
    const unnamed = players.find((p) => p.id && !(p.id in this.known));
    if (unnamed) void this.ask(unnamed.n);
  }

  #next = inTurn(async () => {
    const from = this.#first;
    this.#first = Infinity;
    const r = await fetch(`/api/v1/tournaments/${this.room}/names?from=${from}`).catch(() => null);
    const answer = r?.ok ? await r.json().catch(() => null) : null;
    if (!answer) return;
    this.known = { ...this.known, ...namesIn(this.t, answer) };
    this.changed();
  });
}
