// @ts-check
/** The title of the tab: a call for attention, and the number of games in which it is the viewer's turn. */

let called = "";

/** Calls a viewer who does not look at the page. @param {string} text */
export function callAttention(text) {
  clearCall();
  called = `● ${text} – `;
  document.title = called + document.title;
}

/** Takes the call away: the viewer looks. */
export function clearCall() {
  if (document.title.startsWith(called)) document.title = document.title.slice(called.length);
  called = "";
}

/** Gives the page another title. A call stays before it. @param {string} title */
export function retitle(title) {
  document.title = called + title;
}

/** @param {number} n games that wait for the viewer */
export function badge(n) {
  const before = called;
  clearCall();
  document.title = before + (n > 0 ? `(${n}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  called = before;
}
