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

const enough = 0.5; // seeds that a move may cost and still solve a puzzle

/** Rounds a loss to whole seeds, at least one. @param {number} seeds */
const atLeastOne = (seeds) => Math.max(1, Math.round(seeds));

/**
 * Says what a position is worth: "+6", "about −2".
 * @param {T} t
 * @param {{value: number, exact: boolean}} worth
 */
export function worthOf(t, { value, exact }) {
  const n = Math.round(value);
  const text = n > 0 ? `+${n}` : n < 0 ? `\u2212${-n}` : "0";
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
