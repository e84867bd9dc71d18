// @ts-check
/** The script of account pages: passkeys, copying and printing recovery codes. */

import { copy } from "../lib/share.js";
import "./page.js";
import { passkeys } from "./passkey.js";

passkeys();

/** @param {string} action @param {(button: HTMLButtonElement) => void} press */
function offer(action, press) {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector(`[data-action=${action}]`));
  button?.addEventListener("click", () => press(button));
}

offer("print", () => print());
offer("copy-codes", (button) => {
  const codes = Array.from(document.querySelectorAll("#codes code"), (code) => code.textContent);
  void copy(codes.join("\n")).then((done) => {
    if (done) /** @type {HTMLElement} */ (document.querySelector("#copied")).textContent = button.dataset.done ?? "";
  });
});
