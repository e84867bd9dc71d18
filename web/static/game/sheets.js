// @ts-check
/**
 * Sheets: on all but wide pages moves and chat come up from below.
 * The browser opens and closes them and keeps Escape (they are popovers); here
 * the focus goes in and comes back, and on a wide page they lie open.
 */

const small = "(max-width: 1199px), (max-height: 479px)"; // table.css

/** Look after all sheets of the page. */
export function sheets() {
  for (const sheet of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".sheet"))) {
    /** @type {HTMLElement | null} */
    let opener = null;
    sheet.addEventListener("beforetoggle", (e) => {
      if (/** @type {ToggleEvent} */ (e).newState === "open") opener = /** @type {HTMLElement | null} */ (document.activeElement);
      else if (sheet.contains(document.activeElement)) opener?.focus();
    });
    sheet.addEventListener("toggle", (e) => {
      if (/** @type {ToggleEvent} */ (e).newState === "open") /** @type {HTMLElement | null} */ (sheet.querySelector(".close"))?.focus();
    });
  }
  // Turned or widened, the page has room for what was a sheet.
  matchMedia(small).addEventListener("change", () => {
    for (const sheet of document.querySelectorAll(".sheet:popover-open")) /** @type {HTMLElement} */ (sheet).hidePopover();
  });
}
