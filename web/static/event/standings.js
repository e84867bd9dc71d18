// @ts-check
/**
 * The standings in the page. Rows that have changed come as values alone; they are sorted by points
 * and tie-breaks.
 *
 * @typedef {{n: number, points: number, breaks?: number[], place?: number}} Row
 *   points in tenths, tie-breaks in hundredths; place: only in a knockout, which has no tie-breaks
 */

import { write } from "../lib/dom.js";
import { figure } from "./numbersandtimes.js";

/**
 * Returns rows with those that have changed.
 * @param {Row[]} rows
 * @param {Row[]} changed
 * @param {number[]} [gone] players who are not in the standings any more
 * @returns {Row[]}
 */
export function merged(rows, changed, gone = []) {
  const by = new Map([...rows, ...changed].map((row) => [row.n, row]));
  for (const n of gone) by.delete(n);
  return [...by.values()];
}

/**
 * Returns the rows in their order, each with its place. Players whom nothing separates share a place.
 * @param {Row[]} rows
 * @returns {(Row & {place: number})[]}
 */
export function placed(rows) {
  const sorted = [...rows].sort((a, b) => compare(a, b) || a.n - b.n);
  let place = 0;
  return sorted.map((row, i) => {
    if (i === 0 || compare(sorted[i - 1], row) !== 0) place = i + 1;
    return { ...row, place };
  });
}

/** Returns the values that decide a player's place, the most important first. @param {Row} row */
const deciding = ({ points, breaks = [], place = 0 }) => [points, ...(breaks.length > 0 ? breaks : [-place])];

/** @param {Row} a @param {Row} b */
function compare(a, b) {
  const values = deciding(a);
  return deciding(b).map((value, i) => value - values[i]).find(Boolean) ?? 0;
}

/**
 * Writes the rows into the table, in their order. Reports whether each row has its line and each line its row: only the
 * server draws and takes away lines.
 * @param {HTMLElement} table
 * @param {Row[]} rows
 */
export function drawStandings(table, rows) {
  const body = /** @type {HTMLElement} */ (table.querySelector("tbody"));
  const focused = document.activeElement;
  let written = 0;
  for (const row of placed(rows)) {
    const line = body.querySelector(`[data-player="${row.n}"]`);
    if (!line) continue;
    written++;
    set(line.querySelector(".rank"), row.place);
    set(line.querySelector(".points"), row.points / 10);
    line.querySelectorAll(".break").forEach((cell, i) => {
      const value = (row.breaks?.[i] ?? 0) / 100;
      write(cell, value === 0 && cell.matches(".encounter") ? "" : figure(value));
    });
    body.append(line);
  }
  const encounters = [...body.querySelectorAll(".encounter")];
  table.toggleAttribute("data-level", encounters.every((cell) => cell.textContent === "")); // they separate nobody
  if (focused instanceof HTMLElement && body.contains(focused)) focused.focus({ preventScroll: true });
  return written === rows.length && written === body.children.length;
}

/** @param {Element | null} cell @param {number} value */
function set(cell, value) {
  if (cell) write(cell, figure(value));
}
