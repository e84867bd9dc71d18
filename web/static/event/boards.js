// @ts-check
/**
 * The boards of the round in the page: a row for each.
 *
 * @typedef {import("./state.js").Board} Board
 * @typedef {import("../lib/text.js").T} T
 */

import { element, find, write } from "../lib/dom.js";
import { score } from "./news.js";

export class Boards {
  #body = find("#pairings");
  #blank = /** @type {HTMLTemplateElement} */ (find("#board-row")).content.firstElementChild;
  /** The rows by the numbers of their boards: a tournament has thousands. */
  #rows = new Map([...this.#body.children].map((row) => [Number(row.getAttribute("data-pairing")), row]));

  /** @param {T} t @param {(player: number) => string} name @param {boolean} two games are played on each board */
  constructor(t, name, two) {
    this.t = t;
    this.name = name;
    this.two = two;
  }

  /** Takes the rows of another round away. */
  clear() {
    this.#body.replaceChildren();
    this.#rows.clear();
  }

  /**
   * Writes boards. A row under the focus stays where it is.
   * @param {Board[]} boards
   * @param {boolean} latestFirst new boards come at the top
   */
  draw(boards, latestFirst) {
    for (const board of boards) {
      let row = this.#rows.get(board.n);
      if (!row) {
        row = /** @type {Element} */ (/** @type {Element} */ (this.#blank).cloneNode(true));
        row.setAttribute("data-pairing", String(board.n));
        this.#rows.set(board.n, row);
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
    const parts = [element("span", { class: figures ? "unseen" : "quiet" }, words)];
    if (figures) // the title says what a plus is: a win by absence
      parts.unshift(element("span", { class: "result", "aria-hidden": "true", title: words }, figures));
    const old = /** @type {HTMLAnchorElement | null} */ (result.querySelector("a"));
    if (!room) return result.replaceChildren(...parts);
    const link = old ?? document.createElement("a"); // a link that has the focus keeps it
    link.href = `/${room}`;
    link.replaceChildren(...parts);
    if (!old) result.replaceChildren(link);
  }
}
