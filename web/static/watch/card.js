// @ts-check
/**
 * Writes the numbers of a game on its small board, which the server has drawn.
 *
 * @typedef {import("../model/state.js").Game} Game
 */

import { write } from "../lib/dom.js";
import { remaining, timeText } from "../model/clock.js";
import { shownAt } from "../model/trace.js";

/** @type {(root: Element, selector: string) => NodeListOf<HTMLElement>} */
const all = (root, selector) => root.querySelectorAll(selector);

/** Writes the seeds, the scores and who is on turn. @param {Element} card @param {Game["snap"]} snap */
export function drawCard(card, snap) {
  const { pits, stores, state, turn } = snap;
  for (const number of all(card, "[data-at]")) write(number, String(shownAt(snap, number.dataset.at ?? "")));
  for (const score of all(card, "[data-score]"))
    write(score, String(stores[Number(score.dataset.score) % stores.length]));
  all(card, ".of").forEach((row, seat) => row.toggleAttribute("data-turn", state === "live" && seat === turn));
  // After an end by the rules the pits are empty, and the numbers are what each side has won.
  for (const word of all(card, ".held")) word.hidden = !pits.some(Boolean);
}

/** Writes the time that each player has left. @param {Element} card @param {Game} game */
export function drawTimes(card, game) {
  if (!game.snap.clock) return;
  const snap = { ...game.snap, outage: game.outage };
  for (const time of all(card, "[data-time]"))
    write(time, timeText(remaining(snap, Number(time.dataset.time), Date.now() + game.ahead)));
}
