// @ts-check
/**
 * Sheets: on all but wide pages, moves and chat come up from below. They are popovers, so the
 * browser opens and closes them and handles Escape. This module moves the focus in and back; on a
 * wide page it closes them and opens none.
 */

import { find } from "../lib/dom.js";

const small = "(max-width: 1199px), (max-height: 479px)"; // as in table.css

/**
 * Returns the button that opened a sheet, or another one that does: a line of the chat is gone once it is read.
 * @param {HTMLElement | null} opener
 * @param {string} sheet
 */
function visible(opener, sheet) {
  const others = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`[popovertarget=${sheet}]`)]);
  return [opener, ...others].find((button) => button?.checkVisibility());
}

/** Manages all sheets of the page. */
export function sheets() {
  for (const sheet of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".sheet"))) {
    /** @type {HTMLElement | null} */
    let opener = null;
    sheet.addEventListener("beforetoggle", (e) => {
      const opens = /** @type {ToggleEvent} */ (e).newState === "open";
      if (opens && !matchMedia(small).matches) e.preventDefault();
      else if (opens) {
        opener = /** @type {HTMLElement | null} */ (document.activeElement);
        // the sheet leaves the board in view where there is space for both
        sheet.style.setProperty("--free", `${innerHeight - find(".table").getBoundingClientRect().bottom}px`);
      } else if (sheet.contains(document.activeElement)) visible(opener, sheet.id)?.focus();
    });
    sheet.addEventListener("toggle", (e) => {
      if (/** @type {ToggleEvent} */ (e).newState === "open")
        /** @type {HTMLElement | null} */ (sheet.querySelector(".close"))?.focus();
    });
  }
  // A page that was turned or widened shows the content of a sheet beside the board.
  matchMedia(small).addEventListener("change", () => {
    for (const sheet of document.querySelectorAll(".sheet:popover-open"))
      /** @type {HTMLElement} */ (sheet).hidePopover();
  });
}
