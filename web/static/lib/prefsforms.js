// @ts-check
/**
 * Forms of settings, marked `data-prefs`. A control takes effect as soon as it is touched, and
 * shows what another tab has changed. An element with `data-action="quick"` opens the dialog of the
 * settings for use during a game.
 */

import { prefs } from "./prefs.js";

/** @returns {NodeListOf<HTMLFormElement>} */
const forms = () => document.querySelectorAll("form[data-prefs]");

document.addEventListener("input", (e) => {
  const control = /** @type {HTMLInputElement} */ (e.target);
  if (control.closest("form[data-prefs]")) prefs.set(control.name, control.value);
});

// One setting can fix others: kids mode shows the values that it fixes.
prefs.on(() => {
  for (const form of forms()) {
    for (const { name } of /** @type {Iterable<HTMLInputElement>} */ (form.elements)) {
      const control = /** @type {RadioNodeList | HTMLInputElement | null} */ (name && form.elements.namedItem(name));
      const value = prefs.get(name);
      if (control && value && control.value !== value) control.value = value;
    }
  }
});

document.addEventListener("click", (e) => {
  const opener = /** @type {HTMLElement} */ (e.target).closest("[data-action=quick]");
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("#quick"));
  if (opener && dialog) {
    e.preventDefault(); // a link to all settings
    dialog.showModal();
  } else if (dialog && e.target === dialog) dialog.close(); // a click beside the dialog
});
