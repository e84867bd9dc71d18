// @ts-check
/**
 * Why something was refused, in words, and where the rules say so. Pure.
 *
 * @typedef {import("../lib/text.js").T} T
 */

import { capital } from "../lib/text.js";

/**
 * A refusal in words: the catalog's sentence of its code, with pit numbers for
 * letters, else the server's own.
 * @param {T} t
 * @param {{code?: string, msg?: string, detail?: {pit?: number, legal?: string[], [more: string]: any}}} err
 * @param {{name: string, number: (move: string) => string}} words the opponent's name; a move as people write it
 */
export function refusal(t, { code = "", msg = "", detail = {} }, { name, number }) {
  const named = `refusal.${code}`;
  const key = t.has(named) ? named : `error.${code}`;
  if (!t.has(key)) return msg || t("error.other", { code });
  const legal = (detail?.legal ?? []).map((move) => number(move).replace("+", "")); // of a gift, the pit
  const choices = new Intl.ListFormat(t.lang, { type: "disjunction" }).format(legal);
  /** @type {Record<string, string | number>} */
  const values = { name, pit: detail?.pit ?? "", legal: choices, n: legal.length };
  for (const [k, v] of Object.entries(detail ?? {})) if (!(k in values)) values[k] = String(v);
  return capital(t(key, values), t.lang);
}

/**
 * What is asked of who must give a seed and not sow; else nothing.
 * @param {T} t
 * @param {import("../model/state.js").Game} game
 * @param {ReturnType<typeof import("./words.js").speaker>} words
 */
export function gift(t, { snap, as, you }, words) {
  const legal = (snap.turn === as && you?.legal?.map(({ m }) => m)) || [];
  if (legal.length === 0 || !legal.every((move) => move.startsWith("+"))) return "";
  return refusal(t, { code: "must-give", detail: { legal } }, { name: words.sideName(1 - words.mine), number: (move) => words.short(move, as) });
}

/**
 * The paragraph of the rules, on the page of a game, that a refusal comes from.
 * A test compares it with the engine's reasons and the pages' anchors.
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
  "must-lift-two": "lift",
  "blocked-single": "lift",
  "not-rightmost": "lift",
  "needs-direction": "direction",
  "no-direction": "direction",
  "endless-sowing": "relay",
  "grand-slam": "grand-slam",
  "must-feed": "feed",
  "must-give": "feed",
  "no-gift": "feed",
  "no-pass": "stuck",
  "must-pass": "stuck",
  "game-over": "end",
};

/**
 * Where "Why?" leads; empty if the rules have nothing to say on it.
 * @param {string} code of the refusal
 * @param {string} system
 * @param {string} options the house rules
 */
export function whyAt(code, system, options) {
  const paragraph = paragraphs[code];
  return paragraph ? `${rulesAt(system, options)}#${paragraph}` : "";
}

/** The page of a game's rules. @param {string} system @param {string} options the house rules */
export function rulesAt(system, options) {
  return `/learn/${system}${options ? `?options=${encodeURIComponent(options)}` : ""}`;
}
