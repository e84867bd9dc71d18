// @ts-check
/**
 * Reports where the viewer's pointer, finger or focus is: what is there must neither move nor be replaced.
 * After a tap, `:hover` stays on what was tapped until the next tap. So a finger holds for a time instead.
 */

const touchHold = 1_000; // ms after a touch

let mouse = true; // the last pointer was one; before the first touch no :hover is stale
/** @type {EventTarget[]} the elements under it, from the inside to the outside */
let path = [];
let at = -Infinity; // the time at which it was there, by the clock of the page

for (const kind of ["pointermove", "pointerdown", "pointerup"])
  document.addEventListener(kind, (e) => {
    mouse = /** @type {PointerEvent} */ (e).pointerType === "mouse";
    path = e.composedPath();
    at = performance.now();
  });

/**
 * Reports whether a pointer, a finger or the focus is on an element.
 * @param {Element} el
 * @param {Element} [around] a finger on any part of this one holds too
 */
export const held = (el, around = el) =>
  el.matches(mouse ? ":hover, :focus-within" : ":focus-within") ||
  (!mouse && path.includes(around) && performance.now() - at < touchHold);
