// @ts-check
/**
 * What people do on the board with mouse, finger and keys: choosing a pit and a
 * direction, and walking about. The board draws, this listens.
 *
 * @typedef {import("./board.js").MancalaBoard} MancalaBoard
 * @typedef {import("./board.js").View} View
 * @typedef {import("./trace.js").Slot} Slot
 */

import { element } from "./board.js";

/** @param {Element | null} cell @returns {Slot | null} */
function slotOf(cell) {
  const { pit, store } = cell instanceof HTMLElement ? cell.dataset : /** @type {DOMStringMap} */ ({});
  return pit !== undefined ? Number(pit) : store !== undefined ? `s${store}` : null;
}

/**
 * The board fires, as its events:
 * `sow`, CustomEvent<{pit: number, move?: string}>: without a move, the pit may not be played;
 * `key`, CustomEvent<string>: a key that is not the board's own.
 */
export class Input {
  /** @type {View | null} */
  #view = null;
  /** @type {Slot | null} the cell that Tab comes to */
  #focus = null;
  /** @type {number | null} the pit whose direction is being chosen */
  #asking = null;

  /** @param {MancalaBoard} board */
  constructor(board) {
    this.board = board;
    board.addEventListener("click", (e) => this.#clicked(e));
    board.addEventListener("keydown", (e) => this.#pressed(e));
    board.addEventListener("focusin", (e) => this.#roam(/** @type {HTMLElement} */ (e.target)));
    document.addEventListener("pointerdown", (e) => {
      if (this.#asking !== null && !board.contains(/** @type {Node} */ (e.target))) this.#ask(null);
    });
  }

  /** Follow what the board shows now. @param {View} view */
  follow(view) {
    const old = this.#view;
    const moved = old !== null && (old.ply !== view.ply || old.state !== view.state);
    this.#view = view;
    if (moved || !view.choices.has(this.#asking ?? -1)) this.#ask(null);
    // Tab comes to the first pit of one's own, and later to where one was.
    if (this.#focus === null || !this.board.cell(this.#focus)) this.#focus = view.bottom * view.shape.pits;
    this.#roam(this.board.cell(this.#focus));
  }

  /** Put the focus where it was on the board. */
  enter() {
    if (this.#focus !== null) this.board.cell(this.#focus)?.focus();
  }

  /** Only one cell is a stop of Tab. @param {HTMLElement | null} cell */
  #roam(cell) {
    const slot = slotOf(cell);
    if (slot === null) return;
    this.#focus = slot;
    for (const other of this.#cells()) other.tabIndex = other === cell ? 0 : -1;
  }

  #cells() {
    return /** @type {NodeListOf<HTMLElement>} */ (this.board.querySelectorAll("[data-pit], [data-store]"));
  }

  /** @param {MouseEvent} e */
  #clicked(e) {
    const target = /** @type {HTMLElement} */ (e.target);
    const way = /** @type {HTMLElement | null} */ (target.closest("[data-way]"));
    if (way && this.#asking !== null) return this.#choose(/** @type {string} */ (way.dataset.way));
    const pit = /** @type {HTMLElement | null} */ (target.closest("[data-pit]"));
    if (pit) this.#play(Number(pit.dataset.pit));
  }

  /** @param {number} pit */
  #play(pit) {
    const moves = this.#view?.choices.get(pit) ?? [];
    if (moves.length > 1) return this.#ask(this.#asking === pit ? null : pit);
    this.#ask(null);
    this.#sow({ pit, move: moves[0] });
  }

  /** @param {{pit: number, move?: string}} detail */
  #sow(detail) {
    this.board.dispatchEvent(new CustomEvent("sow", { detail, bubbles: true }));
  }

  /** Open or close the choice of a direction. @param {number | null} pit */
  #ask(pit) {
    const { board } = this;
    const old = this.#asking;
    this.#asking = pit;
    board.querySelector(".ways")?.remove();
    if (old !== null && pit === null && this.#view && document.activeElement === document.body) board.cell(old)?.focus();
    const at = pit === null ? null : board.cell(pit);
    if (!at || !this.#view) return;
    const ways = element("div", { class: "ways", role: "group", "aria-label": this.#view.wayName("") });
    // Along the sower's row, so that an arrow points where the first seed goes.
    const place = /** @type {HTMLElement} */ (at.closest("[role=row]")).dataset.place;
    const order = place === "bottom" || place === "left" ? ["<", ">"] : [">", "<"];
    for (const [i, way] of order.entries()) {
      const arrow = element("button", { type: "button", "data-way": way, "aria-label": this.#view.wayName(way) }, i === 0 ? "◀" : "▶");
      ways.append(arrow);
    }
    board.append(ways);
    const [box, pitBox, size] = [board, at, ways].map((el) => el.getBoundingClientRect());
    const x = Math.min(Math.max(0, pitBox.left + pitBox.width / 2 - size.width / 2 - box.left), box.width - size.width);
    const above = pitBox.top - box.top - size.height + 8;
    Object.assign(ways.style, { left: `${x}px`, top: `${above > 0 ? above : pitBox.bottom - box.top - 8}px` });
    /** @type {HTMLElement} */ (ways.lastElementChild).focus();
  }

  /** @param {string} way */
  #choose(way) {
    const pit = /** @type {number} */ (this.#asking);
    const move = this.#view?.choices.get(pit)?.find((m) => m.endsWith(way));
    this.board.cell(pit)?.focus();
    this.#ask(null);
    if (move) this.#sow({ pit, move });
  }

  /** @param {KeyboardEvent} e */
  #pressed(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const target = /** @type {HTMLElement} */ (e.target);
    if (this.#asking !== null && this.#pressedWay(e, target)) return e.preventDefault();
    if (/^[0-9]$/.test(e.key)) this.#number(e.key === "0" ? 10 : Number(e.key));
    else if (e.key.startsWith("Arrow")) this.#move(e.key.slice(5), target);
    else if (e.key === "Home" || e.key === "End") {
      const pits = target.closest("[role=row]")?.querySelectorAll("[data-pit]");
      if (pits) /** @type {HTMLElement} */ (pits[e.key === "Home" ? 0 : pits.length - 1]).focus();
    } else if (e.key.length === 1 && e.key !== " ") {
      this.board.dispatchEvent(new CustomEvent("key", { detail: e.key, bubbles: true }));
      return;
    } else return; // Enter and Space are the button's own
    e.preventDefault();
  }

  /** @param {KeyboardEvent} e @param {HTMLElement} target */
  #pressedWay(e, target) {
    const arrows = /** @type {HTMLElement[]} */ ([...this.board.querySelectorAll("[data-way]")]);
    if (e.key === "Escape") {
      this.board.cell(/** @type {number} */ (this.#asking))?.focus();
      this.#ask(null);
    } else if (e.key === "ArrowLeft" || e.key === "ArrowUp") arrows[0].focus();
    else if (e.key === "ArrowRight" || e.key === "ArrowDown") arrows[1].focus();
    else if ((e.key === "Enter" || e.key === " ") && target.dataset.way) this.#choose(target.dataset.way);
    else return false;
    return true;
  }

  /** Play one's own pit by its number. @param {number} n */
  #number(n) {
    const view = this.#view;
    if (!view || n > view.shape.pits) return;
    const pit = view.bottom * view.shape.pits + n - 1;
    this.board.cell(pit)?.focus();
    this.#play(pit);
  }

  /** Go to the nearest cell that way, as the eye sees it. @param {string} way @param {HTMLElement} from */
  #move(way, from) {
    const centre = (/** @type {Element} */ el) => {
      const r = el.getBoundingClientRect();
      return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
    };
    const here = centre(from);
    const across = way === "Up" || way === "Down";
    const sign = way === "Left" || way === "Up" ? -1 : 1;
    let best = null;
    let least = Infinity;
    for (const cell of this.#cells()) {
      const { x, y } = centre(cell);
      const ahead = sign * (across ? y - here.y : x - here.x);
      const aside = Math.abs(across ? x - here.x : y - here.y);
      const far = ahead + 3 * aside;
      if (cell !== from && ahead > 4 && far < least) [best, least] = [cell, far];
    }
    best?.focus();
  }
}
