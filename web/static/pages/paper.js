// @ts-check
/** The script of pages to print: it prints, and copies the HTML that embeds a game. */

import "./page.js";
import { copy } from "../lib/share.js";

document.addEventListener("click", async (e) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest("[data-action]"));
  if (button?.dataset.action === "print") print();
  if (button?.dataset.action !== "copy-embed") return;
  const field = /** @type {HTMLInputElement} */ (document.querySelector("#embed"));
  if (await copy(field.value, field)) button.textContent = button.dataset.done ?? "";
});
