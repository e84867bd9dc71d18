// @ts-check
/**
 * The numbers and states of a tournament that a host sees at one look. Pure.
 *
 * @typedef {import("../event/state.js").State} State
 * @typedef {import("../event/state.js").Board} Board
 * @typedef {import("../event/state.js").Player} Player
 * @typedef {"entry" | "playing" | "between" | "last" | "waves" | "stopped" | "timed-out" | "over"} Phase
 */

import { figures, isSubstitute, total } from "../event/news.js";
import { figure } from "../event/numbersandtimes.js";
import { inWaves, lastRound, roundOver, running, takesPart } from "../event/state.js";

/** Reports whether a game of a board has been played. @param {Board} board */
const wasPlayed = ({ result = "" }) => ["first", "second", "draw"].includes(result);

/**
 * Returns the numbers of the players who have come: they have checked in, have no device, have joined
 * after the start, or have played a game.
 * @param {State} state
 */
function comers({ players, rounds }) {
  const all = new Set(players.filter((p) => p.here || p.paper || (p.joined ?? 0) > 1).map((p) => p.n));
  for (const board of rounds.flat())
    if (board.second && wasPlayed(board)) all.add(board.first).add(board.second);
  return all;
}

/** Returns how many players and boards there are of each kind. @param {State} state */
export function counts(state) {
  const players = state.players.filter((p) => p.id !== "");
  const boards = lastRound(state).filter((b) => b.second);
  const come = comers(state);
  const follows = inWaves(state) && state.stage !== "entry"; // the room knows who has a page open
  const missing = (/** @type {Player} */ p) => takesPart(p) && (follows ? Boolean(p.away) : !come.has(p.n));
  return {
    here: players.filter((p) => takesPart(p) && !missing(p)).length,
    missing: players.filter(missing).length,
    out: players.filter((p) => p.out && !isSubstitute(state, p)).length,
    late: players.filter((p) => (p.joined ?? 0) > 1 && !p.out).length,
    playing: boards.filter((b) => !b.result).length,
    finished: boards.filter((b) => b.result).length,
  };
}

/**
 * Returns the phase of the tournament; the host's next steps depend on it.
 * @param {State} state
 * @param {number} now by the server's clock
 * @returns {Phase}
 */
export function phaseOf(state, now) {
  if (state.stage === "entry") return "entry";
  if (state.stage !== "running") return "over";
  if (inWaves(state)) {
    if (state.ends && now >= state.ends) return "timed-out";
    return state.due ? "waves" : "stopped";
  }
  if (!roundOver(state)) return "playing";
  return state.rounds.length >= total(state) ? "last" : "between";
}

/**
 * Returns how many games of the round run, and how many are paused by a host.
 * @param {State} state
 */
export function games(state) {
  const open = lastRound(state).map(running).filter((g) => g !== undefined);
  const paused = open.filter((g) => g.paused).length;
  return { running: open.length - paused, paused };
}

/** Returns the boards of the round that a host's order could not be brought to so far. @param {State} state */
export function unreached({ acts = [], rounds, left = [] }) {
  const all = acts.filter((a) => a.round === rounds.length).flatMap((a) => a.left ?? []);
  return [...new Set([...all, ...left])].sort((a, b) => a - b);
}

/**
 * Returns the state of a board: "bye"; "over"; "void": its last game does not count, so the host
 * sets the result; "running"; "opening": its game is being made; "paper": played without a device.
 * @param {Board} board
 */
export function boardState(board) {
  if (!board.second) return "bye";
  if (board.result) return "over";
  if (running(board)) return "running";
  const last = board.games?.at(-1);
  if (last?.result === "void") return "void";
  return last ? "opening" : "paper";
}

/** Reports whether the host can set the result of a board now. @param {Board} board */
export function takesResult(board) {
  return Boolean(board.second) && (board.games ?? []).every((g) => g.result);
}

/** The results that a host can set, in the order in which the desk offers them. */
export const results = ["first", "draw", "second", "first-unplayed", "second-unplayed", "neither"];

/** Returns a result as a score sheet has it; a plus is a win without a game. @param {string | undefined} result */
export const mark = (result) => figures[result ?? ""] ?? "–";

/** Reports whether a player has won since the other one did not come, or neither came. @param {Board} board */
export const absence = ({ result = "" }) => result.endsWith("-unplayed") || result === "neither";

/**
 * Reports whether a player has lost a board of a round since they did not come.
 * @param {Board[]} boards
 * @param {number} player
 */
export const missed = (boards, player) =>
  boards.some(({ first, second, result = "" }) => {
    if (result === "neither") return player === first || player === second;
    return result === "first-unplayed" ? player === second : result === "second-unplayed" && player === first;
  });

/**
 * Returns a text that changes with the standings: when it has changed, they are asked for again. A round robin
 * does not count the results of players who have withdrawn early.
 * @param {State} state
 */
export const standingsKey = ({ stage, rounds, players }) =>
  JSON.stringify([stage, rounds.map((boards) => boards.map((b) => b.result)), players.map((p) => p.out)]);

/** Returns points as text. They are given in tenths. @param {number} tenths @param {string} [lang] */
export const points = (tenths, lang) => figure(tenths / 10, lang);

/**
 * Returns a tie-break's value as text. It is given in hundredths. A direct encounter that separates nobody is empty.
 * @param {number} value
 * @param {string} [code]
 * @param {string} [lang]
 */
export const breakText = (value, code, lang) => (code === "DE" && value === 0 ? "" : figure(value / 100, lang));

/**
 * Returns the key of the text for the state of a game: a game that the desk does not look at is open.
 * @param {string} state
 */
export const stateOf = (state) =>
  state === "unseen" ? "open" : ["fresh", "paused"].includes(state) ? state : "running";
