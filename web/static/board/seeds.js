// @ts-check
/**
 * The places of seeds. Pure: a seed's place depends on the game, its pit and its number in the pit.
 * So adding or removing a seed moves no other, and all viewers see the same picture.
 */

import { chance } from "../lib/chance.js";

const golden = Math.PI * (3 - Math.sqrt(5)); // an angle at which seeds never line up

/**
 * Returns the place of seed i of a slot in its bowl: x and y from -1 to 1, 0 is the middle. The
 * first `full` seeds fill the bowl like the seeds of a sunflower.
 * @param {string} game
 * @param {import("../model/trace.js").Slot} slot
 * @param {number} i
 * @param {number} full seeds that are drawn one by one
 * @returns {{x: number, y: number, turn: number, tint: number}} turn: degrees; tint: 0 to 3
 */
export function place(game, slot, i, full) {
  const at = (/** @type {string} */ what) => chance(`${game} ${slot} ${i} ${what}`);
  const angle = i * golden + chance(`${game} ${slot}`) * 2 * Math.PI + (at("angle") - 0.5) * 0.5;
  const far = Math.sqrt((i + 0.5) / full) + (at("far") - 0.5) * 0.14;
  const radius = Math.min(1, Math.max(0, far));
  return {
    x: radius * Math.cos(angle),
    y: radius * Math.sin(angle),
    turn: Math.round(at("turn") * 360),
    tint: Math.floor(at("tint") * 4),
  };
}

/**
 * Returns the number of seeds that are drawn one by one; the others lie in the heap.
 * @param {number} n
 * @param {number} full
 */
export const drawn = (n, full) => Math.min(n, full);

/** Returns the size of the heap, from 0 (none) to 1. @param {number} n @param {number} full */
export const heap = (n, full) => (n <= full ? 0 : Math.min(1, 0.55 + (0.45 * (n - full)) / 60));
