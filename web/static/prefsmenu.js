// @ts-check
/**
 * Controls of settings, in forms marked `data-prefs`: each counts as soon as it is
 * touched, and shows what another tab has changed. Whatever is marked
 * `data-action="quick"` opens the dialog of those that one wants while playing.
 */

import { prefs } from "./prefs.js";

/** @returns {NodeListOf<HTMLFormElement>} */
const forms = () => document.querySelectorAll("form[data-prefs]");

document.addEventListener("input", (e) => {
  const control = /** @type {HTMLInputElement} */ (e.target);
  if (control.closest("form[data-prefs]")) prefs.set(control.name, control.value);
});

prefs.on((name, value) => {
  for (const form of forms()) {
    const control = /** @type {RadioNodeList | HTMLInputElement | null} */ (form.elements.namedItem(name));
    if (control && control.value !== value) control.value = value;
  }
});

document.addEventListener("click", (e) => {
  const opener = /** @type {HTMLElement} */ (e.target).closest("[data-action=quick]");
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("#quick"));
  if (opener && dialog) {
    e.preventDefault(); // a link to all settings
    dialog.showModal();
  } else if (dialog && e.target === dialog) dialog.close(); // beside it
});
