// @ts-check
/**
 * Thinking time as it is shown. Pure: a snapshot and the time go in.
 *
 * @typedef {{clock?: number[], run?: number, turn: number, clockText?: string, outage?: boolean}} Clocked
 */

/**
 * Returns the milliseconds that a seat has left.
 * @param {Clocked} snap
 * @param {number} seat
 * @param {number} now by the server's clock
 */
export function remaining(snap, seat, now) {
  const left = snap.clock?.[seat] ?? 0;
  if (seat !== snap.turn || !snap.run || snap.outage) return left;
  return Math.max(0, left - Math.max(0, now - snap.run));
}

/**
 * Reports whether the deadline that runs is the one for a first move in a game of a tournament: the side
 * on turn loses when it passes. It is told on its last day. The other deadline of such a game follows weeks
 * without a move. A turn may begin a moment from now, when the last move has been seen.
 * @param {{due?: number, noShow?: number}} snap
 * @param {number} now by the server's clock
 */
export const firstMoveDue = ({ due = 0, noShow = 0 }, now) =>
  due > 0 && noShow > 0 && due - now <= Math.min(noShow, 864e5) + 5e3;

/**
 * Formats a time as m:ss, from one hour on as h:mm:ss, below ten seconds with tenths. Seconds are
 * rounded up, so 0:00 means that the time is over.
 * @param {number} ms
 */
export function timeText(ms) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (ms < 10_000) {
    const tenths = Math.ceil(Math.max(0, ms) / 100);
    return `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Returns the parts of a time, for sentences. @param {number} ms */
export function parts(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return {
    days: Math.floor(seconds / 86400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}

/**
 * The time below which a clock is low: a fifth of the start, at least 10 s and at most 60 s; 0 for
 * clocks that are never low.
 * @param {string} clockText
 */
export function lowAt(clockText) {
  const start = clockText.match(/^([\d.]+)[+d]/)?.[1];
  return start === undefined ? 0 : Math.min(60_000, Math.max(10_000, Number(start) * 12_000));
}
