// @ts-check
/**
 * The line under the board: the most important news. Pure.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 * @typedef {{connection: string, message: string, reader: boolean, past: {counted: {n: number, of: number}} | null,
 *   ending: boolean, moving: boolean, sent: boolean, draft: string, hint: string, only: number | null,
 *   away: number[], plan: string}} Now
 *   connection: what to say about it; message: the last refusal or news; reader: another tab plays;
 *   past: the earlier position that is shown; ending: the last move is still shown; sent: a move is
 *   on its way; draft: the progress of a lay-out; hint: for a first game; only: the only playable
 *   pit; away: seats without a connection
 */

import { numberOf, option } from "../model/shape.js";
import { ownOf } from "../model/state.js";
import { gift } from "../speech/refusals.js";

/** @param {T} t @param {Game} game @param {Speaker} words @param {Now} now */
export function statusOf(t, game, words, now) {
  const { snap, as } = game;
  const { past } = now;
  if (now.connection) return now.connection;
  if (now.message) return now.message;
  if (now.reader) return t("superseded");
  if (past) return t("moves.past", past.counted);
  // a game that is watched may go on
  if (snap.outage || game.outage) return t(as < 0 ? "reconnecting" : "unavailable");
  if (snap.state === "waiting") return t("status.waiting");
  if (now.ending) return words.reason();
  if (snap.paused && snap.state !== "over") return t("status.paused");
  if (snap.result?.reason === "expired") return words.reason();
  if (snap.state === "over")
    return [words.headline() || t("turn.over"), words.closeness() || words.reason()].filter(Boolean).join(" ");
  if (snap.state === "pause") return [words.headline(snap.rounds?.at(-1)), words.reason(snap.rounds?.at(-1))].join(" ");
  if (now.sent) return now.moving ? words.turnText() : t("sending");
  if (now.draft) return now.draft;
  if (snap.phase === "swap" && snap.turn === as) return sideChoice(t, game, words);
  if (now.hint === "pits" && now.only === null) return t(words.enters(words.mine) ? "coach.enter" : "coach.pits");
  return going(t, game, words, now);
}

const fits = 76; // characters: two lines of a phone

/**
 * Returns the line while the game goes on: whose turn it is, what they must do, what is planned, and as far as
 * they fit the last move and a hint. While a player is absent, the line leaves out these two and the only pit,
 * and names the player once. If several are absent, it names one; the seats show the others.
 * @param {T} t
 * @param {Game} game
 * @param {Speaker} words
 * @param {Now} now
 */
function going(t, game, words, { only, away, plan, hint }) {
  const { snap, as } = game;
  const { turn } = snap;
  const last = words.lastMoveText();
  const gives = gift(t, game, words);
  const absent = gives ? undefined : away.includes(turn) ? turn : plan ? undefined : away[0];
  const here = absent === undefined;
  const theirs = absent === turn && snap.phase === "play";
  const must = [
    as < 0 && t("watching"),
    !here && t(theirs && !plan ? "away.turn" : "away", { name: words.name(absent) }),
    !theirs && (turn === ownOf(game) && words.sowsAgain() ? t("turn.again") : words.turnText()),
    gives,
    here && only !== null && !gives && t("only.pit", { pit: numberOf(words.shape, only) }),
    plan,
  ].filter(Boolean);
  const may = [
    here && last && t("status.last", { last }),
    here && hint && only === null && !gives && t(`coach.${hint}`),
  ].filter(Boolean);
  while (may.length > 0 && [...must, ...may].join(" ").length > fits) may.pop();
  return [...must, ...may].join(" ");
}

/** Says what each answer to a lay-out would mean. @param {T} t @param {Game} game @param {Speaker} words */
export function sideChoice(t, { snap }, words) {
  const other = words.name(1 - snap.turn);
  const swapFirst =
    option(snap.canonical, "swap") === "loses-first" ? t("swap.first.other", { name: other }) : t("swap.first.you");
  return t("swap.choice", { swap: swapFirst });
}
