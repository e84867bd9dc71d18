// @ts-check
/** A list of which only what has changed is drawn again, so that the focus and the pointer stay. */

/** @template Item */
export class Rows {
  /** @type {Map<number, HTMLElement>} */
  #rows = new Map();

  /**
   * @param {HTMLElement} list
   * @param {{key: (item: Item) => number, make: (item: Item) => HTMLElement,
   *   draw: (row: HTMLElement, item: Item) => void}} how
   */
  constructor(list, how) {
    this.list = list;
    this.how = how;
  }

  /** @param {Item[]} items */
  show(items) {
    const { key, make, draw } = this.how;
    const kept = new Set(items.map(key));
    for (const [k, row] of this.#rows)
      if (!kept.has(k)) {
        row.remove();
        this.#rows.delete(k);
      }
    let at = this.list.firstElementChild;
    for (const item of items) {
      let row = this.#rows.get(key(item));
      if (!row) this.#rows.set(key(item), (row = make(item)));
      if (row === at) at = at.nextElementSibling;
      else this.list.insertBefore(row, at);
      draw(row, item);
    }
  }

  /** @param {number} key */
  row(key) {
    return this.#rows.get(key);
  }
}

/**
 * Makes a button of a row or a dialog.
 * @param {string} text
 * @param {Record<string, string | number>} [data]
 */
export function button(text, data = {}) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  for (const [name, value] of Object.entries(data)) b.dataset[name] = String(value);
  return b;
}

/**
 * Shows an element or hides it. If the focus was in it, it goes to another one instead of getting lost.
 * @param {HTMLElement} el
 * @param {boolean} yes
 * @param {HTMLElement | null} [next] where the focus goes
 */
export function appear(el, yes, next = null) {
  if (el.hidden !== yes) return;
  const focused = !yes && el.contains(document.activeElement);
  el.hidden = !yes;
  if (focused) next?.focus();
}
