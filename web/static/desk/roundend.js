// @ts-check
/**
 * The end of a round that lasts some days: in words, and the field in which the host sets it.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("../event/state.js").State} State
 */

import { until } from "../event/follow.js";
import { leftInRound } from "../event/state.js";
import { onDay, typed } from "../event/numbersandtimes.js";
import { find } from "../lib/dom.js";

const day = 86_400_000; // ms
const most = 28 * day; // that a round lasts

/**
 * Returns when the round ends, or "": it has no end. On the last day it counts down.
 * @param {import("../lib/text.js").T} t
 * @param {State} state
 * @param {number} now by the server's clock
 */
export function roundEnds(t, state, now) {
  const left = leftInRound(state, now);
  if (left === 0) return "";
  return left < day ? t("now.ends", { time: until(left) }) : t("now.ends.on", { time: onDay(state.ends ?? 0, t.lang) });
}

/** @param {Desk} desk @returns {import("./desk.js").Part} */
export function roundEnd(desk) {
  const form = /** @type {HTMLFormElement} */ (find("#round-end"));
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("ends"));
  let shown = 0; // the end that the field had

  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const ends = new Date(field.value).getTime();
    if (Number.isNaN(ends)) return;
    const told = /** @type {HTMLElement} */ (form.querySelector("output"));
    await desk.orders.send({ kind: "extend", ends }, told, desk.t("told.done"));
  });

  function draw() {
    const state = desk.state();
    form.hidden = leftInRound(state, desk.now()) === 0;
    const { ends = 0 } = state;
    if (form.hidden || ends === shown) return; // the host may be typing
    shown = ends;
    field.value = typed(ends);
    field.min = typed(desk.now());
    field.max = typed(desk.now() + most);
  }
  return { draw };
}
