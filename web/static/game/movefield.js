// @ts-check
/**
 * The move field: what the keys of the board do, for who speaks, browses or
 * switches instead of pressing keys. It is out of sight until somebody is in it.
 *
 * @typedef {import("../board/keys.js").Order} Order
 */

import { order } from "../board/keys.js";

export class MoveField {
  /**
   * @param {HTMLFormElement} form
   * @param {(order: Order, text: string) => void} obey
   */
  constructor(form, obey) {
    const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("order"));
    form.hidden = false; // without script it would do nothing
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      const text = input.value;
      input.value = "";
      if (text.trim()) obey(order(text), text.trim());
    });
  }
}
