// @ts-check
/**
 * The board of the home page plays by itself until it is touched. Then it is at its start again, and
 * its buttons make a game. The server says what each move does: a lift, the drops, the captures.
 */

import { still } from "../lib/prefs.js";

const tints = ["seed", "light", "warm", "pale"];
const most = 24; // seeds that are drawn in a slot
const pause = 1300; // ms before a move
const beat = 190; // ms for each seed

/** @param {number} ms */
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Returns the places of n seeds in a slot, in a box that is 100 wide: the same as the server's.
 * @param {number} slot
 * @param {number} n
 * @returns {{x: number, y: number, tint: string}[]}
 */
export const places = (slot, n) =>
  Array.from({ length: Math.min(n, most) }, (_, i) => {
    const wide = slot >= 12 ? 9 : Math.min(17, 42 / Math.sqrt(n));
    const r = wide * Math.sqrt(i + 0.5);
    const a = 2.4 * i + slot;
    const tall = slot >= 12 ? 3 : 1; // stores
    return { x: 50 + r * Math.cos(a), y: tall * (50 + r * Math.sin(a)), tint: tints[(i + slot) % 4] };
  });

/**
 * Applies an event of a move to the counts.
 * @param {number[]} counts by slot
 * @param {number} event
 * @returns {number[]} the slots that have changed
 */
export function apply(counts, event) {
  if (event < 0) {
    counts[-1 - event] = 0;
    return [-1 - event];
  }
  if (event < 100) {
    counts[event]++;
    return [event];
  }
  const from = Math.floor(event / 100) - 1;
  counts[event % 100] += counts[from];
  counts[from] = 0;
  return [from, event % 100];
}

/** Lets the board of the home page play, if the page has one. */
export async function playHero() {
  const form = /** @type {HTMLElement | null} */ (document.querySelector(".hero[data-demo]"));
  if (!form || still()) return;
  /** @type {number[][]} */
  const moves = JSON.parse(form.dataset.demo ?? "[]");
  const start = [...Array(12).fill(4), 0, 0];
  let counts = [...start];
  let touched = false;
  const draw = (/** @type {number} */ slot) => {
    const at = /** @type {HTMLElement} */ (form.querySelector(`[data-slot="${slot}"]`));
    /** @type {HTMLElement} */ (at.querySelector(".count")).dataset.n = String(counts[slot]);
    const seeds = places(slot, counts[slot]).map(({ x, y, tint }) => {
      const seed = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      for (const [name, value] of Object.entries({ class: tint, cx: x, cy: y, r: 13 }))
        seed.setAttribute(name, String(typeof value === "number" ? Math.round(value) : value));
      return seed;
    });
    /** @type {Element} */ (at.querySelector("svg")).replaceChildren(...seeds);
  };
  const reset = () => {
    counts = [...start];
    counts.forEach((_, slot) => draw(slot));
  };
  const touch = () => {
    if (touched) return;
    touched = true;
    reset();
  };
  for (const event of ["pointerenter", "pointerdown", "focusin"]) form.addEventListener(event, touch);
  for (const move of moves) {
    await wait(pause);
    while (document.hidden && !touched) await wait(pause);
    for (const event of move) {
      if (touched || still()) return;
      for (const slot of apply(counts, event)) draw(slot);
      await wait(beat);
    }
  }
  await wait(2 * pause);
  touch();
}
