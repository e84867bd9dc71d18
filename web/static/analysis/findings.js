// @ts-check
/**
 * The server's findings about a game in words, and the puzzles that its mistakes make. Pure.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../review/analysisrequest.js").Choice} Choice
 * @typedef {import("../review/analysisrequest.js").Found} Found
 * @typedef {import("../review/analysisrequest.js").Findings} Findings
 * @typedef {{at: number, seat: number, move: string, best: string, moves: Choice[]}} Puzzle
 *   at: plies before the mistake
 */

import { pitOf, sideOf } from "../model/shape.js";

const enough = 0.5; // seeds that a move may cost and still solve a puzzle

/** Rounds a loss to whole seeds, at least one. @param {number} seeds */
const atLeastOne = (seeds) => Math.max(1, Math.round(seeds));

/** @param {number} n */
const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `\u2212${-n}` : "0");

/**
 * Says what a position is worth: "+6", "about −2".
 * @param {T} t
 * @param {{value: number, exact: boolean}} worth
 */
export function worthOf(t, { value, exact }) {
  const text = signed(Math.round(value));
  return exact ? text : t("about", { n: text });
}

/**
 * Says what a move cost: "Move 11, Ada 4. Cost 6 seeds. Better: 2."
 * @param {T} t
 * @param {number} move
 * @param {string} name
 * @param {(move: string) => string} short writes a move for people
 * @param {Found} found
 */
export function moveVerdict(t, move, name, short, found) {
  const words = [t("move", { move, name, pit: short(found.move) })];
  if (!found.label) words.push(t("only"));
  else if (found.label === "fine") words.push(t("label.fine"));
  else
    words.push(
      t(found.sure ? "cost" : "cost.about", { n: atLeastOne(found.loss) }),
      t("better", { pit: short(found.best?.[0] ?? "") }),
    );
  return words.join(" ");
}

/**
 * Says the best line: "Best: 4, +6 seeds in 5 moves; solved."
 * @param {T} t
 * @param {(move: string) => string} short
 * @param {Found} found
 */
export function bestLine(t, short, found) {
  if (!found.best?.length) return "";
  const worth = worthOf(t, found);
  return t(found.exact ? "best.solved" : "best", { pit: short(found.best[0]), worth, n: found.best.length });
}

/**
 * Returns what the moves of each pit are worth to the player who moves, as far as it is known: with a pit's best move,
 * and whether that is the best of all.
 * @param {import("../model/shape.js").Shape} shape
 * @param {Found} found
 * @returns {Map<number, {text: string, best: boolean}>} by pit
 */
export function worthsOfPits(shape, { seat, value, best = [], moves = [] }) {
  /** @type {Map<number, number>} */
  const values = new Map();
  for (const choice of [...moves, ...best.slice(0, 1).map((move) => ({ move, value }))]) {
    const pit = pitOf(shape, sideOf(shape, seat), choice.move);
    if (pit !== null) values.set(pit, Math.max(choice.value, values.get(pit) ?? -Infinity));
  }
  const first = best.length > 0 ? pitOf(shape, sideOf(shape, seat), best[0]) : null;
  return new Map([...values].map(([pit, n]) => [pit, { text: signed(Math.round(n)), best: pit === first }]));
}

/**
 * Returns the mistakes of some seats as puzzles.
 * @param {Findings} findings
 * @param {(seat: number) => boolean} whose
 * @returns {Puzzle[]}
 */
export function puzzles({ plies }, whose) {
  return plies.flatMap(({ seat, move, label, best, moves }, at) =>
    whose(seat) && label && label !== "fine" && best?.length && moves?.length
      ? [{ at, seat, move, best: best[0], moves }]
      : [],
  );
}

/**
 * Returns what an answer to a puzzle costs; null if that is not known.
 * @param {Puzzle} puzzle
 * @param {string} move
 */
export function judge({ moves }, move) {
  const tried = moves.find((m) => m.move === move);
  if (!tried) return null;
  const loss = moves[0].value - tried.value;
  return { found: loss <= enough, cost: loss <= enough ? 0 : atLeastOne(loss) };
}
