// @ts-check
/**
 * Makes the rows of a board, and finds the parts of a pit. The server writes the same elements into the page.
 *
 * @typedef {{cell: HTMLElement, bowl: HTMLElement, seeds: HTMLElement, count: HTMLElement, num: HTMLElement | null,
 *   nameKey: string}} Parts
 *   of a pit or store; num: the number of a pit; nameKey: the values from which its present name was made
 */

import { element } from "../lib/dom.js";
import { ownerOf, rowsOf } from "../model/shape.js";

/** @param {import("../model/shape.js").Shape} shape @param {ReturnType<typeof rowsOf>[number]} row */
export function makeRow(shape, row) {
  const cells = row.pits.map((pit) => {
    const button = element("button", {
      type: "button",
      "data-pit": pit,
      "data-owner": ownerOf(shape, pit),
      tabindex: -1,
    });
    button.append(
      bowl(),
      element("span", { class: "count", "aria-hidden": "true" }),
      element("span", { class: "num", "aria-hidden": "true" }),
    );
    const cell = element("span", { role: "gridcell", class: "cell" });
    cell.append(button);
    return cell;
  });
  if (row.store) {
    const store = element("span", {
      role: "gridcell",
      class: "store",
      "data-store": row.side,
      "data-place": row.place,
      tabindex: -1,
    });
    store.append(bowl(), element("span", { class: "count", "aria-hidden": "true" }));
    cells.push(store);
  }
  const line = element("div", {
    role: "row",
    class: row.outer ? "row" : "row inner",
    "data-side": row.side,
    "data-place": row.place,
  });
  line.append(...cells);
  return line;
}

/** Makes the place for the seeds of a pit or store. */
function bowl() {
  const bowl = element("span", { class: "bowl", "aria-hidden": "true" });
  bowl.append(element("span", { class: "seeds" }));
  return bowl;
}

/** Finds the parts of a pit or store. @param {HTMLElement} cell @returns {Parts} */
export function partsOf(cell) {
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (cell.querySelector(name));
  const num = /** @type {HTMLElement | null} */ (cell.querySelector(".num"));
  return { cell, bowl: part(".bowl"), seeds: part(".seeds"), count: part(".count"), num, nameKey: "" };
}
