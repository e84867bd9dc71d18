// @ts-check
/**
 * The sentences for a viewer who steps through a move. Pure.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/trace.js").Event} Event
 */

import { total } from "../model/trace.js";

/**
 * @param {T} t
 * @param {ReturnType<typeof import("./words.js").speaker>} words
 * @param {Event[]} events events of the step, all of one kind
 * @param {string} kind the kind of the beat
 * @param {number} lap
 */
export function stepWords(t, words, events, kind, lap) {
  const place = (/** @type {import("../model/trace.js").Slot} */ slot) => words.place([slot], -1);
  if (events.length === 0) return t("motion.again");
  const [{ slot, to }] = events;
  const n = total(events);
  switch (kind) {
    case "lift":
      return t(lap > 1 ? "step.lap" : "step.lift", { n, lap, from: place(slot) });
    case "drop":
      return t("step.drop", { to: place(slot) });
    case "lay":
      return t("step.lay", { n, to: place(slot) });
    case "turn":
      return t("step.turn");
    case "claim":
    case "unhouse":
    case "block":
    case "unblock":
      return t(`step.${kind}`, { from: place(slot) });
    default: // take, pass, sweep, give, enter
      return t(to === null ? "step.nobody" : `step.${kind === "pass" ? "take" : kind}`, {
        n,
        from: words.list(events.map((e) => place(e.slot))),
        to: to === null ? "" : place(to),
      });
  }
}
