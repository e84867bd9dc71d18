// @ts-check
/**
 * The effects of a move: the steps of the protocol, expanded event by event, applied to a board,
 * taken back and summed up. Pure.
 *
 * @typedef {number | string} Slot a pit's id, or a store: "s0", "s1" …
 * @typedef {[string, ...(number | string | null)[]]} Step
 * @typedef {Record<string, string>} Marks by pit, as in the text of a position: "x" is a claimed pit, "h" a
 *   house, "!" a blocked pit, "h!" a house that is blocked
 * @typedef {{pits: number[], stores: number[], marks?: Marks}} Board
 * @typedef {{kind: "lift" | "drop" | "take" | "sweep" | "give" | "enter" | "lay" | "turn" | "claim" | "unhouse" |
 *   "block" | "unblock", slot: Slot, n: number, to: Slot | null, seized?: boolean}} Event
 *   lift: n seeds of slot go into the hand; seized: they are captured, to be sown on; drop: one seed falls
 *   into slot; take, sweep: n seeds of slot go to a store (null: to no player); give: one seed of slot
 *   goes to a pit; enter: a seed in hand, shown as a store, goes to a pit; lay: slot gets n seeds; claim: the
 *   other side claims slot; unhouse: slot is a house no more; block, unblock: slot is blocked, or free again
 * @typedef {{slot: Slot, n: number, to: Slot | null}} Taken
 * @typedef {{from: Slot | null, last: Slot | null, laps: number, sown: number, took: Taken[], fell: Taken[],
 *   swept: Taken[], entered: boolean, claimed: Slot | null, unhoused: Slot[], blocked: Slot | null,
 *   gave: {from: Slot, to: Slot} | null, laid: number, turned: boolean}} Digest
 *   fell: seeds that fell into claimed pits; entered: the move began with a seed in hand, which is no part of sown
 */

/** @type {Record<string, [off: string, on: string]>} the marks that events take from a pit, and put there */
const marking = { claim: ["", "x"], unhouse: ["h", ""], block: ["", "!"], unblock: ["!", ""] };

/**
 * @param {Step[]} steps
 * @returns {Event[]}
 */
export function expand(steps) {
  /** @type {Event[]} */
  const events = [];
  for (const [kind, ...rest] of steps) {
    const [a, b, c] = /** @type {[Slot, number, Slot | null]} */ (rest);
    switch (kind) {
      case "lift":
      case "seize":
        events.push({ kind: "lift", slot: a, n: b, to: null, seized: kind === "seize" });
        break;
      case "sow":
        for (const place of rest)
          for (const slot of run(/** @type {Slot} */ (place))) events.push({ kind: "drop", slot, n: 1, to: null });
        break;
      case "take":
      case "sweep":
        if (rest[0] === null) seizedInto(events, c);
        else events.push({ kind, slot: a, n: b, to: c });
        break;
      case "give":
      case "enter":
        events.push({ kind, slot: a, n: 1, to: b });
        break;
      case "lay":
        rest.forEach((n, slot) => events.push({ kind: "lay", slot, n: Number(n), to: null }));
        break;
      case "turn":
      case "claim":
      case "unhouse":
      case "block":
      case "unblock":
        events.push({ kind, slot: a ?? 0, n: 0, to: null });
        break;
      default:
        throw new Error(`trace: unknown step ${kind}`);
    }
  }
  return events;
}

/**
 * Gives the captured seeds in the hand to a store: they are won, because the game ended before they were sown.
 * @param {Event[]} events the last of them put seeds into the hand, and may have emptied a house
 * @param {Slot | null} to
 */
function seizedInto(events, to) {
  for (let i = events.length - 1; events[i]?.seized || events[i]?.kind === "unhouse"; i--)
    if (events[i].seized) events[i] = { ...events[i], kind: "take", to, seized: false };
}

/**
 * Reports whether an event opens a lap. Captured seeds of two pits are sown in one lap, and so are the
 * seeds of a pit that a seed was entered into.
 * @param {Event[]} events
 * @param {number} i
 */
export function opensLap(events, i) {
  let before = i - 1;
  while (events[before]?.kind === "unhouse") before--;
  const goesOn = ["lift", "enter"].includes(events[before]?.kind);
  return events[i].kind === "enter" || (events[i].kind === "lift" && !goesOn);
}

/** @param {Slot} place a slot, or a run like "3-5" or "5-3" @returns {Slot[]} */
function run(place) {
  const ends = typeof place === "string" ? place.match(/^(\d+)-(\d+)$/) : null;
  if (!ends) return [place];
  const [from, to] = [Number(ends[1]), Number(ends[2])];
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => from + i * step);
}

/** @param {Board} board @param {Slot} slot @param {number} n */
function add(board, slot, n) {
  if (typeof slot === "number") board.pits[slot] += n;
  else board.stores[Number(slot.slice(1))] += n;
}

/** @param {Board} board @param {Slot} slot @param {string} off a mark that goes @param {string} on one that comes */
function mark(board, slot, off, on) {
  const { [slot]: was = "", ...marks } = board.marks ?? {};
  const now = was.replace(off, "") + on;
  if (now) marks[slot] = now;
  board.marks = Object.keys(marks).length > 0 ? marks : undefined;
}

/** @param {Board} board */
function turn(board) {
  const half = board.pits.length / 2;
  board.pits = [...board.pits.slice(half), ...board.pits.slice(0, half)];
}

/** @param {Board} board @returns {Board} */
export const copy = ({ pits, stores, marks }) => ({ pits: [...pits], stores: [...stores], ...(marks && { marks }) });

/**
 * Returns the side that has claimed a pit, or -1. Games with claims have two sides.
 * @param {Board} board
 * @param {Slot} slot
 */
export const claimant = ({ pits, marks }, slot) =>
  marks?.[slot] === "x" ? Number(Number(slot) < pits.length / 2) : -1;

/**
 * Returns the text of a slot on a small board: its number, or the mark of the side that has claimed it.
 * @param {Board} board
 * @param {string} at
 */
export const shownAt = (board, at) =>
  at.startsWith("s") ? board.stores[Number(at.slice(1))] : (["●", "◆"][claimant(board, at)] ?? board.pits[Number(at)]);

/**
 * Applies the first half of an event: seeds leave their slot.
 * @param {Board} board changed in place
 * @param {Event} e
 */
export function leave(board, e) {
  if (e.kind !== "drop" && e.kind !== "lay") add(board, e.slot, -e.n);
}

/**
 * Applies the second half of an event: seeds arrive in a slot, or marks change.
 * @param {Board} board changed in place
 * @param {Event} e
 */
export function arrive(board, e) {
  if (e.kind === "drop") add(board, e.slot, 1);
  else if (e.kind === "lay") board.pits[/** @type {number} */ (e.slot)] = e.n;
  else if (e.kind === "turn") turn(board);
  else if (marking[e.kind]) mark(board, e.slot, ...marking[e.kind]);
  else if (e.to !== null) add(board, e.to, e.n);
}

/**
 * Returns the board after the events.
 * @param {Board} before
 * @param {Event[]} events
 * @returns {Board}
 */
export function apply(before, events) {
  const board = copy(before);
  for (const e of events) {
    leave(board, e);
    arrive(board, e);
  }
  return board;
}

/**
 * Returns the board before the events. A snapshot brings only the last move, and the sentence about
 * it needs the position before it. A lay-out begins with empty pits.
 * @param {Board} after
 * @param {Event[]} events
 * @returns {Board}
 */
export function rewind(after, events) {
  const board = copy(after);
  for (const e of [...events].reverse()) {
    if (e.kind === "lift") add(board, e.slot, e.n);
    else if (e.kind === "drop") add(board, e.slot, -1);
    else if (e.kind === "lay") board.pits[/** @type {number} */ (e.slot)] = 0;
    else if (e.kind === "turn") turn(board);
    else if (marking[e.kind]) {
      const [off, on] = marking[e.kind];
      mark(board, e.slot, on, off);
    } else {
      add(board, e.slot, e.n);
      if (e.to !== null) add(board, e.to, -e.n);
    }
  }
  return board;
}

/**
 * Sums a move up for sentences and marks.
 * @param {Event[]} events
 * @param {Marks} [marks] before or after the move
 * @returns {Digest}
 */
export function digest(events, marks = {}) {
  /** @type {Digest} */
  const d = {
    ...{ from: null, last: null, laps: 0, sown: 0, took: [], fell: [], swept: [] },
    ...{ entered: false, claimed: null, unhoused: [], blocked: null, gave: null, laid: 0, turned: false },
  };
  for (const [i, e] of events.entries()) {
    if (opensLap(events, i)) d.laps++;
    if (e.kind === "enter") {
      d.entered = true;
      d.from = d.last = e.to;
    } else if (e.kind === "lift") {
      d.from ??= e.slot;
      if (e.seized) d.took.push({ slot: e.slot, n: e.n, to: null });
    } else if (e.kind === "drop") {
      d.last = e.slot;
      d.sown++;
    } else if (e.kind === "take") {
      const falls = marks[e.slot] === "x" && events[i - 1].kind === "drop" && events[i + 1]?.kind !== "claim";
      (falls ? d.fell : d.took).push({ slot: e.slot, n: e.n, to: e.to });
    } else if (e.kind === "claim") d.claimed = e.slot;
    else if (e.kind === "unhouse") d.unhoused.push(e.slot);
    else if (e.kind === "block") d.blocked = e.slot;
    else if (e.kind === "sweep") d.swept.push({ slot: e.slot, n: e.n, to: e.to });
    else if (e.kind === "give") d.gave = { from: e.slot, to: /** @type {Slot} */ (e.to) };
    else if (e.kind === "lay") d.laid += e.n;
    else if (e.kind === "turn") d.turned = true;
  }
  return d;
}

/** Returns the seeds that a side captured. @param {Taken[]} took @param {number} side */
export const wonBy = (took, side) => took.filter(({ to }) => to === null || to === `s${side}`);

/** @param {Taken[]} list to count the seeds of */
export const total = (list) => list.reduce((sum, x) => sum + x.n, 0);
