// @ts-check
/**
 * The list of open seeks. Pure. Rows never move under a pointer or the focus:
 * while the list is held, new ones wait and those that are gone stay, marked.
 *
 * @typedef {{seek: string, name: string, rules: string, options?: string, clock: string, rated?: boolean, low?: number, high?: number, in?: string}} Seek
 *   in: of whose ratings low and high are
 * @typedef {{ratings: Record<string, number>}} Can what decides which seeks somebody with an account may join
 * @typedef {Seek & {gone?: number}} Row gone: when it was, in ms
 * @typedef {{rows: Row[], waiting: Seek[]}} List newest first
 */

export const goneRowsStay = 3_000; // ms that a row stays after its seek is gone

/** @type {List} */
export const empty = { rows: [], waiting: [] };

/** What has changed. @param {List} list @param {{new?: Seek[], gone?: string[]}} news @param {boolean} held @param {number} now @returns {List} */
export function updated({ rows, waiting }, { new: fresh = [], gone = [] }, held, now) {
  const known = new Set([...rows.filter((r) => !r.gone), ...waiting].map((s) => s.seek));
  return settled(
    {
      rows: rows.map((r) => (gone.includes(r.seek) && !r.gone ? { ...r, gone: now } : r)),
      waiting: [...fresh.filter((s) => !known.has(s.seek)), ...waiting.filter((s) => !gone.includes(s.seek))],
    },
    held,
    now,
  );
}

/** All that there is. @param {List} list @param {Seek[]} seeks @param {boolean} held @param {number} now @returns {List} */
export function replaced(list, seeks, held, now) {
  const there = new Set(seeks.map((s) => s.seek));
  const gone = [...list.rows, ...list.waiting].map((s) => s.seek).filter((id) => !there.has(id));
  return updated(list, { new: seeks, gone }, held, now);
}

/** What may be shown now. @param {List} list @param {boolean} held @param {number} now @returns {List} */
export function settled({ rows, waiting }, held, now) {
  if (held) return { rows, waiting };
  const back = new Set(waiting.map((s) => s.seek)); // who announces the same seek again takes its row's place
  return { rows: [...waiting, ...rows.filter((r) => !back.has(r.seek) && (!r.gone || now - r.gone < goneRowsStay))], waiting: [] };
}

const unplayedRating = 1500; // rating of who has played no such game

/** Why a seek cannot be joined; empty if it can. @param {Seek} seek @param {Can | null} can null for a guest */
export function unjoinable({ rated, low = 0, high = 0, in: of = "" }, can) {
  if (rated && !can) return "needs-account";
  if (!low && !high) return "";
  const rating = can ? (can.ratings[of] ?? unplayedRating) : 0;
  return rating === 0 || rating < low || (high > 0 && rating > high) ? "out-of-range" : "";
}

/** "0:07", "12:34". @param {number} ms */
export function elapsed(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

const botDelay = 20_000; // ms of waiting after which the computer offers itself

/** Whether somebody who has waited so long is told that he can play the computer. @param {number} ms */
export const offersBot = (ms) => ms >= botDelay;

/** Where he does, in the game that he waits for. @param {{rules: string, options?: string}} wait */
export const botPath = ({ rules, options }) => `/bot?${new URLSearchParams({ rules, ...(options ? { options } : {}) })}`;
