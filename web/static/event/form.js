// @ts-check
/** The form that makes a tournament, and the page after it. Both work without script too. */

import { find } from "../lib/dom.js";
import { copy } from "../lib/share.js";

/**
 * Sets a short clock in the form of an arena, whose games are short, unless the host has chosen one or
 * the form has come back with what they had typed.
 */
function arenaClock() {
  const clock = /** @type {HTMLSelectElement | null} */ (document.querySelector("#new #clock"));
  if (!clock || document.querySelector("#problem")) return;
  const usual = clock.value;
  let chosen = false;
  clock.addEventListener("change", () => (chosen = true));
  clock.form?.addEventListener("change", (e) => {
    const { name, value } = /** @type {HTMLInputElement} */ (e.target);
    if (name === "format" && !chosen) clock.value = value === "arena" ? "3+2" : usual;
  });
}

/** Brings the form, or the page after it, to life. */
export function forms() {
  arenaClock();
  for (const [name, field] of [["starts", "zone"], ["ends", "ends-zone"]]) {
    const at = /** @type {HTMLInputElement | null} */ (document.querySelector(`#${name}`));
    at?.form?.addEventListener("submit", () => {
      const zone = /** @type {HTMLInputElement} */ (at.form?.elements.namedItem(field));
      zone.value = at.value ? String(new Date(at.value).getTimezoneOffset()) : ""; // in summer another one
    });
  }
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = /** @type {HTMLInputElement} */ (find(`#${button.dataset.copy}`));
      field.select();
      if (!(await copy(field.value, field))) return; // the link is selected: the host can copy it with the keyboard
      find("#say").textContent = button.textContent = find("#say").dataset.done ?? "";
    });
  }
}
