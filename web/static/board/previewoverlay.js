// @ts-check
/**
 * Shows on the board the effect of a move before it is made: a ghost on every pit that gets seeds,
 * a ring where the last seed falls, and a few words beside the pit.
 *
 * @typedef {import("./board.js").MancalaBoard} MancalaBoard
 * @typedef {import("../model/trace.js").Slot} Slot
 * @typedef {{lands: Map<Slot, number>, last: Slot | null, text: string}} OverlayContent
 */

import { element } from "../lib/dom.js";


export class PreviewOverlay {
  /** @type {HTMLElement | null} */
  #layer = null;

  /** @param {MancalaBoard} board */
  constructor(board) {
    this.board = board;
  }

  /** @param {number} pit @param {OverlayContent} peeked */
  show(pit, { lands, last, text }) {
    this.hide();
    const layer = element("div", { class: "peek", "aria-hidden": "true" });
    this.#layer = layer;
    this.board.append(layer);
    for (const slot of last === null ? lands.keys() : new Set([...lands.keys(), last])) {
      const cell = this.board.cell(slot);
      if (!cell) continue;
      if (cell.dataset.pit) cell.dataset.mark = [...marks(cell), "preview"].join(" ");
      const bowl = /** @type {HTMLElement} */ (cell.querySelector(".bowl") ?? cell);
      const box = this.#frame(bowl);
      const ghost = element("span", { class: slot === last ? "ghost goal" : "ghost" });
      Object.assign(ghost.style, {
        left: `${box.left}px`,
        top: `${box.top}px`,
        width: `${box.width}px`,
        height: `${box.height}px`,
        borderRadius: getComputedStyle(bowl).borderRadius,
      });
      ghost.dataset.edge = cell.dataset.pit ? this.#inner(cell, box) : "";
      const n = lands.get(slot);
      if (n) ghost.append(element("b", {}, `+${n}`));
      layer.append(ghost);
    }
    const from = this.board.cell(pit);
    if (text && from) this.#bubble(layer, from, text);
  }

  hide() {
    this.#layer?.remove();
    this.#layer = null;
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (this.board.querySelectorAll("[data-mark~=preview]"))) {
      const left = marks(cell);
      if (left.length > 0) cell.dataset.mark = left.join(" ");
      else delete cell.dataset.mark;
    }
  }

  /**
   * Places the words in the half of the pit that faces the middle of the board, between its seeds and
   * the number of the pit, or in the middle of a pit whose arrows are open. Where pits are below each
   * other, the words are between two of them, because numbers are beside the seeds there.
   * @param {HTMLElement} layer
   * @param {HTMLElement} cell
   * @param {string} text
   */
  #bubble(layer, cell, text) {
    const bubble = element("span", { class: "bubble" }, text);
    layer.append(bubble);
    const [pit, size, all] = [
      this.#frame(/** @type {HTMLElement} */ (cell.querySelector(".bowl"))),
      bubble.getBoundingClientRect(),
      this.board.getBoundingClientRect(),
    ];
    const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.max(0, Math.min(at, most));
    const edge = this.board.querySelector(".ways") ? "" : this.#inner(cell, pit);
    const centre = { x: pit.left + pit.width / 2, y: pit.top + pit.height / 2 };
    const number = /** @type {HTMLElement | null} */ (cell.querySelector(".num"))?.offsetHeight ?? 0;
    const into = Math.min(number + size.height / 2, pit.height - size.height / 2);
    if (edge === "left" || edge === "right") {
      centre.x = edge === "left" ? pit.left : pit.left + pit.width;
      centre.y = pit.top;
    } else if (edge) centre.y = edge === "top" ? pit.top + into : pit.top + pit.height - into;
    Object.assign(bubble.style, {
      left: `${within(centre.x - size.width / 2, all.width - size.width)}px`,
      top: `${within(centre.y - size.height / 2, all.height - size.height)}px`,
    });
  }

  /**
   * Returns the edge of a pit that faces the middle of the board.
   * @param {HTMLElement} cell
   * @param {{left: number, top: number, width: number, height: number}} box
   */
  #inner(cell, box) {
    const place = /** @type {HTMLElement} */ (cell.closest("[role=row]")).dataset.place;
    if (this.board.dataset.orient === "v" || place === "left" || place === "right")
      return box.left + box.width / 2 < this.board.offsetWidth / 2 ? "right" : "left";
    return box.top + box.height / 2 < this.board.offsetHeight / 2 ? "bottom" : "top";
  }

  /** @param {HTMLElement} cell measured on the board */
  #frame(cell) {
    const [all, box] = [this.board.getBoundingClientRect(), cell.getBoundingClientRect()];
    return { left: box.left - all.left, top: box.top - all.top, width: box.width, height: box.height };
  }
}

/** @param {HTMLElement} cell all its marks except the preview */
const marks = (cell) => (cell.dataset.mark ?? "").split(" ").filter((mark) => mark !== "" && mark !== "preview");
