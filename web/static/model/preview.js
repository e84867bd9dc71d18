// @ts-check
/**
 * What a move would do, read from the trace that came with it. Pure. The server has decided whether
 * the move is legal and what it does.
 *
 * @typedef {import("./trace.js").Board} Board
 * @typedef {import("./trace.js").Slot} Slot
 * @typedef {import("./state.js").Legal} Legal
 * @typedef {{move: string, lands: Map<Slot, number>, last: Slot | null, empty: boolean, laps: number,
 *   takes: number, took: import("./trace.js").Taken[], gives: boolean, again: boolean, end: boolean}} Preview
 *   lands: how many seeds fall where, empty for a very long move; empty: the last seed falls into
 *   an empty pit; takes: the number of captured seeds
 */

import { apply, digest, expand, total } from "./trace.js";

/** @param {Legal} legal @param {Board} board before the move @returns {Preview} */
export function preview(legal, board) {
  const { m: move, trace, sum, again = false, end = false } = legal;
  const known = { move, again, end };
  if (!trace) {
    const { laps = 0, last = null, took = 0 } = sum ?? {};
    return { ...known, lands: new Map(), last, empty: false, laps, takes: took, took: [], gives: false };
  }
  const events = expand(trace);
  const d = digest(events);
  /** @type {Map<Slot, number>} */
  const lands = new Map();
  for (const e of events) {
    const slot = e.kind === "drop" ? e.slot : e.kind === "give" ? e.to : null;
    if (slot !== null) lands.set(slot, (lands.get(slot) ?? 0) + 1);
  }
  const ends = events.map((e) => e.kind).lastIndexOf("drop");
  const last = d.gave?.to ?? d.last;
  const empty = typeof d.last === "number" && apply(board, events.slice(0, ends)).pits[d.last] === 0;
  return { ...known, lands, last, empty, laps: d.laps, takes: total(d.took), took: d.took, gives: d.gave !== null };
}
