// @ts-check
/**
 * Shows a board. It knows no rules: the legal moves arrive in `choices`, what happened arrives as a
 * trace. The server writes the same elements into the page, so taking them over moves nothing.
 * input.js handles what people do on the board.
 *
 * @typedef {import("../model/shape.js").Shape} Shape
 * @typedef {{variant: string, state: string, turn: number, ply: number, as: number, conn: string, shape: Shape,
 *   bottom: number, pits: number[], stores: number[], marks?: import("../model/trace.js").Marks,
 *   choices: Map<number, string[]>, watchable?: Map<number, string[]>, plannable?: Map<number, string[]>,
 *   label: string, planned?: number | null, only?: number | null, moving?: boolean,
 *   naming: string, rowName: (side: number) => string,
 *   pitName: (pit: number, seeds: number, playable: boolean) => string,
 *   storeName: (side: number, seeds: number) => string, storeLabel: string,
 *   wayName: (way?: string) => string, told: () => string[], laid?: (seeds: HTMLElement[]) => void}} View
 *   choices: the moves of each playable pit, two of them are a choice of direction; watchable: the
 *   moves that a watcher can preview; plannable: the directions of pits that can be planned for
 *   the next turn; only: the only playable pit; naming: a key that changes when pits have other names
 *   although their seeds and marks are the same; told: what the middle of a ring says: whose turn it is,
 *   and the last move; laid: called with seeds that a player lays out, to let them fall; moving: a move
 *   is being shown, so the counts are not those of the position yet
 */

import { element } from "../lib/dom.js";
import { prefs, still } from "../lib/prefs.js";
import { numberOf, rowsOf } from "../model/shape.js";
import { digest, expand } from "../model/trace.js";
import { makeRow, partsOf } from "./cells.js";
import { drawn, heap, place } from "./seeds.js";

export class MancalaBoard extends HTMLElement {
  #built = "";
  /** @type {Map<import("../model/trace.js").Slot, import("./cells.js").Parts>} the found parts, by pit or store */
  #parts = new Map();
  #layer = /** @type {HTMLElement | null} */ (null);
  #held = /** @type {HTMLElement | null} */ (null); // in the middle of a ring

  connectedCallback() {
    new ResizeObserver(() => this.#orient()).observe(this);
    prefs.on((name) => {
      if (name === "heap")
        for (const cell of this.querySelectorAll("[data-count]")) {
          const slot = slotOf(cell);
          const seeds = slot === null ? null : this.parts(slot)?.seeds;
          if (slot !== null && seeds) this.#fill(slot, seeds, Number(cell.getAttribute("data-count")));
        }
      if (name === "orient") this.#orient();
    });
  }

  get #grid() {
    return /** @type {HTMLElement} */ (this.querySelector("[role=grid]"));
  }

  /**
   * Returns the element of a pit or store.
   * @param {import("../model/trace.js").Slot} slot
   * @returns {HTMLElement | null}
   */
  cell(slot) {
    return this.parts(slot)?.cell ?? null;
  }

  /** Returns the elements of a pit or store. @param {import("../model/trace.js").Slot} slot */
  parts(slot) {
    const known = this.#parts.get(slot);
    if (known?.cell.isConnected) return known;
    const name = typeof slot === "number" ? `[data-pit="${slot}"]` : `[data-store="${slot.slice(1)}"]`;
    const cell = /** @type {HTMLElement | null} */ (this.querySelector(name));
    if (!cell) return null;
    const parts = partsOf(cell);
    this.#parts.set(slot, parts);
    return parts;
  }

  /**
   * Shows how many seeds a pit or store holds, and the marks of a pit.
   * @param {import("../model/trace.js").Slot} slot
   * @param {number} n
   * @param {string} [marks]
   * @returns {HTMLElement[]} the new seeds
   */
  put(slot, n, marks = "") {
    const parts = this.parts(slot);
    if (!parts) return [];
    const { cell, count } = parts;
    if ((cell.dataset.kind ?? "") !== marks) cell.dataset.kind = marks;
    const shown = cell.dataset.count === String(n);
    if (shown && parts.seeds.dataset.full === String(fullOf(slot))) return [];
    const added = this.#fill(slot, parts.seeds, n);
    if (!shown) cell.dataset.count = count.dataset.n = String(n);
    return added;
  }

  /** Shakes a pit that cannot be played, unless the viewer wants no motion. @param {number} pit */
  shake(pit) {
    if (!still())
      this.cell(pit)?.animate([0, -3, 3, -3, 0].map((x) => ({ transform: `translateX(${x}px)` })), 120);
  }

  /** Shows in the middle of a ring how many seeds are in the hand. @param {number} n */
  hold(n) {
    if (this.#held) this.#held.textContent = n > 0 ? String(n) : "";
  }

  /**
   * Returns the place of seed i of a pit or store in its bowl, and its tint.
   * @param {import("../model/trace.js").Slot} slot
   * @param {number} i
   */
  seedAt(slot, i) {
    const full = fullOf(slot);
    return place(this.dataset.game ?? "", slot, Math.min(i, full - 1), full);
  }

  /**
   * Lets the seeds of a pit or store move a little: another one falls among them.
   * @param {import("../model/trace.js").Slot} slot
   * @param {number} ms at most
   */
  settle(slot, ms) {
    const turned = { transform: "translate(1px, 2px) rotate(4deg)", offset: 0.3 };
    const timing = { duration: Math.min(260, ms), easing: "ease-out" };
    this.parts(slot)?.seeds?.animate([{ offset: 0 }, turned, { offset: 1 }], timing);
  }

  /**
   * Adds missing seeds and removes surplus ones.
   * @param {import("../model/trace.js").Slot} slot
   * @param {HTMLElement} seeds its part for them
   * @param {number} n
   * @returns {HTMLElement[]} the added seeds
   */
  #fill(slot, seeds, n) {
    const full = fullOf(slot);
    const want = drawn(n, full);
    const size = heap(n, full);
    seeds.classList.toggle("heaped", size > 0);
    if (size > 0) seeds.style.setProperty("--heap", size.toFixed(2));
    if (Number(seeds.dataset.full ?? full) !== full) seeds.replaceChildren(); // another heap size: other places
    seeds.dataset.full = String(full);
    if (want === 0) seeds.replaceChildren();
    while (seeds.childElementCount > want) seeds.lastElementChild?.remove();
    const added = [];
    for (let i = seeds.childElementCount; i < want; i++) {
      const { x, y, turn, tint } = place(this.dataset.game ?? "", slot, i, full);
      const seed = element("i", { class: `seed t${tint}`, "data-slot": i });
      seed.style.cssText = `left:${(50 + 50 * x).toFixed(1)}%;top:${(50 + 50 * y).toFixed(1)}%;--r:${turn}deg`;
      seeds.append(seed);
      added.push(seed);
    }
    return added;
  }

  /**
   * Returns the layer above the pits for moving things. It catches no taps. It lies in a box: when something leaves the
   * layer, the browser lays out what is around the layer, which is the box and not the page.
   * @returns {HTMLElement}
   */
  get layer() {
    if (!this.#layer?.isConnected) {
      const box = element("div", { class: "above", "aria-hidden": "true" });
      box.append((this.#layer = element("div", { class: "layer" })));
      this.append(box);
    }
    return this.#layer;
  }

  /**
   * Shows a position. With the trace of the last move, it marks where the move started and ended,
   * and what it captured.
   * @param {View} view
   * @param {import("../model/trace.js").Step[] | null} [trace]
   */
  draw(view, trace = null) {
    this.#build(view);
    Object.assign(this.dataset, {
      variant: view.variant,
      ply: String(view.ply),
      turn: String(view.turn),
      role: view.as < 0 ? "spectator" : String(view.as),
      state: view.state,
      conn: view.conn,
      anim: view.moving ? "running" : "idle",
    });
    this.#grid.setAttribute("aria-label", view.label);
    const marks = this.#marks(trace, view.marks);
    for (const row of this.querySelectorAll("[role=row]"))
      row.setAttribute("aria-label", view.rowName(Number(/** @type {HTMLElement} */ (row).dataset.side)));
    view.pits.forEach((seeds, pit) => {
      const parts = /** @type {import("./cells.js").Parts} */ (this.parts(pit));
      const { cell } = parts;
      const playable = view.choices.has(pit);
      const added = this.put(pit, seeds, view.marks?.[pit]);
      if (added.length > 0) view.laid?.(added);
      cell.dataset.legal = playable ? "1" : "0";
      const mark = [...(marks.get(pit) ?? []), ...(view.planned === pit ? ["premove"] : [])].join(" ");
      if (mark) cell.dataset.mark = mark;
      else delete cell.dataset.mark;
      cell.setAttribute("aria-disabled", String(!playable));
      const key = [view.naming, view.choices.size > 0, playable, seeds, view.marks?.[pit]].join();
      if (parts.nameKey === key) return;
      parts.nameKey = key;
      cell.setAttribute("aria-label", view.pitName(pit, seeds, playable));
      if (parts.num) parts.num.dataset.n = String(numberOf(view.shape, pit));
    });
    view.stores.forEach((seeds, side) => {
      this.put(`s${side}`, seeds);
      const store = /** @type {HTMLElement} */ (this.cell(`s${side}`));
      store.setAttribute("aria-label", view.storeName(side, seeds));
      store.dataset.label = view.storeLabel;
    });
    if (view.shape.sides === 4) this.#tell(view.told());
  }

  /**
   * Writes into the middle of the ring what the status line says, for sighted viewers.
   * @param {string[]} told
   */
  #tell(told) {
    let centre = this.querySelector(".centre");
    if (!centre) {
      centre = element("div", { class: "centre", "aria-hidden": "true" });
      this.#held = element("span", { class: "held" });
      centre.append(element("b", {}), this.#held, element("span", {}));
      this.append(centre);
    }
    const [turn, , last] = centre.children;
    [turn.textContent, last.textContent] = told;
  }

  /** @param {import("../model/trace.js").Step[] | null} trace @param {View["marks"]} claims */
  #marks(trace, claims) {
    const marks = /** @type {Map<number, string[]>} */ (new Map());
    if (!trace) return marks;
    const d = digest(expand(trace), claims);
    const put = (/** @type {unknown} */ slot, /** @type {string} */ mark) => {
      if (typeof slot !== "number") return;
      const list = marks.get(slot) ?? [];
      if (!list.includes(mark)) marks.set(slot, [...list, mark]);
    };
    put(d.from ?? d.gave?.from, "from");
    put(d.last ?? d.gave?.to, "to");
    for (const taken of d.took) put(taken.slot, "captured");
    return marks;
  }

  /** Makes the cells, unless the page already has the right ones. @param {View} view */
  #build({ shape, bottom }) {
    const rows = rowsOf(shape, bottom);
    const order = rows.map((r) => r.pits.join()).join("/");
    Object.assign(this.dataset, {
      sides: String(shape.sides),
      rows: String(rows.length),
      cols: String(shape.cols),
      stores: shape.stores ? "1" : "0",
      sow: shape.sow,
      made: shape.made,
    });
    if (this.#built === order) return;
    this.#built = order;
    const there = Array.from(this.querySelectorAll("[role=row]"), (r) =>
      Array.from(r.querySelectorAll("[data-pit]"), (b) => /** @type {HTMLElement} */ (b).dataset.pit).join(),
    );
    if (there.join("/") !== order) this.#grid.replaceChildren(...rows.map((row) => makeRow(shape, row)));
    this.#orient();
  }

  /** Notes which way the style sheet lays the board. */
  #orient() {
    this.dataset.orient =
      this.dataset.sides === "4"
        ? "ring"
        : getComputedStyle(this).getPropertyValue("--turn").trim() === "1"
          ? "v"
          : "h";
  }
}

/** Returns how many seeds of a slot are drawn one by one. @param {import("../model/trace.js").Slot} slot */
const fullOf = (slot) => (Number(prefs.get("heap")) || 12) * (typeof slot === "string" ? 2 : 1);

/** Returns the pit or store that an element shows. @param {Element | null} cell */
export function slotOf(cell) {
  const { pit, store } = cell instanceof HTMLElement ? cell.dataset : /** @type {DOMStringMap} */ ({});
  return pit !== undefined ? Number(pit) : store !== undefined ? `s${store}` : null;
}

customElements.define("mancala-board", MancalaBoard);
