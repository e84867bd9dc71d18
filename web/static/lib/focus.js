// @ts-check
/** Moves the focus when its element disappears: from the body, a viewer would begin at the top again. */

import { find } from "./dom.js";

/** Moves the focus to an element, or to the main part of the page. @param {HTMLElement | null} [el] */
export function focusOn(el) {
  const to = el ?? find("#main");
  if (to.tabIndex < 0) {
    to.tabIndex = -1; // a text takes the focus only with the attribute; later a click must not give it the focus
    to.onblur = () => to.removeAttribute("tabindex");
  }
  to.focus({ preventScroll: true });
}
