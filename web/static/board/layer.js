// @ts-check
/**
 * Draws on the board's layer: rings, words, dots and travelling seeds. It animates transform,
 * translate, scale and opacity only.
 *
 * @typedef {import("./measure.js").Spot} Spot
 */

import { element } from "../lib/dom.js";

const floats = 600; // ms that a word is visible

/**
 * Outlines a slot.
 * @param {HTMLElement} layer
 * @param {Spot | undefined} spot
 * @param {number} ms Infinity: until the next move; 0: nothing is shown
 * @param {string} kind
 */
export function ring(layer, spot, ms, kind) {
  if (ms <= 0 || !spot) return;
  const el = element("span", { class: `ring ${kind}` });
  Object.assign(el.style, { width: `${spot.w}px`, height: `${spot.h}px`, borderRadius: spot.round });
  place(layer, el, spot.x - spot.w / 2, spot.y - spot.h / 2);
  const way = kind === "glow" ? { opacity: [0, 1, 0], scale: [1, 1.04, 1] } : { opacity: [0, 1, 1] };
  if (ms < Infinity) removeAfter(el, el.animate(way, ms));
}

/**
 * Shows a word at a slot. It rises and fades.
 * @param {HTMLElement} layer
 * @param {Spot | undefined} spot
 * @param {string} text
 * @param {boolean} still the viewer wants no motion
 */
export function word(layer, spot, text, still) {
  if (!spot) return;
  const el = element("span", { class: "float" }, text);
  place(layer, el, spot.x, spot.y - (spot.h > 90 ? spot.h / 4 : 0)); // above the number
  const rise = still ? {} : { translate: ["-50% -50%", "-50% calc(-50% - 20px)"] };
  removeAfter(el, el.animate({ opacity: [1, 1, 0], ...rise }, { duration: floats, easing: "ease-out" }));
}

/** Shows a text beside a number. @param {HTMLElement} layer @param {Spot | undefined} spot @param {string} text */
export function dot(layer, spot, text) {
  if (spot) place(layer, element("span", { class: "dot" }, text), spot.note.x, spot.note.y);
}

/**
 * Shows a travelling seed.
 * @param {HTMLElement} layer
 * @param {number} tint of the seed that it was or will be
 * @param {Keyframe[]} frames
 * @param {{ms: number, easing: string}} how
 */
export function fly(layer, tint, frames, { ms, easing }) {
  const el = element("i", { class: `seed flying t${tint}` });
  layer.append(el);
  removeAfter(el, el.animate(frames, { duration: Math.max(1, ms), easing, fill: "forwards" }));
}

/**
 * Shows seeds that lie in their pit until the hand takes them, or that close up to it: all by one animation.
 * @param {HTMLElement} layer
 * @param {{x: number, y: number, tint: number}[]} seeds
 * @param {number} ms
 * @param {{x: number, y: number}} [hand] where they close up
 */
export function lie(layer, seeds, ms, hand) {
  if (seeds.length === 0) return;
  const heap = element("span", {});
  for (const { x, y, tint } of seeds) {
    const el = element("i", { class: `seed t${tint}` });
    el.style.inset = `${y}px auto auto ${x}px`;
    heap.append(el);
  }
  if (hand) heap.style.transformOrigin = `${hand.x}px ${hand.y}px`;
  layer.append(heap);
  const way = hand ? { scale: [1, 0.4], easing: "ease-in" } : { opacity: [1, 1] };
  removeAfter(heap, heap.animate(way, Math.max(1, ms)));
}

/**
 * Lets seeds fall into their places, one after the other.
 * @param {HTMLElement[]} seeds
 * @param {{ms: number, gap: number}} how
 */
export function rain(seeds, { ms, gap }) {
  if (ms === 0) return;
  seeds.forEach((seed, i) =>
    seed.animate(
      { translate: ["0 -40px", "0 0"], opacity: [0, 1] },
      { duration: ms, delay: i * gap, easing: "ease-in", fill: "backwards" },
    ),
  );
}

/** Removes an element when its animation is over. @param {HTMLElement} el @param {Animation} animation */
export function removeAfter(el, animation) {
  animation.onfinish = () => el.remove();
}

/** @param {HTMLElement} layer @param {HTMLElement} el @param {number} x @param {number} y */
function place(layer, el, x, y) {
  el.style.inset = `${y}px auto auto ${x}px`;
  layer.append(el);
}
