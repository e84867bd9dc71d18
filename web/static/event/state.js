// @ts-check
/**
 * A tournament as this page knows it, folded from the frames of the protocol as
 * lobby/tournament/change.go folds it. Pure. A frame that does not fit asks for a new snapshot; it never
 * leaves a wrong state.
 *
 * @typedef {{name: string, format: string, rounds?: number, minutes?: number, tieBreaks: string, rules: string,
 *   options?: string, clock: string, rated?: boolean, games?: number, bySeeds?: boolean, thirdPlace?: boolean,
 *   extra?: number, seedDecides?: boolean, accounts?: boolean, listed?: boolean, lateHalf?: boolean, noShow?: number,
 *   pause?: number, days?: number, ends?: number, unplayed?: string, starts?: number, initials?: boolean,
 *   chat?: string}} Settings
 * @typedef {{n: number, id: string, paper?: boolean, rating?: number, here?: boolean, out?: boolean, away?: boolean,
 *   joined?: number, byes?: Record<string, string>, waited?: number}} Player
 * @typedef {{room?: string, opened?: boolean, acted?: number, paused?: boolean, result?: string, reason?: string,
 *   seeds?: number, swapped?: boolean}} Game
 * @typedef {{n: number, first: number, second?: number, games?: Game[], result?: string, seeds?: number,
 *   byHost?: boolean, paper?: boolean, match?: number}} Board
 * @typedef {{kind: string, by: string, until: number, before?: Change}} Undo
 * @typedef {{n: number, act: string, by?: string, round: number, board?: number, boards?: number, player?: number,
 *   ms?: number, person?: string, left?: number[], recalled?: number}} Act
 *   board: none for all boards up to number boards; left: those whose games could not be reached so far;
 *   recalled: how many rounds had been taken back
 * @typedef {{settings: Settings, stage: string, hosts: string[], players: Player[], start?: number[],
 *   forbidden?: [number, number][], rounds: Board[][], due?: number, ends?: number, closed?: number,
 *   undo?: Undo, acts?: Act[], acted?: number, paused?: number, recall?: number, left?: number[],
 *   announced?: Announced}} State
 *   recall: the round that is being taken back; left: its boards that could not be reached so far;
 *   announced: the last announcement
 * @typedef {{text: string, at: number}} Announced
 * @typedef {{settings?: Settings, stage?: string, hosts?: string[], players?: Player[], start?: number[],
 *   forbidden?: [number, number][] | null, round?: number, boards?: Board[], due?: number, ends?: number,
 *   closed?: number, act?: Act, actDone?: number, text?: string, reason?: string, undo?: Undo, final?: boolean,
 *   drop?: number, paused?: number, recall?: number, left?: {act?: number, boards: number[]},
 *   past?: Board[][]}} Change
 *   drop: the round that was taken back; left: boards that an order could not be brought to, or the recall
 *   (no act); past: the boards of rounds that were played elsewhere
 * @typedef {{room: string, seq: number, ahead: number, state: State}} Event
 *   ahead: ms by which the server's clock is ahead of this device's
 * @typedef {import("../lib/socket.js").Frame & {seq?: number, now?: number, snap?: any,
 *   ev?: {k: string, at: number, by?: string, change?: Change, opened?: import("./opened.js").Opened}}} Frame
 * @typedef {{event: Event, resync?: boolean, before?: State, change?: Change}} Folded
 *   before: the state before an entry; change: what the entry has changed
 */

import { opening } from "./opened.js";

/**
 * Returns a tournament from a snapshot.
 * @param {Frame} frame
 * @param {number} now by our clock
 * @param {Event | null} [old]
 * @returns {Event}
 */
export function open(frame, now, old = null) {
  const snap = frame.snap;
  /** @type {State} */
  const state = {
    ...snap,
    hosts: snap.hosts ?? [],
    players: snap.players ?? [],
    rounds: (snap.rounds ?? []).map((/** @type {Board[] | null} */ boards) => boards ?? []),
  };
  const { paused = 0, rounds } = state;
  if (paused > 0 && !lastRound(state).some((b) => running(b)?.paused)) // an instance of the release before
    state.rounds = held(rounds, { n: 0, act: "pause", round: rounds.length, boards: paused });
  return {
    room: frame.room ?? old?.room ?? "",
    seq: frame.seq ?? 0,
    ahead: frame.now === undefined ? (old?.ahead ?? 0) : frame.now - now,
    state,
  };
}

/**
 * Returns the tournament after a frame. resync: the frame does not fit, and a snapshot is needed.
 * @param {Event} event
 * @param {Frame} frame
 * @param {number} now by our clock
 * @returns {Folded}
 */
export function fold(event, frame, now) {
  switch (frame.t) {
    case "snap":
      return { event: open(frame, now, event), before: event.state };
    case "sync": // the end of a subscription's answer
      if (frame.seq !== event.seq) return { event, resync: true };
      return { event: frame.now === undefined ? event : { ...event, ahead: frame.now - now } };
    case "ev":
      return entry(event, frame);
    default:
      return { event };
  }
}

/** @param {Event} event @param {Frame} frame @returns {Folded} */
function entry(event, frame) {
  const seq = frame.seq ?? 0;
  if (seq <= event.seq) return { event }; // a repeated frame
  const change = frame.ev?.opened ? opening(event.state, frame.ev.opened) : frame.ev?.change;
  const state = change && seq === event.seq + 1 ? apply(event.state, change, frame.ev?.at) : null;
  if (!state) return { event, resync: true };
  return { event: { ...event, seq, state }, before: event.state, change };
}

/** The fields that a change replaces as a whole. @type {(keyof Change & keyof State)[]} */
const whole = ["settings", "stage", "hosts", "start", "forbidden", "due", "ends", "closed", "paused", "undo"];

/**
 * Returns the state after a change, or null: the change does not fit.
 * @param {State} state
 * @param {Change} c
 * @param {number} [at] when it was made
 * @returns {State | null}
 */
export function apply(state, c, at = 0) {
  const players = replaced(state.players, c.players ?? []);
  const rounds = withBoards(c.past ?? state.rounds, c.round ?? 0, c.boards ?? []);
  if (!players || !rounds) return null;
  const next = { ...state, players, rounds: c.drop ? rounds.slice(0, c.drop - 1) : rounds };
  if (c.drop) delete next.start;
  if (c.drop || next.rounds.length > state.rounds.length) next.paused = 0;
  if (c.drop && next.closed) next.closed = Math.min(next.closed, c.drop - 1);
  if (c.recall !== undefined) Object.assign(next, { recall: c.recall, left: [] });
  if (c.left) leave(next, c.left);
  if (c.text) next.announced = { text: c.text, at };
  if (c.act) {
    next.rounds = held(next.rounds, c.act);
    Object.assign(next, { acts: [...stillLeft(next, c.act), c.act], acted: c.act.n });
  }
  if (c.actDone) next.acts = next.acts?.filter((a) => a.n !== c.actDone);
  if (c.final) delete next.undo;
  for (const field of whole) if ((c[field] ?? null) !== null) Object.assign(next, { [field]: c[field] });
  return next;
}

/**
 * Returns the boards of all rounds after those of one round have changed. A round without boards can
 * begin, in an arena.
 * @param {Board[][]} rounds
 * @param {number} round from 1; 0: none
 * @param {Board[]} boards
 */
function withBoards(rounds, round, boards) {
  if (round === 0) return boards.length === 0 ? rounds : null;
  if (round < 0 || round > rounds.length + 1) return null;
  const changed = replaced(rounds[round - 1] ?? [], boards);
  return changed && [...rounds.slice(0, round - 1), changed, ...rounds.slice(round)];
}

/**
 * Notes which boards an order did not reach. Later orders replace it for some of them.
 * @param {State} state
 * @param {{act?: number, boards: number[]}} c
 */
function leave(state, { act, boards }) {
  if (!act) {
    state.left = boards;
    return;
  }
  state.acts = state.acts?.flatMap((a, i, acts) => {
    if (a.n !== act) return [a];
    const later = acts.slice(i + 1).filter((b) => replaces(b, a));
    const left = later.reduce((all, b) => without(state.rounds, all, b), boards);
    return left.length > 0 ? [{ ...a, left }] : [];
  });
}

/** Reports whether an act is about a board. @param {Act} act @param {number} n */
export function covers({ board, boards = 0, left }, n) {
  return left?.length ? left.includes(n) : board ? n === board : n <= boards;
}

const holds = (/** @type {Act} */ { act }) => act === "pause" || act === "resume";

/** Reports whether an act replaces an earlier one for games that it has not reached. @param {Act} a @param {Act} e */
const replaces = (a, e) =>
  holds(a) && holds(e) && a.round === e.round && (a.recalled ?? 0) === (e.recalled ?? 0);

/** Reports whether an act is about a board, and about one of its players. @param {Act} act @param {Board} b */
const about = (act, b) => covers(act, b.n) && (!act.player || act.player === b.first || act.player === b.second);

/**
 * Returns boards of a round, by number, without those that an act is about.
 * @param {Board[][]} rounds
 * @param {number[]} boards
 * @param {Act} act
 */
const without = (rounds, boards, act) =>
  boards.filter((n) => !rounds[act.round - 1]?.some((b) => b.n === n && about(act, b)));

/**
 * Returns the acts that wait when another one has come: it replaces earlier ones for the games that they
 * have not reached.
 * @param {State} state
 * @param {Act} next
 */
function stillLeft({ acts = [], rounds }, next) {
  return acts.flatMap((a) => {
    if (!replaces(next, a) || !a.left?.length) return [a];
    const left = without(rounds, a.left, next);
    return left.length > 0 ? [{ ...a, left }] : [];
  });
}

/**
 * Returns the boards of all rounds after a host has paused or resumed some of those that are played.
 * @param {Board[][]} rounds
 * @param {Act} act
 */
function held(rounds, act) {
  if (!holds(act)) return rounds;
  const hold = (/** @type {Board} */ b) => {
    const game = running(b);
    if (!game || !about(act, b)) return b;
    return { ...b, games: b.games?.map((g) => (g === game ? { ...g, paused: act.act === "pause" } : g)) };
  };
  return rounds.map((boards, i) => (i === act.round - 1 ? boards.map(hold) : boards));
}

/**
 * Returns a list with rows replaced by those with the same number. New rows come after the old ones,
 * without a gap.
 * @template {{n: number}} Row
 * @param {Row[]} list
 * @param {Row[]} rows
 * @returns {Row[] | null}
 */
function replaced(list, rows) {
  if (rows.length === 0) return list;
  const all = [...list];
  for (const row of rows) {
    if (!(row.n >= 1 && row.n <= all.length + 1)) return null;
    all[row.n - 1] = row;
  }
  return all;
}

/** Returns the row of the player with an ID. @param {State} state @param {string} id */
export function playerOf(state, id) {
  return id === "" ? undefined : state.players.find((p) => p.id === id);
}

/** Returns the boards of the last round that has started. @param {State} state @returns {Board[]} */
export function lastRound(state) {
  return state.rounds.at(-1) ?? [];
}

/** Reports whether a player takes part. A row whose place another person has taken has no ID. @param {Player} p */
export const takesPart = (p) => !p.out && p.id !== "";

/** Reports whether every board of the last round has a result. @param {State} state */
export function roundOver(state) {
  return lastRound(state).every((b) => Boolean(b.result));
}

/**
 * Returns the last board of a player in a round: in an arena they have many.
 * @param {Board[]} boards
 * @param {number} player number
 */
export function boardOf(boards, player) {
  return [...boards].reverse().find((b) => b.first === player || b.second === player);
}

/** Returns the game of a board that is being played. @param {Board | undefined} board @returns {Game | undefined} */
export function running(board) {
  const last = board?.games?.at(-1);
  return last?.opened && !last.result && !board?.result ? last : undefined;
}

/** Reports whether a game of a board is being opened. @param {Board} board */
const waits = ({ games, result }) => Boolean(games?.length && !games.at(-1)?.opened && !result);

/**
 * Returns the milliseconds until the round that is played ends, as EndOfRound in lobby/tournament/closing.go. 0: it has
 * no end, its end has come, its games are being opened, or it is being taken back.
 * @param {State} state
 * @param {number} time by the server's clock
 */
export function leftInRound(state, time) {
  const { ends = 0, closed, recall, rounds, settings, stage } = state;
  if (!settings.days || stage !== "running" || inWaves(state) || closed === rounds.length) return 0;
  return recall || roundOver(state) || lastRound(state).some(waits) ? 0 : Math.max(0, ends - time);
}

/** Reports whether players are paired as they become free. @param {State} state */
export function inWaves({ settings }) {
  return settings.format === "arena" || settings.format === "class";
}
