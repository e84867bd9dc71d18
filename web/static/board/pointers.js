// @ts-check
/**
 * Watches mouse, pen and finger over the pits: resting, holding, drawing. The handlers decide what
 * that means.
 *
 * @typedef {{rest: (pit: number | null) => void, hold: (pit: number, finger: boolean) => "once" | "repeat" | "no",
 *   repeat: (pit: number) => void, release: () => void, draw: (pit: number, way: "up" | "down" | "left" |
 *   "right") => boolean}} Handlers
 *   rest: the pointer rests on a pit, or on none again; hold: whether a long press is one action, a
 *   repeated one, or none, so that it becomes a tap; repeat: called for each repetition; draw:
 *   whether the stroke meant something
 */

import { strokeDirection } from "./navigate.js";

const resting = 120;
const holding = 350;
const repeating = 120;

export class Pointers {
  #rest = 0; // timers
  #hold = 0;
  #repeat = 0;
  /** @type {{pit: number, at: {x: number, y: number}, since: number} | null} since: by the clock of events */
  #press = null;
  /** @type {"once" | "repeat" | "no"} the kind of the long press */
  #held = "no";
  #swallow = false; // the click that ends a long press or a stroke is not a tap

  /** @param {HTMLElement} board @param {Handlers} handlers */
  constructor(board, handlers) {
    this.handlers = handlers;
    board.addEventListener("pointerover", (e) => this.#over(e));
    board.addEventListener("pointerleave", () => this.#away());
    board.addEventListener("pointerdown", (e) => this.#down(e));
    // A mouse may be released beside the board.
    document.addEventListener("pointerup", (e) =>
      board.contains(/** @type {Node} */ (e.target)) ? this.#up(e) : this.#end(),
    );
    board.addEventListener("pointercancel", () => this.#end());
    board.addEventListener("click", (e) => this.#clicked(e), true);
    // A long press of a finger opens no context menu; the mouse keeps its menu.
    board.addEventListener(
      "contextmenu",
      (e) => /** @type {PointerEvent} */ (e).pointerType !== "mouse" && this.#press && e.preventDefault(),
    );
  }

  /** @param {PointerEvent} e */
  #over(e) {
    if (e.pointerType === "touch") return;
    this.#away();
    const pit = pitAt(e);
    if (pit !== null) this.#rest = window.setTimeout(() => this.handlers.rest(pit), resting);
  }

  #away() {
    clearTimeout(this.#rest);
    this.handlers.rest(null);
  }

  /** @param {PointerEvent} e */
  #down(e) {
    this.#end();
    this.#swallow = false;
    const pit = pitAt(e);
    if (pit === null || e.button !== 0) return;
    this.#press = { pit, at: { x: e.clientX, y: e.clientY }, since: e.timeStamp };
    // A busy browser hands over the press late, and so also the release.
    const late = Math.max(0, Math.floor(performance.now() - e.timeStamp)); // ms
    this.#hold = window.setTimeout(() => {
      this.#held = this.handlers.hold(pit, e.pointerType !== "mouse");
      if (this.#held === "repeat") this.#repeat = window.setInterval(() => this.handlers.repeat(pit), repeating);
    }, holding + late);
  }

  /** @param {PointerEvent} e */
  #up(e) {
    const press = this.#press;
    const short = press !== null && e.timeStamp - press.since < holding; // a tap whose release came late
    const held = this.#held === "repeat" || (this.#held === "once" && !short);
    this.#end();
    const way = press && !held ? strokeDirection(press.at, { x: e.clientX, y: e.clientY }) : null;
    this.#swallow = held || (way !== null && press !== null && this.handlers.draw(press.pit, way));
  }

  #end() {
    clearTimeout(this.#hold);
    clearInterval(this.#repeat);
    if (this.#held !== "no") this.handlers.release();
    this.#press = null;
    this.#held = "no";
  }

  /** @param {MouseEvent} e */
  #clicked(e) {
    if (!this.#swallow || e.detail === 0) return; // a key or an assistive tool clicks without a pointer
    this.#swallow = false;
    e.stopPropagation();
    e.preventDefault();
  }
}

/** @param {Event} e @returns {number | null} */
function pitAt(e) {
  const pit = /** @type {HTMLElement | null} */ (/** @type {Element} */ (e.target).closest("[data-pit]"));
  return pit ? Number(pit.dataset.pit) : null;
}
