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

// One setting may decide about others: what counts for children is shown as chosen.
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
  } else if (dialog && e.target === dialog) dialog.close(); // beside it
});
