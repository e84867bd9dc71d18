// @ts-check
/**
 * Shows the list of open seeks. seekrows.js decides which rows there are; while a pointer or the
 * focus is on the list, none of them moves.
 *
 * @typedef {import("./seekrows.js").Can} Can
 * @typedef {import("./seekrows.js").Row} Row
 * @typedef {import("./seekrows.js").Seek} Seek
 */

import { find } from "../lib/dom.js";
import { held } from "../lib/attention.js";
import { empty, replaced, settled, unjoinable, updated } from "./seekrows.js";

export class SeekList {
  /** @type {Can | null} decides which seeks the viewer can join; null for a guest */
  can = null;

  #list = empty;
  #ul = find("#seeks");
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();

  /** @param {import("../lib/text.js").T} text @param {() => string | undefined} own the viewer's own seek */
  constructor(text, own) {
    this.text = text;
    this.own = own;
    const rows = /** @type {NodeListOf<HTMLElement>} */ (this.#ul.querySelectorAll("[data-seek]"));
    for (const row of rows) this.#rows.set(row.dataset.seek ?? "", row);
    const more = find("[data-action=show-seeks]");
    more.addEventListener("click", () => this.#draw(settled(this.#list, false, Date.now())));
  }

  get #held() {
    return held(find("#seeks-area"));
  }

  /**
   * Shows all open seeks.
   * @param {Seek[]} seeks
   * @param {number} open seeks on the server
   * @param {boolean} fresh the list has other filters, and replaces the old one
   */
  replace(seeks, open, fresh) {
    const list = fresh ? { rows: seeks, waiting: [] } : replaced(this.#list, seeks, this.#held, Date.now());
    this.#draw(list, open);
    for (const row of this.#list.rows) this.#row(row); // there may be news about rows that were already there
  }

  /** Shows a change. @param {{new?: Seek[], gone?: string[], open?: number}} change */
  change(change) {
    this.#draw(updated(this.#list, change, this.#held, Date.now()), change.open);
  }

  /** Shows what may be shown now. */
  settle() {
    this.#draw(settled(this.#list, this.#held, Date.now()));
  }

  /** @param {import("./seekrows.js").List} list @param {number} [open] */
  #draw(list, open) {
    const same = list.rows.length === this.#list.rows.length && list.rows.every((r, i) => r === this.#list.rows[i]);
    this.#list = list;
    if (!same) this.#drawRows(list.rows);
    find("#nobody").hidden = list.rows.length + list.waiting.length > 0;
    const more = find("[data-action=show-seeks]");
    more.textContent = this.text("show", { n: list.waiting.length });
    more.classList.toggle("away", list.waiting.length === 0); // the button keeps its place
    if (open === undefined) return;
    const hidden = open - list.rows.filter((r) => !r.gone).length - list.waiting.length;
    find("#more").hidden = hidden <= 0;
    find("#more").textContent = this.text("more", { n: hidden });
  }

  /** @param {Row[]} list */
  #drawRows(list) {
    const rows = list.map((r) => this.#row(r));
    const keep = new Set(rows);
    for (const old of this.#rows.values()) if (!keep.has(old)) old.remove();
    this.#rows = new Map(list.map((r, i) => [r.seek, rows[i]]));
    const { children } = this.#ul;
    rows.forEach((row, i) => children[i] !== row && this.#ul.insertBefore(row, children[i] ?? null));
  }

  /** Returns the element of a row, up to date. @param {Row} row */
  #row(row) {
    let li = this.#rows.get(row.seek);
    if (!li || (li.hasAttribute("data-gone") && !row.gone)) {
      li?.remove(); // the seek is announced again: this row takes the place of the marked one
      li = this.#newRow(row);
      this.#rows.set(row.seek, li);
    }
    const why = unjoinable(row, this.can);
    /** @type {HTMLElement} */ (li.querySelector(".why")).textContent = why && this.text(why);
    this.mark(row.seek);
    li.toggleAttribute("data-gone", row.gone !== undefined);
    if (row.gone) li.querySelector("button")?.setAttribute("aria-disabled", "true");
    return li;
  }

  /** @param {Row} row */
  #newRow({ seek, name, rules, options, clock, rated, low, high }) {
    const { content } = /** @type {HTMLTemplateElement} */ (find("#seek-row"));
    const li = /** @type {HTMLElement} */ (/** @type {Element} */ (content.firstElementChild).cloneNode(true));
    const words = namesOf({ rules, options, clock });
    const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (li.querySelector(selector));
    li.dataset.seek = seek;
    part("form").setAttribute("action", `/${seek}/accept`);
    part(".who").textContent = name;
    part(".what").textContent = words.game;
    part(".clocked").textContent = words.clock;
    part(".counts").textContent = this.text(rated ? "rated" : "casual");
    const range = low && high ? "range" : low ? "range.low" : "range.high";
    part(".range").textContent = low || high ? ` · ${this.text(range, { low: low ?? 0, high: high ?? 0 })}` : "";
    part("button").setAttribute("aria-label", this.text("row-join", { name, ...words }));
    return li;
  }

  /** Marks the viewer's own seek in place of the button, or removes the mark. @param {string} seek */
  mark(seek) {
    const li = this.#rows.get(seek);
    if (!li) return;
    const own = this.own() === seek;
    const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (li.querySelector(selector));
    const why = part(".why");
    why.hidden = own || why.textContent === "";
    part("button").hidden = own || why.textContent !== "";
    part(".own").hidden = !own;
  }
}

/**
 * Returns the names of a seek's rules and clock, taken from the page's own controls.
 * @param {{rules: string, options?: string, clock: string}} seek
 */
export function namesOf({ rules, options, clock }) {
  const named = (/** @type {string} */ control, /** @type {string} */ value) => {
    const choices = Array.from(/** @type {HTMLSelectElement} */ (find(`#filters [name=${control}]`)).options);
    return choices.find((o) => o.value === value)?.text ?? value;
  };
  return { game: named("rules", rules) + (options ? `, ${options}` : ""), clock: named("clock", clock) };
}
