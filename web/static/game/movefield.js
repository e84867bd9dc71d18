// @ts-check
/**
 * The move field: what the keys of the board do, for who speaks, browses or
 * switches instead of pressing keys. It is out of sight until somebody is in it.
 *
 * @typedef {import("../board/keys.js").TextCommand} TextCommand
 */

import { parseCommand } from "../board/keys.js";

export class MoveField {
  /**
   * @param {HTMLFormElement} form
   * @param {(order: TextCommand, text: string) => void} run
   */
  constructor(form, run) {
    const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("order"));
    form.hidden = false; // without script it would do nothing
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      const text = input.value;
      input.value = "";
      if (text.trim()) run(parseCommand(text), text.trim());
    });
  }
}
