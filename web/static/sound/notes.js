// @ts-check
/**
 * The sounds of a game, as notes. Pure.
 *
 * @typedef {"seed" | "take" | "again" | "turn" | "low" | "start" | "end" | "friend" | "chat" | "no"} SoundName
 * @typedef {[hz: number, at: number, length: number, loud: number]} Note
 *   at and length in seconds; loud from 0 to 1
 * @typedef {import("../model/state.js").Game} Game
 */

/** @type {Record<SoundName, Note[]>} */
const sounds = {
  seed: [[520, 0, 0.07, 0.5], [1560, 0, 0.02, 0.2]],
  take: [[392, 0, 0.1, 0.6], [494, 0.06, 0.1, 0.6], [587, 0.12, 0.2, 0.6]],
  again: [[659, 0, 0.1, 0.5], [880, 0.09, 0.22, 0.5]],
  turn: [[523, 0, 0.12, 0.5], [784, 0.11, 0.25, 0.5]],
  low: [[880, 0, 0.09, 0.7], [880, 0.16, 0.09, 0.7]],
  start: [[392, 0, 0.12, 0.5], [523, 0.12, 0.12, 0.5], [659, 0.24, 0.3, 0.5]],
  end: [[659, 0, 0.14, 0.5], [523, 0.14, 0.14, 0.5], [587, 0.28, 0.14, 0.5], [523, 0.42, 0.4, 0.5]],
  friend: [[587, 0, 0.12, 0.6], [880, 0.12, 0.3, 0.6]],
  chat: [[740, 0, 0.08, 0.3]],
  no: [[196, 0, 0.12, 0.4]],
};

/**
 * The notes of a sound. A seed's notes rise with the progress of the sowing.
 * @param {SoundName} name
 * @param {number} [share] progress from 0 to 1
 */
export const notes = (name, share = 0) =>
  sounds[name].map(([hz, at, length, loud]) => /** @type {Note} */ ([hz * 2 ** (share * 0.8), at, length, loud]));

/**
 * The sound of a change that is not a move; null for none.
 * @param {Game} old
 * @param {Game} now
 * @returns {SoundName | null}
 */
export function soundOf({ snap: old }, { snap: now, as }) {
  const begun = now.state === "live" || now.state === "setup";
  if (now.state === "over" && old.state !== "over") return "end";
  if (begun && old.state === "waiting") return "start";
  if (now.state === "waiting") return now.sitters.length > old.sitters.length ? "friend" : null;
  return begun && now.turn === as && old.turn !== as ? "turn" : null;
}
