// @ts-check
/** The title of a tab: what calls its person, and in how many games it is his turn. */

let called = "";

/** Somebody who does not look is called. @param {string} text */
export function callAttention(text) {
  clearCall();
  called = `● ${text} – `;
  document.title = called + document.title;
}

/** He looks. */
export function clearCall() {
  if (document.title.startsWith(called)) document.title = document.title.slice(called.length);
  called = "";
}

/** @param {number} n games that wait for him */
export function badge(n) {
  const before = called;
  clearCall();
  document.title = before + (n > 0 ? `(${n}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  called = before;
}
