// @ts-check
/**
 * The figures of a round for its story: the lead after each ply, and the moves that stand out. Pure.
 *
 * @typedef {import("../model/history.js").Round} Round
 * @typedef {{at: number, seat: number, n: number}} Mark at: plies played, this one included
 */

import { turns } from "../model/history.js";
import { digest, expand, total, wonBy } from "../model/trace.js";

/**
 * Returns the lead of a side over the best of the others, after each ply from 0 on.
 * @param {Round} round
 * @param {number} side
 * @param {boolean} [owns] captured seeds stay on the board, so all seeds of a side count
 */
export const leads = (round, side, owns = false) =>
  [round.first, ...round.plies].map(({ pits, stores }) => {
    const row = pits.length / stores.length;
    const have = stores.map((n, of) =>
      owns ? pits.slice(of * row, (of + 1) * row).reduce((sum, seeds) => sum + seeds, n) : n,
    );
    return have[side] - Math.max(...have.filter((_, other) => other !== side));
  });

/**
 * Returns the move on which the side that leads at the end came into the lead for good.
 * @param {Round} round
 * @param {boolean} [owns] as for leads
 * @returns {Mark | null} seat: the side; null if nobody leads at the end
 */
export function lead(round, owns) {
  const all = round.first.stores.map((_, side) => leads(round, side, owns));
  const seat = all.findIndex((by) => by[by.length - 1] > 0);
  if (seat < 0) return null;
  const by = all[seat];
  let at = by.length;
  while (by[at - 1] > 0) at--;
  return { at, seat, n: by[by.length - 1] };
}

/**
 * Returns the first of the greatest marks.
 * @param {Mark[]} marks
 * @param {number} least the smallest number that counts
 * @returns {Mark | null}
 */
function greatest(marks, least) {
  const most = Math.max(...marks.map((m) => m.n));
  return most >= least ? (marks.find((m) => m.n === most) ?? null) : null;
}

/**
 * @param {Round} round
 * @param {(d: import("../model/trace.js").Digest, side: number) => number} count
 * @returns {Mark[]}
 */
const each = (round, count) =>
  round.plies.map((ply, i) => {
    const side = ply.seat % round.first.stores.length;
    return { at: i + 1, seat: ply.seat, n: count(digest(expand(ply.trace)), side) };
  });

/** Returns the move that captured the most seeds. @param {Round} round */
export const capture = (round) => greatest(each(round, (d, side) => total(wonBy(d.took, side))), 1);

/** Returns the sowing with the most laps. @param {Round} round */
export const relay = (round) => greatest(each(round, (d) => d.laps), 2);

/** Returns the turn with the most moves, at its last move. @param {Round} round */
export function chain(round) {
  const marks = turns(round).map(({ seat, plies }) => ({ at: plies[plies.length - 1].at, seat, n: plies.length }));
  return greatest(marks, 2);
}

/**
 * Returns the worth of the game to a side, after each ply. With four players the sides value a
 * position differently: then only the plies of that side are known.
 * @param {{seat: number, value: number}[]} found before each ply and at the end, from the view of
 *   the player who moves
 * @param {number} side
 * @param {number} sides
 */
export const worthTo = (found, side, sides) =>
  found.map(({ seat, value }) => (seat % sides === side ? value : sides === 2 ? -value : null));

/**
 * Returns the bars of a picture that is as wide as there are plies: x is the ply, up is ahead.
 * @param {number[]} leads
 * @param {number} height of the picture
 * @param {(number | null)[]} [worths] what the game was worth after each ply, if known: a line over
 *   the bars
 * @returns {{zero: number, bars: {x: number, y: number, height: number, ahead: boolean}[], line: string}}
 */
export function bars(leads, height, worths = []) {
  const known = worths.flatMap((n, x) => (n === null ? [] : [{ n, x }]));
  const ends = [...leads, ...known.map(({ n }) => n)];
  const top = Math.max(1, ...ends);
  const bottom = Math.min(-1, ...ends);
  const unit = height / (top - bottom);
  const zero = top * unit;
  const line = known.map(({ n, x }) => `${x},${(zero - n * unit).toFixed(1)}`).join(" ");
  return {
    zero,
    bars: leads.map((n, x) => ({ x, y: n > 0 ? zero - n * unit : zero, height: Math.abs(n) * unit, ahead: n > 0 })),
    line,
  };
}
