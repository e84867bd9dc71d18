// @ts-check
/**
 * The plies of a round, for the list of moves and for stepping through them. Pure. The server sends
 * them whole (`/api/v1/games/{id}/replay`); live moves are added.
 *
 * @typedef {import("./trace.js").Board} Board
 * @typedef {{seat: number, move: string, trace: import("./trace.js").Step[], pits: number[], stores: number[],
 *   marks?: import("./trace.js").Marks, clock?: number[]}} Ply
 * @typedef {{first: Board, plies: Ply[]}} Round
 * @typedef {{number: number, seat: number, plies: {at: number, ply: Ply}[]}} Turn at: after how
 *   many plies
 */

/** @param {any} answer from the server @returns {Round[]} all rounds, in order */
export const rounds = (answer) =>
  answer.rounds?.length > 0 ? answer.rounds : [{ first: answer.first, plies: answer.plies ?? [] }];

/**
 * Returns the board after the given number of plies.
 * @param {Round} round
 * @param {number} at
 * @returns {Board}
 */
export const boardAt = (round, at) => (at <= 0 ? round.first : round.plies[Math.min(at, round.plies.length) - 1]);

/**
 * Returns the plies grouped into turns: everything that a seat plays until another seat is on turn.
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

/**
 * Returns the number of the turn that a ply belongs to; 0: the start. People read this number; addresses count plies.
 * @param {Round} round
 * @param {number} at plies, this one included
 */
export const turnAt = ({ plies }, at) => plies.slice(0, at).filter(({ seat }, i) => seat !== plies[i - 1]?.seat).length;

/**
 * Returns the place in a game that the fragment of an address names: "#12" is after ply 12, "#2.12"
 * after ply 12 of the second round of a match. Other fragments give null.
 * @param {string} hash
 * @returns {{round: number | null, at: number} | null} rounds count from 0; null: the last round
 */
export function placeOf(hash) {
  const [, round, at] = hash.match(/^#(?:(\d{1,3})\.)?(\d{1,5})$/) ?? [];
  if (at === undefined) return null;
  return { round: round === undefined ? null : Number(round) - 1, at: Number(at) };
}

/** @param {{round: number, at: number}} place @param {number} rounds in the match */
export const hashOf = ({ round, at }, rounds) => (rounds > 1 ? `#${round + 1}.${at}` : `#${at}`);

/**
 * Returns the moves as text, turn by turn: "1. 3+ 5  2. 6".
 * @param {Round} round
 * @param {(ply: Ply) => string} written writes a ply for people
 */
export const listing = (round, written) =>
  turns(round)
    .map((turn) => `${turn.number}. ${turn.plies.map(({ ply }) => written(ply)).join("+ ")}`)
    .join("  ");

/**
 * Returns the place that an address names: its fragment, or of a game that is over "?ply=12".
 * @param {URL} url
 * @param {boolean} over
 */
export const placeIn = (url, over) =>
  placeOf(url.hash) ?? (over ? placeOf("#" + url.searchParams.get("ply")) : null);

/**
 * Writes a place into an address. The server reads the one of a game that is over: "?ply=12" instead
 * of "#12". Another fragment stays.
 * @param {URL} url it is changed
 * @param {{round: number, at: number} | null} place null: none
 * @param {number} rounds in the match
 * @param {boolean} over
 */
export function addressOf(url, place, rounds, over) {
  if (placeOf(url.hash)) url.hash = "";
  if (url.searchParams.has("ply")) url.searchParams.delete("ply");
  if (place && over) url.searchParams.set("ply", hashOf(place, rounds).slice(1));
  else if (place) url.hash = hashOf(place, rounds);
  return url;
}
