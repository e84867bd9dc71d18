// @ts-check
/**
 * The move field: typed commands, for players who dictate, use a screen reader or a switch. It is
 * invisible until it has the focus.
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
    form.hidden = false; // it needs the script
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      const text = input.value;
      input.value = "";
      if (text.trim()) run(parseCommand(text), text.trim());
    });
  }
}
