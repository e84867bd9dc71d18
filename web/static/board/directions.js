// @ts-check
/**
 * The choice of a direction: two arrows that touch the pit.
 *
 * @typedef {import("./board.js").MancalaBoard} MancalaBoard
 * @typedef {"<" | ">"} Way
 */

import { element } from "../lib/dom.js";


export class DirectionChoice {
  /** @type {number | null} the pit whose direction is being chosen */
  pit = null;
  /** @type {(way: string) => string} */
  #name = () => "";

  /**
   * @param {MancalaBoard} board
   * @param {{chosen: (pit: number, way: Way) => void, lookedAt: (pit: number, way: Way) => void}} handlers
   */
  constructor(board, handlers) {
    this.board = board;
    this.handlers = handlers;
    board.addEventListener("click", (e) => {
      const way = wayOf(e.target);
      if (way) this.#choose(way);
    });
    for (const kind of ["pointerover", "focusin"]) {
      board.addEventListener(kind, (e) => {
        const way = wayOf(e.target);
        if (way && this.pit !== null) handlers.lookedAt(this.pit, way);
      });
    }
    document.addEventListener("pointerdown", (e) => {
      if (this.pit !== null && !board.contains(/** @type {Node} */ (e.target))) this.close();
    });
  }

  /**
   * The two directions along a pit's row, as they lie on the screen: first to the left, or up.
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
   * @param {(way: string) => string} name the name of a direction; with "" the name of the choice
   */
  open(pit, name) {
    this.close();
    const { board } = this;
    const at = board.cell(pit);
    if (!at) return;
    this.pit = pit;
    const group = element("div", { class: "ways", role: "group", "aria-label": name("") });
    group.append(
      ...this.along(pit).map((way, i) =>
        element("button", { type: "button", "data-way": way, "aria-label": name(way) }, i === 0 ? "◀" : "▶"),
      ),
    );
    board.append(group);
    const [box, pitBox, size] = [board, at, group].map((el) => el.getBoundingClientRect());
    const x = Math.min(Math.max(0, pitBox.left + pitBox.width / 2 - size.width / 2 - box.left), box.width - size.width);
    const above = pitBox.top - box.top - size.height + 8;
    Object.assign(group.style, { left: `${x}px`, top: `${above > 0 ? above : pitBox.bottom - box.top - 8}px` });
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
    if (e.key === "Escape") this.close();
    else if (e.key === "ArrowLeft" || e.key === "ArrowUp") arrows[0].focus();
    else if (e.key === "ArrowRight" || e.key === "ArrowDown") arrows[1].focus();
    else if ((e.key === "Enter" || e.key === " ") && way) this.#choose(way);
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
  /** @type {any} */ (
    /** @type {HTMLElement | null} */ (target)?.closest?.("[data-way]")?.getAttribute("data-way") ?? undefined
  );
