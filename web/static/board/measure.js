// @ts-check
/**
 * Measures places on the board's layer for one move, before anything is written, so that nothing is
 * measured during the animation.
 *
 * @typedef {import("./board.js").MancalaBoard} MancalaBoard
 * @typedef {import("../model/trace.js").Board} Board
 * @typedef {import("../model/trace.js").Event} Event
 * @typedef {import("../model/trace.js").Slot} Slot
 * @typedef {{x: number, y: number, tint: number}} Point
 * @typedef {{x: number, y: number, w: number, h: number, round: string, hand: {x: number, y: number},
 *   note: {x: number, y: number}}} Spot
 *   x, y: the middle of a slot; w, h: its size; hand: where the hand is above it, a little aside so
 *   that the number can be read; note: where a note beside the number covers no seed
 */

import { arrive, copy, leave } from "../model/trace.js";
import { sprites } from "./beats.js";

const exact = 60; // seeds whose exact places are looked up; the others fall into the middle of the pit

/**
 * Measures the slots that a move touches.
 * @param {MancalaBoard} board
 * @param {Board} before
 * @param {Event[]} events
 * @returns {Map<Slot, Spot>}
 */
export function measureSlots(board, before, events) {
  const turns = events.some((e) => e.kind === "turn");
  const slots = new Set(
    turns ? before.pits.keys() : events.flatMap((e) => (e.to === null ? [e.slot] : [e.slot, e.to])),
  );
  const origin = board.layer.getBoundingClientRect();
  /** @param {Element} el */
  const middle = (el) => {
    const { left, top, width: w, height: h } = el.getBoundingClientRect();
    return { x: left + w / 2 - origin.left, y: top + h / 2 - origin.top, w, h };
  };
  /** @type {Record<string, string>} */
  const rounds = {};
  /** @type {Map<Slot, Spot>} */
  const spots = new Map();
  for (const slot of slots) {
    const cell = board.cell(slot);
    if (!cell) continue;
    const bowl = cell.querySelector(".bowl") ?? cell;
    const { x, y, w, h } = middle(bowl);
    const number = middle(/** @type {Element} */ (cell.querySelector(".count")));
    const [dx, dy] = [x - number.x, y - number.y];
    const aside = (0.25 * Math.min(w, h)) / Math.max(1, Math.hypot(dx, dy));
    const round = (rounds[typeof slot] ??= getComputedStyle(bowl).borderRadius);
    const note = typeof slot !== "number" ? { x: 2 * x - number.x, y: 2 * y - number.y } // the other end of a store
      : number.h < number.w ? { x: number.x + Math.min(34, Math.max(14, number.w / 2 - 9)), y: number.y }
      : { x: number.x, y: number.y + Math.min(22, number.h / 2 - 8) };
    spots.set(slot, { x, y, w, h, round, hand: { x: x + dx * aside, y: y + dy * aside }, note });
  }
  return spots;
}

/**
 * Measures where seeds lie before and after they move.
 * @param {MancalaBoard} board
 * @param {Board} before
 * @param {Event[]} events
 */
export function measureSeeds(board, before, events) {
  /** @type {Map<number, (Point | null)[]>} by event: the places of the seeds that leave */
  const starts = new Map();
  /** @type {Map<number, Point | null>} by event: the place of the seed that falls */
  const ends = new Map();
  const now = copy(before);
  events.forEach((e, i) => {
    if (e.kind === "drop") {
      if (ends.size < exact)
        ends.set(
          i,
          board.point(e.slot, typeof e.slot === "number" ? now.pits[e.slot] : now.stores[Number(e.slot.slice(1))]),
        );
    } else if (e.kind !== "lift" || i === 0) {
      starts.set(i, Array.from({ length: Math.min(e.n, sprites) }, (_, k) => board.point(e.slot, k)));
    }
    leave(now, e);
    arrive(now, e);
  });
  return { starts, ends };
}
