// @ts-check
/**
 * Sheets: on all but wide pages, moves and chat come up from below. They are popovers, so the
 * browser opens and closes them and handles Escape. This module moves the focus in and back; on a
 * wide page it closes them.
 */

const small = "(max-width: 1199px), (max-height: 479px)"; // as in table.css

/** Manages all sheets of the page. */
export function sheets() {
  for (const sheet of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".sheet"))) {
    /** @type {HTMLElement | null} */
    let opener = null;
    sheet.addEventListener("beforetoggle", (e) => {
      if (/** @type {ToggleEvent} */ (e).newState === "open")
        opener = /** @type {HTMLElement | null} */ (document.activeElement);
      else if (sheet.contains(document.activeElement)) opener?.focus();
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
