// @ts-check
/**
 * The news for a player and for everybody else, in words. The server says the same
 * (web/event/me.go, hall.go), but it does not know the reader's clock. Pure.
 *
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Board} Board
 * @typedef {import("../lib/text.js").T} T
 */

import { boardOf, inWaves, lastRound, leftInRound, roundOver, running, takesPart } from "./state.js";
import { until } from "./follow.js";
import { onDay } from "./numbersandtimes.js";

/**
 * Returns how many rounds the tournament has. 0: players are paired as they become free.
 * @param {State} state
 */
export function total({ settings, start = [], players }) {
  const n = start.length || players.filter(takesPart).length;
  const cycle = n < 2 ? 0 : n + (n % 2) - 1;
  switch (settings.format) {
    case "swiss":
      return settings.rounds ?? 0;
    case "knockout":
      return Math.ceil(Math.log2(Math.max(1, n)));
    case "roundrobin":
      return cycle;
    case "doubleround":
      return 2 * cycle;
    default:
      return 0;
  }
}

/** Returns the stage of the tournament in words. @param {T} t @param {State} state @returns {string} */
export function stageText(t, state) {
  const n = state.players.filter(takesPart).length;
  const round = state.rounds.length;
  if (state.stage === "over") return t("stage.over");
  if (state.stage === "entry") return t("stage.entry", { n });
  if (inWaves(state)) return t("stage.waves", { n });
  if (state.settings.format === "knockout" && round === total(state)) return t("stage.final");
  return t("stage.round", { n: round, of: total(state) });
}

/**
 * Returns what a player does now, in words, and the room of their game.
 * @param {T} t
 * @param {State} state
 * @param {number} me the player's number
 * @param {(player: number) => string} name
 * @param {number} time by the server's clock
 * @returns {{said: string, game: string}}
 */
export function now(t, state, me, name, time) {
  const said = (/** @type {string} */ key, /** @type {import("../lib/text.js").Values} */ values = {}) => ({
    said: t(`me.${key}`, values),
    game: "",
  });
  const p = state.players[me - 1];
  if (state.stage === "over") return { said: t("stage.over"), game: "" };
  if (p.out) return said(isSubstitute(state, p) ? "substitute" : "out");
  if (state.stage === "entry") return said(p.here ? "here" : "in");
  const n = state.rounds.length;
  const board = boardOf(lastRound(state), me);
  if (!board || (inWaves(state) && board.result)) {
    if (inWaves(state)) return said(timeUp(state, time) ? "timeup" : state.due ? "waiting" : "stopped");
    if ((p.joined ?? 0) > n) return said("joined", { n: p.joined ?? n });
    if (p.byes?.[n] === "half") return said("half", { n });
    return said(state.settings.format === "knockout" ? "knocked" : "unpaired", { n });
  }
  if (board.result === "bye") return said("bye", { n });
  const values = { name: name(board.first + (board.second ?? 0) - me), board: board.n };
  if (board.result) return said(outcome(board, me), values);
  if (board.paper) return said("paper", values);
  return { ...said("game", values), game: running(board)?.room ?? "" };
}

/**
 * Reports whether a player waits for the place of another one: they have joined after the start of a round robin
 * or a knockout, or in the last round of a Swiss.
 * @param {State} state
 * @param {import("./state.js").Player} p
 */
export const isSubstitute = ({ settings }, { joined = 0, out }) => Boolean(out) && joined > (settings.rounds ?? 0);

/** Reports whether the time of an arena is over. @param {State} state @param {number} time by the server's clock */
export const timeUp = ({ ends = 0 }, time) => ends > 0 && time >= ends;

/** @param {Board} board @param {number} me @returns {string} */
function outcome({ first, result }, me) {
  const own = first === me ? "first" : "second";
  switch (result) {
    case "draw":
      return "drawn";
    case "neither":
      return "neither";
    case "first":
    case "second":
      return result === own ? "won" : "lost";
    default:
      return result === `${own}-unplayed` ? "walkover" : "missed";
  }
}

/**
 * Returns in words what comes next, or how long the round lasts; "" if there is nothing to say.
 * @param {T} t
 * @param {State} state
 * @param {number} time by the server's clock
 * @returns {string}
 */
export function next(t, state, time) {
  if (state.stage !== "running") return "";
  if (inWaves(state)) {
    if (timeUp(state, time)) return "";
    if (!state.due) return t("me.stopped");
    return state.ends ? t("ends", { time: until(state.ends - time) }) : "";
  }
  const n = state.rounds.length + 1;
  if ((state.due ?? 0) > time) return t("next.due", { n, time: until((state.due ?? 0) - time) });
  if (!roundOver(state)) {
    const left = leftInRound(state, time);
    if (left >= 86_400_000) return t("next.ends.on", { time: onDay(state.ends ?? 0, t.lang) });
    return left > 0 ? t("next.ends", { time: until(left) }) : "";
  }
  return n > total(state) ? t("next.last") : t("next.host", { n });
}

/** @type {Record<string, string>} */
export const figures = {
  first: "1 – 0",
  second: "0 – 1",
  draw: "½ – ½",
  "first-unplayed": "+ – −",
  "second-unplayed": "− – +",
  neither: "− – −",
};

/**
 * Returns the state of a board, in figures and in words.
 * @param {T} t
 * @param {Board} board
 * @param {(player: number) => string} name
 * @param {boolean} two games are played on each board
 * @returns {{figures: string, words: string, won: string}} won: "first", "second" or ""
 */
export function score(t, board, name, two) {
  const { result, seeds = 0, second } = board;
  if (!second) return { figures: "", words: t("board.bye"), won: "" };
  if (!result) {
    const key = running(board) ? "playing" : board.paper ? "paper" : "opens";
    return { figures: "", words: t(`board.${key}`), won: "" };
  }
  const ahead = two && seeds ? ` (${seeds < 0 ? "−" : "+"}${Math.abs(seeds)})` : "";
  return {
    figures: figures[result] + ahead,
    words: t(`result.${result}`, { first: name(board.first), second: name(second) }),
    won: String(/first|second|$/.exec(result)),
  };
}
