// @ts-check
/**
 * The reasons of refusals, in words, and the sections of the rules that explain them. Pure.
 *
 * @typedef {import("../lib/text.js").T} T
 */

import { capital, listed } from "../lib/text.js";
import { numberOf, ownerOf, sideOf } from "../model/shape.js";

/**
 * Returns a refusal in words: the catalog's sentence for its code, with pit numbers instead of
 * letters; else the server's own sentence.
 * @param {T} t
 * @param {{code?: string, msg?: string, detail?: {pit?: number, legal?: string[], [more: string]: any}}} err
 * @param {{name: string, number: (move: string) => string}} words name: of the opponent; number:
 *   writes a move for people
 */
export function refusal(t, { code = "", msg = "", detail = {} }, { name, number }) {
  const named = `refusal.${code}`;
  const key = t.has(named) ? named : `error.${code}`;
  if (!t.has(key)) return msg || t("error.other", { code });
  const legal = (detail?.legal ?? []).map((move) => number(move).replace("+", "")); // for a gift, the pit
  const choices = listed(t, legal, "or");
  /** @type {Record<string, string | number>} */
  const values = { name, pit: detail?.pit ?? "", legal: choices, n: legal.length };
  for (const [k, v] of Object.entries(detail ?? {})) if (!(k in values)) values[k] = String(v);
  return capital(t(key, values), t.lang);
}

/**
 * Returns why an own pit without seeds cannot be played; null if it has seeds, or if the server must be asked. A pit
 * that the other side has claimed stays empty. With seeds in hand, the server says where a seed may go instead.
 * @param {T} t
 * @param {import("../model/state.js").Game} game
 * @param {ReturnType<typeof import("./words.js").speaker>} words
 * @param {number} pit its id
 */
export function emptyPit(t, { snap }, words, pit) {
  const side = ownerOf(words.shape, pit);
  if (snap.pits[pit] > 0 || words.enters(side)) return null;
  const code = snap.marks?.[pit] === "x" ? "claimed-pit" : "empty-pit";
  const err = { code, detail: { pit: numberOf(words.shape, pit) } };
  return { code, text: refusal(t, err, { name: words.sideName(1 - side), number: String }) };
}

/**
 * Returns the sentence for a player who must give a seed instead of sowing; else "".
 * @param {T} t
 * @param {import("../model/state.js").Game} game
 * @param {ReturnType<typeof import("./words.js").speaker>} words
 */
export function gift(t, { snap, as, you }, words) {
  const legal = (snap.turn === as && you?.legal?.map(({ m }) => m)) || [];
  if (legal.length === 0 || !legal.every((move) => move.startsWith("+"))) return "";
  return refusal(
    t,
    { code: "must-give", detail: { legal } },
    { name: words.sideName(1 - sideOf(words.shape, as)), number: (move) => words.short(move, as) },
  );
}

/**
 * The section that a refusal comes from, on the page of the game's rules. A test compares the codes
 * with the engine's reasons, and the sections with the page's anchors.
 * @type {Record<string, string>}
 */
const paragraphs = {
  "not-your-turn": "first-move",
  "wrong-phase": "setup",
  "not-a-layout": "setup",
  corner: "setup",
  "not-your-pit": "lift",
  "foreign-pit": "lift",
  "empty-pit": "lift",
  "claimed-pit": "capture",
  "must-lift-two": "lift",
  "blocked-single": "lift",
  "not-rightmost": "lift",
  "needs-direction": "direction",
  "no-direction": "direction",
  "against-direction": "direction",
  "endless-sowing": "relay",
  "must-capture": "lift",
  "inner-first": "lift",
  "gives-up-row": "lift",
  "enter-inner": "lift",
  "enter-elsewhere": "lift",
  inwards: "capture",
  "blocked-pit": "capture",
  "must-take-blocked": "capture",
  "no-house": "lift",
  "grand-slam": "grand-slam",
  "must-feed": "feed",
  "must-give": "feed",
  "no-gift": "feed",
  "no-pass": "stuck",
  "must-pass": "stuck",
  "game-over": "end",
};

/**
 * Returns the address that "Why?" leads to; "" if the rules do not explain the refusal.
 * @param {string} code of the refusal
 * @param {string} system
 * @param {string} options the house rules
 */
export function whyAt(code, system, options) {
  const paragraph = paragraphs[code];
  return paragraph ? `${rulesAt(system, options)}#${paragraph}` : "";
}

/** Returns the address of a game's rules. @param {string} system @param {string} options the house rules */
export function rulesAt(system, options) {
  return `/learn/${system}${options ? `?options=${encodeURIComponent(options)}` : ""}`;
}
