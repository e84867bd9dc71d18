// @ts-check
/**
 * The boards of the round in the page: a row for each.
 *
 * @typedef {import("./state.js").Board} Board
 * @typedef {import("../lib/text.js").T} T
 */

import { find, write } from "../lib/dom.js";
import { score } from "./news.js";

export class Boards {
  #body = find("#pairings");
  #blank = /** @type {HTMLTemplateElement} */ (find("#board-row")).content.firstElementChild;

  /** @param {T} t @param {(player: number) => string} name @param {boolean} two games are played on each board */
  constructor(t, name, two) {
    this.t = t;
    this.name = name;
    this.two = two;
  }

  /** Takes the rows of another round away. */
  clear() {
    this.#body.replaceChildren();
  }

  /**
   * Writes boards. A row under the focus stays where it is.
   * @param {Board[]} boards
   * @param {boolean} latestFirst new boards come at the top
   */
  draw(boards, latestFirst) {
    for (const board of boards) {
      let row = this.#body.querySelector(`[data-pairing="${board.n}"]`);
      if (!row) {
        row = /** @type {Element} */ (/** @type {Element} */ (this.#blank).cloneNode(true));
        row.setAttribute("data-pairing", String(board.n));
        if (latestFirst) this.#body.prepend(row);
        else this.#body.append(row);
      }
      this.#fill(row, board);
    }
  }

  /** @param {Element} row @param {Board} board */
  #fill(row, board) {
    const { figures, words, won } = score(this.t, board, this.name, this.two);
    const [n, first, result, second] = row.children;
    write(n, String(board.n));
    for (const [cell, player, side] of /** @type {const} */ ([
      [first, board.first, "first"],
      [second, board.second, "second"],
    ])) {
      write(/** @type {Element} */ (cell.firstElementChild), player ? this.name(player) : "");
      cell.classList.toggle("won", won === side);
    }
    const key = `${figures} ${words}`;
    const room = [...(board.games ?? [])].reverse().find((g) => g.opened)?.room ?? "";
    if (result.getAttribute("data-said") === `${room} ${key}`) return;
    result.setAttribute("data-said", `${room} ${key}`);
    const said = document.createElement("span");
    said.className = figures ? "unseen" : "quiet";
    said.textContent = words;
    const parts = [said];
    if (figures) {
      const shown = Object.assign(document.createElement("span"), { className: "result", textContent: figures });
      shown.setAttribute("aria-hidden", "true");
      shown.title = words; // says what a plus is: a win by absence
      parts.unshift(shown);
    }
    const old = /** @type {HTMLAnchorElement | null} */ (result.querySelector("a"));
    if (!room) return result.replaceChildren(...parts);
    const link = old ?? document.createElement("a"); // a link that has the focus keeps it
    link.href = `/${room}`;
    link.replaceChildren(...parts);
    if (!old) result.replaceChildren(link);
  }
}
