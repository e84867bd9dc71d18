// @ts-check
/**
 * The choice of a direction: arrows that touch the pit. A second one each way sows the house on.
 *
 * @typedef {import("./board.js").MancalaBoard} MancalaBoard
 * @typedef {string} Way the signs of a move: "<", ">", "<*", ">*"; without directions "" or "*"
 */

import { element } from "../lib/dom.js";
import { going } from "../model/shape.js";

const touch = 8; // px by which the arrows lie over the edge of their pit

export class DirectionChoice {
  /** @type {number | null} the pit whose direction is being chosen */
  pit = null;

  /**
   * @param {MancalaBoard} board
   * @param {{chosen: (pit: number, way: Way) => void, lookedAt: (pit: number, way: Way) => void}} handlers
   */
  constructor(board, handlers) {
    this.board = board;
    this.handlers = handlers;
    board.addEventListener("click", (e) => {
      const way = wayOf(e.target);
      if (way !== undefined) this.#choose(way);
    });
    for (const kind of ["pointerover", "focusin"]) {
      board.addEventListener(kind, (e) => {
        const way = wayOf(e.target);
        if (way !== undefined && this.pit !== null) handlers.lookedAt(this.pit, way);
      });
    }
    document.addEventListener("pointerdown", (e) => {
      if (this.pit !== null && !board.contains(/** @type {Node} */ (e.target))) this.close();
    });
  }

  /**
   * Returns the two directions along a pit's row, as they lie on the screen: first to the left, or up.
   * @param {number} pit
   * @returns {Way[]}
   */
  along(pit) {
    const row = /** @type {HTMLElement | null} */ (this.board.cell(pit)?.closest("[role=row]"));
    const near = row?.dataset.place === "bottom" || row?.dataset.place === "left";
    // An inner row runs back above its outer row.
    return near !== row?.matches(".inner") ? ["<", ">"] : [">", "<"];
  }

  /**
   * @param {number} pit
   * @param {string[]} moves to choose from
   * @param {(way?: Way) => string} name the name of a direction, or of the choice
   */
  open(pit, moves, name) {
    this.close();
    const { board } = this;
    const at = board.cell(pit);
    if (!at) return;
    this.pit = pit;
    const group = element("div", { class: "ways", role: "group", "aria-label": name() });
    const arrows = board.dataset.orient === "v" ? "▲▼" : "◀▶";
    const signs = moves.some((m) => /[<>]/.test(m)) ? this.along(pit) : [""];
    signs.forEach((sign, i) => {
      for (const way of [`${sign}*`, sign])
        if (going(moves, way)) {
          const arrow = arrows[sign ? i : 1] + (way === sign ? "" : "⌂");
          group.append(element("button", { type: "button", "data-way": way, "aria-label": name(way) }, arrow));
        }
    });
    board.append(group);
    const [box, pitBox, { width, height }] = [board, at, group].map((el) => el.getBoundingClientRect());
    const pits = [at, ...board.querySelectorAll("[data-legal='1']")].map((el) => el.getBoundingClientRect());
    const middle = pitBox.left + (pitBox.width - width) / 2;
    const level = pitBox.top + (pitBox.height - height) / 2;
    // Above, below, or at a side: the first place that hides the fewest pits that can be played.
    const [place] = [
      [middle, pitBox.top - height + touch],
      [middle, pitBox.bottom - touch],
      [pitBox.right - touch, level],
      [pitBox.left - width + touch, level],
    ]
      .map(([x, y]) => {
        const left = Math.min(Math.max(box.left, x), box.right - width);
        const top = Math.min(Math.max(box.top, y), box.bottom - height);
        const hidden = pits.filter(
          (r) => Math.min(r.right - left, left + width - r.left, r.bottom - top, top + height - r.top) > touch,
        ).length;
        return { left, top, hidden };
      })
      .sort((a, b) => a.hidden - b.hidden);
    Object.assign(group.style, { left: `${place.left - box.left}px`, top: `${place.top - box.top}px` });
    /** @type {HTMLElement} */ (group.lastElementChild).focus();
  }

  /** Closes the choice. The focus returns from an arrow to the pit. */
  close() {
    const { pit } = this;
    if (pit === null) return;
    const group = this.board.querySelector(".ways");
    const hadFocus = group?.contains(document.activeElement);
    this.pit = null;
    group?.remove();
    if (hadFocus || document.activeElement === document.body) this.board.cell(pit)?.focus();
  }

  /** @param {KeyboardEvent} e @returns {boolean} whether the key was for the arrows */
  pressed(e) {
    if (this.pit === null) return false;
    const arrows = /** @type {HTMLElement[]} */ ([...this.board.querySelectorAll("[data-way]")]);
    const way = wayOf(e.target);
    const at = arrows.findIndex((arrow) => arrow === e.target);
    if (e.key === "Escape") this.close();
    else if (e.key === "ArrowLeft" || e.key === "ArrowUp") arrows[Math.max(0, at - 1)].focus();
    else if (e.key === "ArrowRight" || e.key === "ArrowDown") arrows[Math.min(at + 1, arrows.length - 1)].focus();
    else if ((e.key === "Enter" || e.key === " ") && way !== undefined) this.#choose(way);
    else return false;
    return true;
  }

  /** @param {Way} way */
  #choose(way) {
    const { pit } = this;
    if (pit === null) return;
    this.close();
    this.handlers.chosen(pit, way);
  }
}

/** @param {EventTarget | null} target @returns {Way | undefined} */
const wayOf = (target) =>
  /** @type {HTMLElement | null} */ (target)?.closest?.("[data-way]")?.getAttribute("data-way") ?? undefined;
