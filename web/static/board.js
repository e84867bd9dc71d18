// @ts-check
/**
 * Shows a board and says which pit was chosen. It knows no rules: what may be
 * played arrives in `choices`, what happened in a trace. The server writes the
 * same elements into the page, so that adopting them moves nothing.
 *
 * @typedef {import("./shape.js").Shape} Shape
 * @typedef {{variant: string, state: string, turn: number, ply: number, as: number, conn: string, shape: Shape, bottom: number,
 *   pits: number[], stores: number[], choices: Map<number, string[]>, label: string, planned?: number | null,
 *   rowName: (side: number) => string, pitName: (pit: number, seeds: number, playable: boolean) => string,
 *   storeName: (side: number, seeds: number) => string, wayName: (way: string) => string}} View
 *   choices: the moves of each pit that may be played; two of them are a choice of direction
 */

import { numberOf, ownerOf, rowsOf } from "./shape.js";
import { digest, expand } from "./trace.js";

/**
 * @fires CustomEvent<{pit: number, move?: string}> `sow`: without a move, the pit may not be played
 * @fires CustomEvent<string> `key`: a key that is not the board's own
 */
export class MancalaBoard extends HTMLElement {
  /** @type {View | null} */
  #view = null;
  #built = "";
  #focus = ""; // which cell Tab comes to: "p3", "s0"
  /** @type {number | null} the pit whose direction is being chosen */
  #asking = null;

  connectedCallback() {
    this.addEventListener("click", (e) => this.#clicked(e));
    this.addEventListener("keydown", (e) => this.#pressed(e));
    this.addEventListener("focusin", (e) => this.#roam(/** @type {HTMLElement} */ (e.target)));
    document.addEventListener("pointerdown", (e) => {
      if (this.#asking !== null && !this.contains(/** @type {Node} */ (e.target))) this.#ask(null);
    });
    new ResizeObserver(() => this.#orient()).observe(this);
  }

  get #grid() {
    return /** @type {HTMLElement} */ (this.querySelector("[role=grid]"));
  }

  /** @param {number} pit */
  #pit(pit) {
    return /** @type {HTMLButtonElement} */ (this.querySelector(`[data-pit="${pit}"]`));
  }

  /**
   * Show a position; with the trace of the move that led to it, mark where it
   * came from, ended and captured.
   * @param {View} view
   * @param {import("./trace.js").Step[] | null} [trace]
   */
  draw(view, trace = null) {
    const moved = this.#view !== null && (this.#view.ply !== view.ply || this.#view.state !== view.state);
    this.#view = view;
    this.#build(view);
    if (moved || !view.choices.has(this.#asking ?? -1)) this.#ask(null);
    Object.assign(this.dataset, {
      variant: view.variant,
      ply: String(view.ply),
      turn: String(view.turn),
      role: view.as < 0 ? "spectator" : String(view.as),
      state: view.state,
      conn: view.conn,
      anim: "idle",
    });
    this.#grid.setAttribute("aria-label", view.label);
    const marks = this.#marks(trace);
    for (const row of this.querySelectorAll("[role=row]")) row.setAttribute("aria-label", view.rowName(Number(/** @type {HTMLElement} */ (row).dataset.side)));
    view.pits.forEach((seeds, pit) => {
      const button = this.#pit(pit);
      const playable = view.choices.has(pit);
      button.dataset.count = String(seeds);
      button.dataset.legal = playable ? "1" : "0";
      const mark = [...(marks.get(pit) ?? []), ...(view.planned === pit ? ["premove"] : [])].join(" ");
      if (mark) button.dataset.mark = mark;
      else delete button.dataset.mark;
      button.setAttribute("aria-disabled", String(!playable));
      button.setAttribute("aria-label", view.pitName(pit, seeds, playable));
      /** @type {HTMLElement} */ (button.querySelector(".count")).textContent = String(seeds);
      /** @type {HTMLElement} */ (button.querySelector(".num")).textContent = String(numberOf(view.shape, pit));
    });
    view.stores.forEach((seeds, side) => {
      const cell = /** @type {HTMLElement | null} */ (this.querySelector(`[data-store="${side}"]`));
      if (!cell) return;
      cell.dataset.count = String(seeds);
      cell.setAttribute("aria-label", view.storeName(side, seeds));
      /** @type {HTMLElement} */ (cell.querySelector(".count")).textContent = String(seeds);
    });
    this.#orient();
  }

  /** Put the focus where it was on the board. */
  enter() {
    this.#cell(this.#focus)?.focus();
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
      const had = this.contains(document.activeElement);
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
      if (had) this.#cell(this.#focus)?.focus();
    }
    // Tab comes to the first pit of one's own, and later to where one was.
    if (!this.#cell(this.#focus)) this.#focus = `p${rows[rows.length - 1].pits[0]}`;
    this.#roam(this.#cell(this.#focus));
  }

  /** @param {string} name @returns {HTMLElement | null} */
  #cell(name) {
    return name === "" ? null : this.querySelector(name[0] === "p" ? `[data-pit="${name.slice(1)}"]` : `[data-store="${name.slice(1)}"]`);
  }

  /** Only one cell is a stop of Tab. @param {HTMLElement | null} cell */
  #roam(cell) {
    if (!cell || !(cell.dataset.pit || cell.dataset.store)) return;
    this.#focus = cell.dataset.pit ? `p${cell.dataset.pit}` : `s${cell.dataset.store}`;
    for (const other of this.querySelectorAll("[data-pit], [data-store]")) /** @type {HTMLElement} */ (other).tabIndex = other === cell ? 0 : -1;
  }

  /** The style sheet decides which way the board lies. */
  #orient() {
    this.dataset.orient = this.dataset.sides === "4" ? "ring" : getComputedStyle(this).getPropertyValue("--orient").trim() || "h";
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
    this.dispatchEvent(new CustomEvent("sow", { detail, bubbles: true }));
  }

  /** Open or close the choice of a direction. @param {number | null} pit */
  #ask(pit) {
    const old = this.#asking;
    this.#asking = pit;
    this.querySelector(".ways")?.remove();
    if (old !== null && pit === null && this.#view && document.activeElement === document.body) this.#pit(old).focus();
    if (pit === null || !this.#view) return;
    const ways = element("div", { class: "ways", role: "group", "aria-label": this.#view.wayName("") });
    // Along the sower's row, so that an arrow points where the first seed goes.
    const place = /** @type {HTMLElement} */ (this.#pit(pit).closest("[role=row]")).dataset.place;
    const order = place === "bottom" || place === "left" ? ["<", ">"] : [">", "<"];
    for (const [i, way] of order.entries()) {
      const arrow = element("button", { type: "button", "data-way": way, "aria-label": this.#view.wayName(way) }, i === 0 ? "◀" : "▶");
      ways.append(arrow);
    }
    this.append(ways);
    const [box, at] = [this.getBoundingClientRect(), this.#pit(pit).getBoundingClientRect()];
    const size = ways.getBoundingClientRect();
    const x = Math.min(Math.max(0, at.left + at.width / 2 - size.width / 2 - box.left), box.width - size.width);
    const above = at.top - box.top - size.height + 8;
    Object.assign(ways.style, { left: `${x}px`, top: `${above > 0 ? above : at.bottom - box.top - 8}px` });
    /** @type {HTMLElement} */ (ways.lastElementChild).focus();
  }

  /** @param {string} way */
  #choose(way) {
    const pit = /** @type {number} */ (this.#asking);
    const move = this.#view?.choices.get(pit)?.find((m) => m.endsWith(way));
    this.#pit(pit).focus();
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
      this.dispatchEvent(new CustomEvent("key", { detail: e.key, bubbles: true }));
      return;
    } else return; // Enter and Space are the button's own
    e.preventDefault();
  }

  /** @param {KeyboardEvent} e @param {HTMLElement} target */
  #pressedWay(e, target) {
    const arrows = /** @type {HTMLElement[]} */ ([...this.querySelectorAll("[data-way]")]);
    if (e.key === "Escape") {
      const pit = this.#pit(/** @type {number} */ (this.#asking));
      pit.focus();
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
    this.#pit(pit).focus();
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
    for (const cell of this.querySelectorAll("[data-pit], [data-store]")) {
      const { x, y } = centre(cell);
      const ahead = sign * (across ? y - here.y : x - here.x);
      const aside = Math.abs(across ? x - here.x : y - here.y);
      const far = ahead + 3 * aside;
      if (cell !== from && ahead > 4 && far < least) [best, least] = [/** @type {HTMLElement} */ (cell), far];
    }
    best?.focus();
  }
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string | number} [text]
 */
function element(tag, attributes, text) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  if (text !== undefined) el.textContent = String(text);
  return el;
}

customElements.define("mancala-board", MancalaBoard);
