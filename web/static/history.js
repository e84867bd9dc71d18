// @ts-check
/**
 * The plies of a round as they were played: what the move list and stepping
 * back need. Pure; the server tells it whole (`/api/v1/games/{id}/replay`), live
 * moves are added.
 *
 * @typedef {import("./trace.js").Board} Board
 * @typedef {{seat: number, move: string, trace: import("./trace.js").Step[], pits: number[], stores: number[], clock?: number[]}} Ply
 * @typedef {{first: Board, plies: Ply[]}} Round
 * @typedef {{number: number, seat: number, plies: {at: number, ply: Ply}[]}} Turn at: after how many plies
 */

/** @param {any} answer of the server @returns {Round[]} all rounds, the last one last */
export const rounds = (answer) => (answer.rounds?.length > 0 ? answer.rounds : [{ first: answer.first, plies: answer.plies ?? [] }]);

/**
 * The board after so many plies.
 * @param {Round} round
 * @param {number} at
 * @returns {Board}
 */
export const boardAt = (round, at) => (at <= 0 ? round.first : round.plies[Math.min(at, round.plies.length) - 1]);

/**
 * The plies joined to turns: all that a seat plays until another is on turn.
 * @param {Round} round
 * @returns {Turn[]}
 */
export function turns(round) {
  /** @type {Turn[]} */
  const list = [];
  round.plies.forEach((ply, i) => {
    const turn = list[list.length - 1];
    if (turn && turn.seat === ply.seat) turn.plies.push({ at: i + 1, ply });
    else list.push({ number: list.length + 1, seat: ply.seat, plies: [{ at: i + 1, ply }] });
  });
  return list;
}
