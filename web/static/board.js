// @ts-check
/**
 * Shows a board. It knows no rules: what may be played arrives in `choices`,
 * what happened in a trace. The server writes the same elements into the page,
 * so that adopting them moves nothing. What people do with it is in input.js.
 *
 * @typedef {import("./shape.js").Shape} Shape
 * @typedef {{variant: string, state: string, turn: number, ply: number, as: number, conn: string, shape: Shape, bottom: number,
 *   pits: number[], stores: number[], choices: Map<number, string[]>, label: string, planned?: number | null, only?: number | null, moving?: boolean,
 *   rowName: (side: number) => string, pitName: (pit: number, seeds: number, playable: boolean) => string,
 *   storeName: (side: number, seeds: number) => string, wayName: (way: string) => string}} View
 *   choices: the moves of each pit that may be played; two of them are a choice of direction;
 *   only: the pit that has to be played;
 *   moving: a move is being shown, so that the counts are not yet those of the position
 */

import { numberOf, ownerOf, rowsOf } from "./shape.js";
import { digest, expand } from "./trace.js";

export class MancalaBoard extends HTMLElement {
  #built = "";

  connectedCallback() {
    new ResizeObserver(() => this.#orient()).observe(this);
  }

  get #grid() {
    return /** @type {HTMLElement} */ (this.querySelector("[role=grid]"));
  }

  /** The element of a pit or store. @param {import("./trace.js").Slot} slot @returns {HTMLElement | null} */
  cell(slot) {
    return this.querySelector(typeof slot === "number" ? `[data-pit="${slot}"]` : `[data-store="${slot.slice(1)}"]`);
  }

  /** Show how many seeds a pit or store holds. @param {import("./trace.js").Slot} slot @param {number} n */
  put(slot, n) {
    const cell = this.cell(slot);
    if (!cell) return;
    cell.dataset.count = String(n);
    /** @type {HTMLElement} */ (cell.querySelector(".count")).textContent = String(n);
  }

  /** What moves above the pits, and catches no taps. @returns {HTMLElement} */
  get layer() {
    const there = /** @type {HTMLElement | null} */ (this.querySelector(":scope > .layer"));
    if (there) return there;
    const layer = element("div", { class: "layer", "aria-hidden": "true" });
    this.append(layer);
    return layer;
  }

  /**
   * Show a position; with the trace of the move that led to it, mark where it
   * came from, ended and captured.
   * @param {View} view
   * @param {import("./trace.js").Step[] | null} [trace]
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
    const marks = this.#marks(trace);
    for (const row of this.querySelectorAll("[role=row]")) row.setAttribute("aria-label", view.rowName(Number(/** @type {HTMLElement} */ (row).dataset.side)));
    view.pits.forEach((seeds, pit) => {
      const button = /** @type {HTMLElement} */ (this.cell(pit));
      const playable = view.choices.has(pit);
      this.put(pit, seeds);
      button.dataset.legal = playable ? "1" : "0";
      const mark = [...(marks.get(pit) ?? []), ...(view.planned === pit ? ["premove"] : [])].join(" ");
      if (mark) button.dataset.mark = mark;
      else delete button.dataset.mark;
      button.setAttribute("aria-disabled", String(!playable));
      button.setAttribute("aria-label", view.pitName(pit, seeds, playable));
      /** @type {HTMLElement} */ (button.querySelector(".num")).textContent = String(numberOf(view.shape, pit));
    });
    view.stores.forEach((seeds, side) => {
      this.put(`s${side}`, seeds);
      this.cell(`s${side}`)?.setAttribute("aria-label", view.storeName(side, seeds));
    });
    this.#orient();
  }

  /** @param {import("./trace.js").Step[] | null} trace @returns {Map<number, string[]>} */
  #marks(trace) {
    /** @type {Map<number, string[]>} */
    const marks = new Map();
    if (!trace) return marks;
    const d = digest(expand(trace));
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

  /** Make the cells, unless those in the page are the right ones. @param {View} view */
  #build({ shape, bottom }) {
    const rows = rowsOf(shape, bottom);
    const order = rows.map((r) => r.pits.join()).join("/");
    Object.assign(this.dataset, { sides: String(shape.sides), rows: String(rows.length), cols: String(shape.cols), stores: shape.stores ? "1" : "0" });
    if (this.#built === order) return;
    this.#built = order;
    const there = Array.from(this.querySelectorAll("[role=row]"), (r) => Array.from(r.querySelectorAll("[data-pit]"), (b) => /** @type {HTMLElement} */ (b).dataset.pit).join());
    if (there.join("/") !== order) {
      this.#grid.replaceChildren(
        ...rows.map((row) => {
          const cells = row.pits.map((pit) => {
            const button = element("button", { type: "button", "data-pit": pit, "data-owner": ownerOf(shape, pit), tabindex: -1 });
            button.append(element("span", { class: "count", "aria-hidden": "true" }), element("span", { class: "num", "aria-hidden": "true" }));
            const cell = element("span", { role: "gridcell", class: "cell" });
            cell.append(button);
            return cell;
          });
          if (row.store) {
            const store = element("span", { role: "gridcell", class: "store", "data-store": row.side, "data-place": row.place, tabindex: -1 });
            store.append(element("span", { class: "count", "aria-hidden": "true" }));
            cells.push(store);
          }
          const line = element("div", { role: "row", class: row.outer ? "row" : "row inner", "data-side": row.side, "data-place": row.place });
          line.append(...cells);
          return line;
        }),
      );
    }
  }

  /** The style sheet decides which way the board lies. */
  #orient() {
    this.dataset.orient = this.dataset.sides === "4" ? "ring" : getComputedStyle(this).getPropertyValue("--orient").trim() || "h";
  }
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string | number} [text]
 */
export function element(tag, attributes, text) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  if (text !== undefined) el.textContent = String(text);
  return el;
}

customElements.define("mancala-board", MancalaBoard);
