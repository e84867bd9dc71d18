// @ts-check
/**
 * The events of a game in words: the effect of a move, the player on turn, the end of the game. Pure: the texts come
 * from the catalog, the facts from the server's traces, the names from names.js.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("../model/trace.js").Board} Board
 * @typedef {{seat: number, move: string, trace: import("../model/trace.js").Step[]}} Ply
 */

import { listed } from "../lib/text.js";
import { heading, numberOf, option, ownerOf, pitOf, sideOf } from "../model/shape.js";
import { ownOf } from "../model/state.js";
import { digest, expand, total, wonBy } from "../model/trace.js";
import { names } from "./names.js";

/** Reasons for which a game or a match ends although seeds could still be won. */
const unplayed = "resign time abandoned agreed aborted expired no-show arbiter target max-rounds".split(" ").concat("");

/** @param {T} texts @param {Game} game */
export function speaker(texts, game) {
  const { snap } = game;
  const as = ownOf(game);
  const called = names(texts, game);
  const { t, name, sideName, place, taking, losing, short, score, standing, list, shape, mine } = called;

  /**
   * Returns in words what a ply did, without the score and the next turn.
   * @param {Ply} ply
   * @param {boolean} again the same seat plays on
   */
  function moveText(ply, again) {
    const who = ply.seat === as ? "you" : "other";
    const values = { name: name(ply.seat) };
    const side = sideOf(shape, ply.seat);
    const d = digest(expand(ply.trace), snap.marks);
    if (d.laid > 0) return t(`say.laid.${who}`, { ...values, n: d.laid });
    if (ply.move === "keep" || ply.move === "swap") return t(`say.${ply.move}.${who}`, values);
    if (ply.move === "-") return t(`say.passed.${who}`, values);
    if (d.gave)
      return t(`say.gave.${who}`, {
        ...values,
        pit: numberOf(shape, Number(d.gave.from)),
        to: place([d.gave.to], side),
      });

    const at = pitOf(shape, side, ply.move);
    const way = at === null ? "" : heading(shape, at, ply.move);
    const move = at === null ? ply.move : way ? t(`say.pit.${way}`, { pit: numberOf(shape, at) }) : numberOf(shape, at);
    const played = t(`say.${d.entered ? "entered" : "played"}.${who}`, { ...values, move });
    const won = wonBy(d.took, side);
    const took = taking(won, d.last, side, `say.took.${who}`);
    const lost = [...d.took.filter((x) => !won.includes(x)), ...d.fell];
    const stored = typeof d.last === "string";
    const marked = d.unhoused.map((slot) => t(`say.unhoused.${who}`, { place: place([slot], side) }));
    if (d.blocked !== null) marked.push(t(`say.blocked.${who}`, { place: place([d.blocked], side) }));
    if (d.laps > 1) {
      const words = [t("say.laps", { n: d.laps }), t("say.seeds", { n: d.sown })];
      const taken = d.took.some((x) => x.slot === d.last);
      const byCount = option(snap.canonical, "capture") !== "cross";
      const stops = option(snap.canonical, "must_capture"); // also in a house, or where a row is empty
      words.push(
        t(`say.ended.${who}`, {
          place: place(
            [d.last ?? 0],
            side,
            stored || option(snap.canonical, "relay") === "next" || (taken && byCount) || stops ? "pit" : "empty",
          ),
        }),
      );
      const removed = shape.rows === 2 && !option(snap.canonical, "captured");
      if (took) words.push(removed ? t(`say.removed.${who}`, { n: total(d.took) }) : took);
      if (lost.length > 0) words.push(losing(lost));
      return t("say.relay", { played, words: listed(t, [...words, ...marked]) });
    }
    if (stored && again)
      return t("say.whole", { words: played }) + " " + t(`say.store.${side === mine ? "you" : "other"}`, values);
    const words = d.sown > 0 ? [played, t(`say.sowed.${who}`, { n: d.sown })] : [played];
    if (took) words.push(took);
    if (d.claimed !== null) words.push(t(`say.claimed.${who}`));
    if (lost.length > 0) words.push(losing(lost));
    return t("say.whole", { words: listed(t, [...words, ...marked]) });
  }

  /** Returns the number of seeds that a ply captured. @param {Ply} ply */
  function captured(ply) {
    const { took, fell } = digest(expand(ply.trace), snap.marks);
    return total(wonBy([...took, ...fell], sideOf(shape, ply.seat)));
  }

  /** Reports whether a ply claimed a pit. @param {Ply} ply */
  const claims = ({ trace }) => trace.some(([kind]) => kind === "claim");

  /** Returns a ply as people write it: "3", and "3x" if it claimed a pit. @param {Ply} ply */
  const written = (ply) => short(ply.move, ply.seat) + (claims(ply) ? "x" : "");

  function turnText() {
    if (snap.state === "pause") return t("turn.pause");
    if (snap.phase === "setup")
      return snap.turn === as ? t("turn.setup.you") : t("turn.setup.other", { name: name(snap.turn) });
    if (snap.phase === "swap")
      return snap.turn === as ? t("turn.swap.you") : t("turn.swap.other", { name: name(snap.turn) });
    if (snap.turn === as && called.enters(mine)) return t("turn.enter");
    return snap.turn === as ? t("turn.you") : t("turn.other", { name: name(snap.turn) });
  }

  /**
   * Returns an open offer in words. A server of the next release may know offers that this page does not.
   * @param {{what: string, seat: number}} offer
   */
  function offerText({ what, seat }) {
    const kind = t.has(`offer.${what}.other`) ? what : "unknown";
    return t(`offer.${kind}.${seat === as ? "you" : "other"}`, { name: name(seat) });
  }

  /** Reports whether the seat of the last move sows again. */
  function sowsAgain() {
    const ply = snap.last;
    const over = snap.state === "over" || snap.state === "pause";
    return (
      !over && ply !== undefined && snap.turn === ply.seat && pitOf(shape, sideOf(shape, ply.seat), ply.move) !== null
    );
  }

  /** Returns in words how the game goes on after the last move: "Play again.", "Ben's turn.". */
  function nextText() {
    const ply = snap.last;
    if (snap.state === "over" || snap.state === "pause") return "";
    if (!ply || !sowsAgain()) return turnText();
    return t(`say.again.${ply.seat === as ? "you" : "other"}`, { name: name(ply.seat) });
  }

  /**
   * Returns the one sentence after the last move. How the game ended is another sentence.
   * @param {Ply} ply
   * @param {Board} before
   */
  function moveSentence(ply, before) {
    const over = snap.state === "over" || snap.state === "pause";
    const stored =
      sowsAgain() &&
      option(snap.canonical, "again")?.includes("store") &&
      typeof digest(expand(ply.trace)).last === "string";
    const won = !over && !stored && snap.stores.some((n, side) => n !== before.stores[side]);
    const points = won && standing();
    return [moveText(ply, sowsAgain()), points, nextText()].filter(Boolean).join(" ");
  }

  /** Returns the last move in a few words: "Ben 2, took 4". @param {Ply | null} [ply] that of an earlier position */
  function lastMoveText(ply = snap.last) {
    if (!ply) return "";
    // "Ben kept their side"
    if (pitOf(shape, sideOf(shape, ply.seat), ply.move) === null) return moveText(ply, false).replace(/\.$/, "");
    const took = captured(ply);
    const move = t("status.move", {
      name: ply.seat === as ? t("you") : name(ply.seat),
      move: short(ply.move, ply.seat),
    });
    return took > 0 ? t("status.took", { move, n: took }) : move;
  }

  /**
   * Returns in words which side won a round, or the whole match.
   * @param {import("../model/state.js").Result | undefined} result
   */
  function headline(result = snap.result) {
    if (!result) return "";
    if (result.winners.length === 0) return t("end.none");
    const mineWon = result.winners.includes(mine);
    if (result.winners.length > 1)
      return t(mineWon && as >= 0 ? "end.draw.you" : "end.draw", {
        names: list(result.winners.map(sideName)),
        score: score(result.scores),
      });
    const winner = result.winners[0];
    const scores = [result.scores[winner], ...result.scores.filter((_, side) => side !== winner)];
    const points = t(scores.length === 2 ? "score.two" : "score.more", { a: scores[0], b: listed(t, scores.slice(1)) });
    // A player who resigns may lead: the score would contradict the sentence. Seeds in hand are no score.
    const plain = scores[0] > Math.max(...scores.slice(1)) && !called.hands(snap.pits) ? "" : ".plain";
    return t(`end.won.${mineWon ? "you" : "other"}${plain}`, { name: sideName(winner), score: points });
  }

  /**
   * Returns in words why the game is over.
   * @param {import("../model/state.js").Result | undefined} result
   * @param {boolean} [brief] leave out what happened to the remaining seeds
   */
  function reason(result = snap.result, brief = false) {
    if (!result) return "";
    const swept = snap.last ? digest(expand(snap.last.trace)).swept.filter((x) => x.n > 0) : [];
    const losers = Array.from({ length: shape.sides }, (_, side) => side).filter(
      (side) => !result.winners.includes(side),
    );
    if (result.reason === "side-empty" && swept.length > 0) {
      const keepers = new Set(swept.map((x) => ownerOf(shape, Number(x.slot))));
      const empty = Array.from({ length: shape.sides }, (_, side) => side).filter((side) => !keepers.has(side));
      if (shape.sides === 2 && empty.length === 1 && !brief) {
        const keeper = 1 - empty[0];
        const to = swept[0].to === `s${keeper}` ? "keep" : "take";
        const who = empty[0] === mine ? "you" : keeper === mine ? "me" : "other";
        return t(`reason.side-empty.${to}.${who}`, {
          name: sideName(empty[0]),
          keeper: sideName(keeper),
          n: total(swept),
        });
      }
      if (empty.length > 0)
        return t(empty.length === 1 && empty[0] === mine ? "reason.side-empty.you" : "reason.side-empty", {
          name: list(empty.map(sideName)),
        });
    }
    const who = losers.includes(mine) && losers.length === 1 ? "you" : "other";
    const key = `reason.${result.reason}`;
    return t(t.has(`${key}.${who}`) ? `${key}.${who}` : key, { name: list(losers.map(sideName)) });
  }

  /** Returns in words how close a game was that was played to its end: "So close: only 2 seeds apart." */
  function closeness({ reason = "", scores = [0, 0] } = snap.result ?? {}) {
    // Where captured seeds stay on the board, the winner gets all seeds at the end. A game that was not played to
    // its end leaves seeds on the board. In both the difference does not show how close the game was.
    if (called.owns || unplayed.includes(reason)) return "";
    const [most, next] = [...scores].sort((a, b) => b - a);
    const n = most - next;
    return t(n === 0 ? "end.level" : n <= 4 ? "end.close" : "end.apart", { n });
  }

  /**
   * Returns an entry of the list of moves: "Move 6: Ben pit 2, captures 3, claims the pit".
   * @param {number} n the turn
   * @param {Ply} ply
   */
  function listEntry(n, ply) {
    const pit = pitOf(shape, sideOf(shape, ply.seat), ply.move);
    if (pit === null || ply.move.startsWith("+")) return t("moves.long", { n, said: moveText(ply, false) });
    const way = heading(shape, pit, ply.move);
    const number = numberOf(shape, pit);
    const said = t("moves.pit", {
      name: ply.seat === as ? t("you") : name(ply.seat),
      pit: way ? t(`say.pit.${way}`, { pit: number }) : number,
    });
    const took = captured(ply);
    const words = [took > 0 ? t("moves.captures", { said, n: took }) : said];
    if (claims(ply)) words.push(t("preview.claims"));
    return t("moves.long", { n, said: listed(t, words) });
  }

  /** Returns the clock in words: "5 minutes + 3 s for each turn". */
  function clock() {
    const [, base, kind, inc] = snap.clockText.match(/^([\d.]+)([+d/])(.*)$/) ?? [];
    if (!base) return t("clock.none");
    return t(kind === "+" ? "clock.fischer" : kind === "d" ? "clock.delay" : "clock.days", { n: base, seconds: inc });
  }

  /** Returns the end of the game or the round, as it is announced. */
  function ending() {
    const result = snap.state === "pause" ? snap.rounds?.at(-1) : snap.result;
    return [headline(result), reason(result, true)].filter(Boolean).join(" ");
  }

  const moves = { moveText, moveSentence, sowsAgain, nextText, turnText, lastMoveText, listEntry, written };
  return { ...called, ...moves, headline, offerText, reason, closeness, ending, clock };
}
