// @ts-check
/** The keys [ and ] step through the moves wherever the focus is; { and } show another move instead of this one. */

import { prefs } from "../lib/prefs.js";

/**
 * @param {HTMLElement} page
 * @param {{along: (way: 1 | -1) => void, sideways: (way: 1 | -1) => void}} go
 */
export function bracketKeys(page, { along, sideways }) {
  page.addEventListener("keydown", (e) => {
    const typing = /** @type {HTMLElement} */ (e.target).closest("input, select");
    if (prefs.get("keys") === "off" || e.ctrlKey || e.metaKey || e.altKey || typing) return;
    const left = e.code === "BracketLeft" || e.key === "[" || e.key === "{";
    const right = e.code === "BracketRight" || e.key === "]" || e.key === "}";
    if ((!left && !right) || e.defaultPrevented) return; // the board has its own keys
    e.preventDefault();
    (e.shiftKey ? sideways : along)(left ? -1 : 1);
  });
}
