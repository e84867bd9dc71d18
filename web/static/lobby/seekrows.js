// @ts-check
/**
 * The list of open seeks. Pure. Rows never move under a pointer or the focus: while the list is
 * held, new seeks wait, and rows of gone seeks stay, marked.
 *
 * @typedef {{seek: string, name: string, rules: string, options?: string, clock: string, rated?: boolean,
 *   low?: number, high?: number, in?: string}} Seek in: the rating pool that low and high are about
 * @typedef {{ratings: Record<string, number>}} Can what decides which seeks an account can join
 * @typedef {Seek & {gone?: number}} Row gone: since when, in ms
 * @typedef {{rows: Row[], waiting: Seek[]}} List newest first
 */

export const goneRowsStay = 3_000; // ms that a row stays after its seek is gone

/** @type {List} */
export const empty = { rows: [], waiting: [] };

/**
 * Returns the list after a change.
 * @param {List} list
 * @param {{new?: Seek[], gone?: string[]}} news
 * @param {boolean} held
 * @param {number} now
 * @returns {List}
 */
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

/**
 * Returns the list with all open seeks.
 * @param {List} list
 * @param {Seek[]} seeks
 * @param {boolean} held
 * @param {number} now
 * @returns {List}
 */
export function replaced(list, seeks, held, now) {
  const there = new Set(seeks.map((s) => s.seek));
  const gone = [...list.rows, ...list.waiting].map((s) => s.seek).filter((id) => !there.has(id));
  return updated(list, { new: seeks, gone }, held, now);
}

/** Shows what may be shown now. @param {List} list @param {boolean} held @param {number} now @returns {List} */
export function settled({ rows, waiting }, held, now) {
  if (held) return { rows, waiting };
  const back = new Set(waiting.map((s) => s.seek)); // a seek that is announced again takes the place of its row
  return {
    rows: [...waiting, ...rows.filter((r) => !back.has(r.seek) && (!r.gone || now - r.gone < goneRowsStay))],
    waiting: [],
  };
}

const unplayedRating = 1500; // the rating of a player who has played no such game

/**
 * Says why a seek cannot be joined; "" if it can.
 * @param {Seek} seek
 * @param {Can | null} can null for a guest
 */
export function unjoinable({ rated, low = 0, high = 0, in: of = "" }, can) {
  if (rated && !can) return "needs-account";
  if (!low && !high) return "";
  const rating = can ? (can.ratings[of] ?? unplayedRating) : 0;
  return rating === 0 || rating < low || (high > 0 && rating > high) ? "out-of-range" : "";
}

/** Formats a waiting time: "0:07", "12:34". @param {number} ms */
export function elapsed(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

const botDelay = 10_000; // ms of waiting after which a computer player is offered

/** Reports whether a wait is long enough to offer a computer player. @param {number} ms */
export const offersBot = (ms) => ms >= botDelay;

/**
 * Returns the address of the computer player's page, with the rules of the seek.
 * @param {{rules: string, options?: string}} wait
 */
export const botPath = ({ rules, options }) =>
  `/bot?${new URLSearchParams({ rules, ...(options ? { options } : {}) })}`;
