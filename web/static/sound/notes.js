// @ts-check
/**
 * The sounds of a game: notes, and the knocks of seeds on what the board is made of. Pure.
 *
 * @typedef {"take" | "again" | "turn" | "low" | "start" | "end" | "friend" | "chat" | "no"} SoundName
 * @typedef {[hz: number, at: number, length: number, loud: number]} Note
 *   at and length in seconds; loud from 0 to 1
 * @typedef {{hz: number, partial: number, ring: number, click: number, bright: number, loud: number}} Knock
 *   hz: the pitch; partial: the second one, as a multiple; ring: seconds; click: how loud the noise of
 *   the touch is, around bright hz; loud from 0 to 1
 * @typedef {import("../model/shape.js").Made} Made
 * @typedef {import("../model/state.js").Game} Game
 */

import { chance } from "../lib/chance.js";

/** @type {Note[]} the sound that pages without a game have too */
export const friend = [[587, 0, 0.12, 0.6], [880, 0.12, 0.3, 0.6]];

/** @type {Record<SoundName, Note[]>} */
const sounds = {
  take: [[392, 0.1, 0.2, 0.4], [494, 0.16, 0.2, 0.4], [587, 0.22, 0.4, 0.4]],
  again: [[659, 0, 0.1, 0.5], [880, 0.09, 0.22, 0.5]],
  turn: [[523, 0, 0.12, 0.5], [784, 0.11, 0.25, 0.5]],
  low: [[880, 0, 0.09, 0.7], [880, 0.16, 0.09, 0.7]],
  start: [[392, 0, 0.12, 0.5], [523, 0.12, 0.12, 0.5], [659, 0.24, 0.3, 0.5]],
  end: [[659, 0, 0.14, 0.5], [523, 0.14, 0.14, 0.5], [587, 0.28, 0.14, 0.5], [523, 0.42, 0.4, 0.5]],
  friend,
  chat: [[740, 0, 0.08, 0.3]],
  no: [[196, 0, 0.12, 0.4]],
};

/** Returns the notes of a sound. @param {SoundName} name */
export const notes = (name) => sounds[name];

/** @type {Record<Made, [hz: number, partial: number, ring: number, click: number]>} */
const materials = {
  maple: [520, 2.7, 0.09, 0.5],
  boat: [410, 2.5, 0.1, 0.45],
  plank: [340, 2.9, 0.12, 0.4],
  sand: [250, 1.6, 0.03, 0.9],
  clay: [700, 2.2, 0.06, 0.7],
  stone: [940, 3.4, 0.035, 0.9],
};

/**
 * Returns the sound of seed n, counted from the first one of the page: no two are alike. Its pitch
 * rises with the progress of the sowing, and is lower in a store.
 * @param {Made} made
 * @param {number} n
 * @param {{share?: number, store?: boolean}} [where] share: progress from 0 to 1
 * @returns {Knock}
 */
export function knock(made, n, { share = 0, store = false } = {}) {
  const [hz, partial, ring, click] = materials[made];
  const by = (/** @type {string} */ what, /** @type {number} */ most) => 1 + (2 * chance(`${what} ${n}`) - 1) * most;
  return {
    hz: hz * (store ? 0.6 : 1) * 2 ** (share * 0.5) * by("hz", 0.07),
    partial: partial * by("partial", 0.08),
    ring: ring * (store ? 1.8 : 1) * by("ring", 0.25),
    click: click * by("click", 0.5),
    bright: 5 * hz * by("bright", 0.4),
    loud: 0.5 * by("loud", 0.25),
  };
}

/**
 * Returns the sound of a change that is not a move; null for none.
 * @param {Game} old
 * @param {Game} now
 * @returns {SoundName | null}
 */
export function soundOf({ snap: old }, { snap: now, as, all }) {
  const begun = now.state === "live" || now.state === "setup";
  if (now.state === "over" && old.state !== "over") return "end";
  if (begun && old.state === "waiting") return "start";
  if (now.state === "waiting") return now.sitters.length > old.sitters.length ? "friend" : null;
  return begun && !all && now.turn === as && old.turn !== as ? "turn" : null;
}
