// @ts-check
/**
 * Boards whose last games can be played now. A brief entry names them, and their rows follow from the state.
 * Pure.
 *
 * @typedef {import("./state.js").Board} Board
 * @typedef {import("./state.js").Change} Change
 * @typedef {import("./state.js").State} State
 * @typedef {{round: number, boards: number[]}} Opened
 */

/**
 * Returns the rows of boards whose last games can be played now, or undefined: there is no such game.
 * @param {State} state
 * @param {Opened} opened
 * @returns {Change | undefined}
 */
export function opening({ rounds, acted }, { round, boards }) {
  const rows = boards.flatMap((n) => opens(rounds[round - 1]?.[n - 1], acted) ?? []);
  return rows.length === boards.length ? { round, boards: rows } : undefined;
}

/**
 * Returns a board whose last game can be played now, or undefined: it has no game.
 * @param {Board | undefined} board
 * @param {number} [acted]
 * @returns {Board | undefined}
 */
export function opens(board, acted) {
  const games = board?.games ?? [];
  const last = games.at(-1);
  return board && last && { ...board, games: [...games.slice(0, -1), { ...last, opened: true, acted }] };
}
