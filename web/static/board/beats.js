// @ts-check
/**
 * The times at which the events of a move are shown. Pure: it turns the events of a trace into a
 * list of beats, which sowing.js plays.
 *
 * A beat shows the events from `from` to before `to`. Seeds leave a place at the beginning of the
 * beat and arrive at its end. So after each beat, the counts are those of `apply` with the events
 * before `to`.
 *
 * @typedef {import("../model/trace.js").Event} Event
 * @typedef {import("../model/trace.js").Slot} Slot
 * @typedef {"lift" | "drop" | "rush" | "hold" | "mark" | "take" | "pass" | "again" | "sweep" | "give" | "enter" |
 *   "lay" | "turn" | "claim" | "unhouse" | "block" | "unblock"} Kind
 *   rush: laps shown as one; hold: the last seed lies; mark: what will be captured is outlined;
 *   pass: a capture in passing, after which sowing goes on
 * @typedef {{kind: Kind, at: number, ms: number, from: number, to: number, lap: number, laps?: number,
 *   ahead?: number}} Beat
 *   at, ms: start and length; lap: number of the lap from 1; laps: how many pass in a rush; ahead:
 *   a mark outlines the events before this one
 * @typedef {{speed?: string, again?: boolean, reduced?: boolean, most?: number, every?: boolean,
 *   row?: (slot: Slot) => number}} Options
 *   again: the same seat plays on; most: a limit in ms for this move; every: no limit and nothing
 *   left out, for stepping; row: the row of a pit, whose pits are swept together
 */

import { opensLap } from "../model/trace.js";

export const reach = 0.5; // the part of a seed's time in which the hand comes to its pit; then the seed falls
export const sprites = 12; // seeds that fly at once, at most
const stagger = 20; // ms between the starts of two seeds that are laid out
const together = 600; // ms in which all of many seeds have started
const rates = /** @type {Record<string, number>} */ ({ slow: 1.8, normal: 1, fast: 0.5, instant: 0 });
const caps = /** @type {Record<string, number>} */ ({ slow: 8000, normal: 4000, fast: 2000, instant: 0 });
const times = {
  lift: 120,
  drop: 180,
  fall: 144,
  hold: 250,
  mark: 150,
  gather: 140,
  next: 90,
  carry: 280,
  pass: 280,
  give: 300,
  enter: 300,
  again: 300,
  lay: 40,
  turn: 500,
  claim: 600,
  unhouse: 300,
  block: 600,
  unblock: 0,
  rush: 600,
};
const least = 25; // ms: the eye cannot follow seeds that fall faster
const rushes = 6; // beats of a rush, so that the counts change visibly

/** @param {Event[]} events of one move @param {Options} [options] @returns {{beats: Beat[], ms: number}} */
export function plan(events, options = {}) {
  const { speed = "normal", reduced = false, every = false } = options;
  const rate = rates[speed] ?? 1;
  if (events.length === 0 || (!every && (reduced || rate === 0))) return { beats: [], ms: 0 };
  const pace = rate || 1; // at speed "instant", steps have the normal speed
  const { laps, rest } = split(events);
  const tail = scale(outcome(events, laps, rest, options), pace);
  let sown = laps.map((lap) => scale(lap, pace));
  if (every) return timed([...sown.flat(), ...tail]);

  const cap = Math.min(caps[speed] ?? caps.normal, options.most ?? Infinity);
  const end = scale(tail, Math.min(1, cap / 2 / length(tail)));
  const left = cap - length(end);
  if (length(sown.flat()) > left) sown = fit(sown, left, times.rush * pace);
  return timed([...sown.flat(), ...end]);
}

/**
 * Returns the timing of seeds that a player lays out: they fall one after the other.
 * @param {number} n
 * @param {Options} [options]
 * @returns {{ms: number, gap: number}} ms: how long each one falls; gap: ms between two
 */
export function falls(n, { speed = "normal", reduced = false } = {}) {
  const rate = reduced ? 0 : (rates[speed] ?? 1);
  return { ms: times.fall * rate, gap: Math.min(stagger, together / n) * rate };
}

/**
 * Returns the timing of a hand that gathers the seeds of several pits, one after the other, and carries them away.
 * @param {number} pits
 * @returns {{ms: number, share: number}} share: the part of the time until all are gathered
 */
export function gathering(pits) {
  const ms = times.gather + times.next * Math.max(0, Math.min(pits, sprites) - 1);
  return { ms: ms + times.carry, share: ms / (ms + times.carry) };
}

/** Splits the events into laps, and what follows them. @param {Event[]} events */
function split(events) {
  /** @type {Beat[][]} */
  const laps = [];
  let i = 0;
  const kinds = events.map((e) => e.kind);
  const sown = Math.max(kinds.lastIndexOf("lift"), kinds.lastIndexOf("drop"), kinds.lastIndexOf("enter"));
  for (; i <= sown; i++) {
    const kind = events[i].kind === "take" ? "pass" : /** @type {"lift" | "drop"} */ (events[i].kind);
    if (opensLap(events, i) || laps.length === 0) laps.push([]);
    const faster = Math.max(0.35, 0.8 ** (laps.length - 1));
    laps[laps.length - 1].push(beat(kind, times[kind] * faster, i, i + 1, laps.length));
  }
  return { laps, rest: i };
}

/**
 * Returns the beats after the laps: a moment to see the last seed, and its outcome.
 * @param {Event[]} events
 * @param {Beat[][]} laps
 * @param {number} start index of the first event after the sowing
 * @param {Options} options
 */
function outcome(events, laps, start, { again = false, row = () => 0 }) {
  const lap = laps.length;
  /** @type {Beat[]} */
  const beats = [];
  if (lap > 0) beats.push(beat("hold", times.hold, start, start, lap));
  for (let i = start; i < events.length; ) {
    const { kind } = events[i];
    let to = i + 1;
    const joins = (/** @type {Event} */ e) =>
      e.kind === kind &&
      (kind === "take"
        ? e.to === events[i].to
        : kind === "sweep" && e.to === events[i].to && row(e.slot) === row(events[i].slot));
    while (to < events.length && joins(events[to])) to++;
    const { ms } = gathering(events.slice(i, to).filter((e) => e.n > 0).length);
    if (kind === "take")
      beats.push({ ...beat("mark", times.mark, i, i, lap), ahead: to }, beat("take", ms, i, to, lap));
    else if (kind === "sweep") beats.push(beat("sweep", ms, i, to, lap));
    else if (kind === "give") beats.push(beat("give", times.give, i, to, lap));
    else if (kind === "lay") beats.push(beat("lay", times.lay, i, to, lap));
    else if (kind !== "lift" && kind !== "drop" && kind !== "enter") // these belong to laps, which end before start
      beats.push(beat(kind, times[kind], i, to, lap));
    i = to;
  }
  if (again) beats.push(beat("again", times.again, events.length, events.length, lap));
  return beats;
}

/**
 * Shortens laps that take too long. All of them become faster; where the eye could not follow, the
 * middle ones pass as one.
 * @param {Beat[][]} laps
 * @param {number} left ms
 * @param {number} rush ms for the middle
 */
function fit(laps, left, rush) {
  const factor = left / length(laps.flat());
  const drops = laps.flat().filter((b) => b.kind === "drop");
  if (Math.min(...drops.map((b) => b.ms)) * factor >= least)
    return laps.map((lap) => scale(lap, factor));
  if (laps.length < 3) return laps.map((lap) => handfuls(scale(lap, factor)));
  // As many laps as there is time for, from both ends.
  let [head, tail] = [1, 1];
  rush = Math.min(rush, left / 3);
  const cost = (/** @type {number} */ h, /** @type {number} */ t) =>
    length(laps.slice(0, h).flat()) + length(laps.slice(laps.length - t).flat());
  for (;;) {
    if (head + tail + 1 < laps.length && cost(head + 1, tail) + rush <= left && head <= tail) head++;
    else if (head + tail + 1 < laps.length && cost(head, tail + 1) + rush <= left) tail++;
    else break;
  }
  const ends = (/** @type {Beat[][]} */ part) =>
    part.map((lap) => handfuls(scale(lap, Math.min(1, (left - rush) / cost(head, tail)))));
  const middle = laps.slice(head, laps.length - tail);
  return [...ends(laps.slice(0, head)), rushed(middle, rush), ...ends(laps.slice(laps.length - tail))];
}

/** Shows several laps in a few beats. @param {Beat[][]} laps @param {number} ms */
function rushed(laps, ms) {
  const parts = Math.min(rushes, laps.length);
  return Array.from({ length: parts }, (_, i) => {
    const part = laps.slice(Math.floor((i * laps.length) / parts), Math.floor(((i + 1) * laps.length) / parts)).flat();
    return {
      ...beat("rush", ms / parts, part[0].from, part[part.length - 1].to, part[part.length - 1].lap),
      laps: laps.length,
    };
  });
}

/** Lets seeds that are too fast for the eye fall several at a time. @param {Beat[]} lap */
function handfuls(lap) {
  const [lift, ...drops] = lap;
  const n = drops.length > 0 ? Math.ceil(least / drops[drops.length - 1].ms) : 1;
  if (n <= 1) return lap;
  /** @type {Beat[]} */
  const list = [lift];
  for (let i = 0; i < drops.length; ) {
    const passing = drops.findIndex((b, k) => k >= i && b.kind !== "drop");
    const to = drops[i].kind !== "drop" ? i + 1 : Math.min(i + n, passing < 0 ? drops.length : passing);
    const part = drops.slice(i, to);
    list.push({ ...part[0], ms: length(part), to: part[part.length - 1].to });
    i = to;
  }
  return list;
}

/**
 * @param {Kind} kind
 * @param {number} ms
 * @param {number} from
 * @param {number} to
 * @param {number} lap
 * @returns {Beat}
 */
const beat = (kind, ms, from, to, lap) => ({ kind, at: 0, ms, from, to, lap });

/** @param {Beat[]} beats @param {number} factor */
const scale = (beats, factor) => beats.map((b) => ({ ...b, ms: b.ms * factor }));

/** @param {Beat[]} beats */
const length = (beats) => beats.reduce((sum, b) => sum + b.ms, 0);

/** Schedules the beats one after the other. @param {Beat[]} beats */
function timed(beats) {
  let ms = 0;
  for (const b of beats) [b.at, ms] = [ms, ms + b.ms];
  return { beats, ms };
}

/**
 * Returns the dots for viewers who want no motion: one on each pit that got seeds, with the order
 * in which they fell; if a pit got several, with the number that each got.
 * @param {Event[]} events
 * @returns {Map<Slot, string>}
 */
export function dots(events) {
  const drops = events.filter((e) => e.kind === "drop").map((e) => e.slot);
  const once = new Set(drops).size === drops.length;
  /** @type {Map<Slot, number>} */
  const got = new Map();
  drops.forEach((slot, i) => got.set(slot, once ? i + 1 : (got.get(slot) ?? 0) + 1));
  return new Map([...got].map(([slot, n]) => [slot, once ? String(n) : `+${n}`]));
}

/** Returns the number of seeds that each slot gets. @param {Event[]} events @returns {Map<Slot, number>} */
export function gains(events) {
  const got = new Map();
  for (const { to, n } of events) if (to !== null) got.set(to, (got.get(to) ?? 0) + n);
  return got;
}
