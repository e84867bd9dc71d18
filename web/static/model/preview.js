// @ts-check
/**
 * The effect of a move, read from the trace that came with it. Pure. The server has decided whether
 * the move is legal and what it does.
 *
 * @typedef {import("./trace.js").Board} Board
 * @typedef {import("./trace.js").Slot} Slot
 * @typedef {import("./state.js").Legal} Legal
 * @typedef {{move: string, lands: Map<Slot, number>, last: Slot | null, empty: boolean, laps: number,
 *   takes: number, took: import("./trace.js").Taken[], lost: import("./trace.js").Taken[], claims: boolean,
 *   unhouses: boolean, blocks: boolean, gives: boolean, again: boolean, end: boolean}} Preview
 *   lands: how many seeds fall where, empty for a very long move; empty: the last seed falls into
 *   an empty pit; takes: the number of seeds that the player captures; took: where; lost: what either
 *   side wins in passing; claims: it claims the pit of the last seed; unhouses: it empties a house; blocks: it
 *   blocks a pit
 */

import { apply, digest, expand, total, wonBy } from "./trace.js";

/** @param {Legal} legal @param {Board} board before the move @returns {Preview} */
export function preview(legal, board) {
  const { m: move, trace, sum, again = false, end = false } = legal;
  const known = { move, again, end };
  if (!trace) {
    const { laps = 0, last = null, took = 0 } = sum ?? {};
    const unknown = {
      ...{ lands: new Map(), empty: false, took: [], lost: [], claims: false },
      ...{ unhouses: false, blocks: false, gives: false },
    };
    return { ...known, ...unknown, last, laps, takes: took };
  }
  const events = expand(trace);
  const d = digest(events, board.marks);
  /** @type {Map<Slot, number>} */
  const lands = new Map();
  for (const e of events) {
    const slot = e.kind === "drop" ? e.slot : e.kind === "give" || e.kind === "enter" ? e.to : null;
    if (slot !== null) lands.set(slot, (lands.get(slot) ?? 0) + 1);
  }
  const ends = events.map((e) => e.kind).lastIndexOf("drop");
  const last = d.gave?.to ?? d.last;
  const before = apply(board, events.slice(0, ends));
  const empty = typeof d.last === "number" && before.pits[d.last] === 0 && board.marks?.[d.last] !== "x";
  const side = Math.floor(Number(d.from) / (board.pits.length / board.stores.length));
  const took = wonBy(d.took, side);
  const lost = [...d.took.filter((x) => !took.includes(x)), ...d.fell];
  const takes = total(took) + total(wonBy(d.fell, side));
  const [claims, gives] = [d.claimed !== null, d.gave !== null];
  const [unhouses, blocks] = [d.unhoused.length > 0, d.blocked !== null];
  return { ...known, lands, last, empty, laps: d.laps, takes, took, lost, claims, unhouses, blocks, gives };
}
