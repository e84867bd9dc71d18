// @ts-check
/**
 * The host's changes to the pairings of a round. Pure.
 *
 * @typedef {[number, number]} Pairing numbers of the players; the second is 0 for a bye
 */

/**
 * Swaps two players, who may sit on the same board: then the other one moves first. 0 is the place of
 * a bye: the player changes places with the player who has it.
 * @param {Pairing[]} pairings
 * @param {number} one
 * @param {number} other
 * @returns {Pairing[]}
 */
export function swap(pairings, one, other) {
  const to = (/** @type {number} */ n) => (n === one ? other : n === other ? one : n);
  return pairings.map(([first, second]) => [to(first), second === 0 ? 0 : to(second)]);
}

/** Reports whether two lists hold the same pairings. @param {Pairing[]} a @param {Pairing[]} b */
export function same(a, b) {
  return a.length === b.length && a.every(([first, second], i) => first === b[i][0] && second === b[i][1]);
}

/** Returns the board of a player, from 1; 0: none. @param {Pairing[]} pairings @param {number} player */
export function boardOf(pairings, player) {
  return pairings.findIndex(([first, second]) => first === player || second === player) + 1;
}

/** Returns the opponent of a player; 0: a bye. @param {Pairing[]} pairings @param {number} player */
export function opponentOf(pairings, player) {
  const pair = pairings[boardOf(pairings, player) - 1];
  return pair ? (pair[0] === player ? pair[1] : pair[0]) : 0;
}

/**
 * Returns all that the pairings of a round depend on, as one text. If the text has changed, the pairings may have
 * changed.
 * @param {import("../event/state.js").State} state
 */
export function basis({ settings, players, forbidden = [], rounds }) {
  const { format, rounds: n, games } = settings;
  const rows = players.map((p) => [p.out ? 0 : p.rating ?? 0, p.out, Object.entries(p.byes ?? {})]);
  const results = rounds.map((boards) => boards.map((b) => [b.first, b.second, b.result, b.seeds]));
  return JSON.stringify([format, n, games, rows, forbidden, results]);
}
