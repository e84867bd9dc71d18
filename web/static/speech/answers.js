// @ts-check
/**
 * Answers to a player's questions: what a move would do, and the replies to the keys for board,
 * score, clocks, last move and playable pits. Pure.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("../model/preview.js").Preview} Preview
 * @typedef {import("../model/trace.js").Board} Board
 * @typedef {ReturnType<typeof import("./words.js").speaker>} Speaker
 */

import { listed } from "../lib/text.js";
import { parts, remaining } from "../model/clock.js";
import { heading, numberOf, sideOf } from "../model/shape.js";
import { ownOf } from "../model/state.js";
import { gift } from "./refusals.js";

/** @param {T} t @param {Preview} preview @returns {string} a few words beside the board, or "" */
export function bubble(t, { laps, takes, claims, blocks, again, gives }) {
  const words = [
    laps > 1 && t("bubble.laps", { n: laps }),
    takes > 0 && t("bubble.takes", { n: takes }),
    claims && t("preview.claims"),
    blocks && t("preview.blocks"),
    again && t("bubble.again"),
    gives && t("bubble.gives"),
  ];
  return listed(t, words.filter((word) => typeof word === "string"));
}

/** @param {Game} game @param {Speaker} words */
export function answers(game, words) {
  const { snap, as, you } = game;
  const own = ownOf(game);
  const { t, shape, mine, list, place } = words;

  /** Says what a move of this player would do. @param {number} pit @param {Preview} p */
  function previewText(pit, p) {
    const number = numberOf(shape, pit);
    const way = heading(shape, pit, p.move);
    const what = t(`preview.pit${way && `.${way}`}`, { pit: number });
    if (p.last === null) return t("preview.whole", { what, does: t("preview.passes") });
    if (p.gives) return t("preview.whole", { what, does: t("preview.gives", { place: place([p.last], mine) }) });
    const does = [];
    if (p.laps > 1) does.push(t("preview.laps", { n: p.laps }));
    // after many laps it does not matter which empty pit it is
    const nowhere = p.laps > 1 && p.takes === 0 && p.empty;
    does.push(
      t("preview.ends", { place: nowhere ? t("place.empty.some") : place([p.last], mine, p.empty ? "empty" : "pit") }),
    );
    if (p.took.length > 0) does.push(words.taking(p.took, p.last, mine, "preview.takes"));
    else if (p.takes > 0) does.push(t("preview.takes.some", { n: p.takes }));
    if (p.claims) does.push(t("preview.claims"));
    if (p.unhouses) does.push(t("preview.unhouses"));
    if (p.blocks) does.push(t("preview.blocks"));
    if (p.lost.length > 0) does.push(words.losing(p.lost));
    const then = p.end
      ? t(snap.target > 0 ? "preview.round" : "preview.end")
      : p.again
        ? snap.turn === own
          ? t("preview.again")
          : t("say.again.other", { name: words.name(snap.turn) })
        : "";
    return [t("preview.whole", { what, does: list(does) }), then].filter(Boolean).join(" ");
  }

  /** Says the whole board, side by side, beginning with the listener's. @param {Board} board */
  function boardText({ pits, stores, marks = {} }) {
    const first = Math.max(0, mine);
    return Array.from({ length: shape.sides }, (_, k) => (first + k) % shape.sides)
      .map((side) => {
        const who = side === mine ? "your" : "other";
        const said = pits.map((n, pit) => {
          if (marks[pit] === "x") return t("board.claimed");
          return [n, marks[pit]?.includes("h") && t("pit.house"), marks[pit]?.includes("!") && t("pit.blocked")]
            .filter((word) => word !== undefined && word !== false)
            .join(" ");
        });
        const own = said.slice(side * shape.pits, (side + 1) * shape.pits);
        const [outer, inner] = [own.slice(0, shape.cols), own.slice(shape.cols).reverse()];
        const values = { name: words.sideName(side), n: stores[side] };
        const line = (/** @type {string} */ row, /** @type {(number | string)[]} */ seeds) =>
          t(`board.${row}.${who}`, { ...values, seeds: listed(t, seeds) });
        const rows = inner.length > 0 ? [line("outer", outer), line("inner", inner)] : [line("row", outer)];
        const kept = words.hands(pits) ? words.store(side, stores[side], pits) : t(`board.store.${who}`, values);
        return [...rows, kept].join(" ");
      })
      .join(" ");
  }

  /** Says something of each player, beginning with the listener. @param {(seat: number) => string} of */
  function each(of) {
    const seats = Array.from({ length: words.seats }, (_, k) => (Math.max(0, as) + k) % words.seats);
    return t("say.whole", {
      words: listed(
        t,
        seats.map((seat) => t("say.has", { name: seat === own ? t("you") : words.name(seat), what: of(seat) })),
      ),
    });
  }

  function score() {
    const points =
      shape.sides === 2
        ? words.standing()
        : each((seat) => String(snap.stores[sideOf(shape, seat)]));
    if (snap.target === 0) return points;
    const first = Math.max(0, mine);
    return [points, t("say.match", { a: snap.gains[first], b: snap.gains[1 - first], target: snap.target })].join(" ");
  }

  /** @param {number} now by the server's clock */
  function clocks(now) {
    if (snap.clockText === "none" || snap.clock.length === 0) return t("say.no-clock");
    return each((seat) => {
      const { days, hours, minutes, seconds } = parts(remaining(snap, seat, now));
      if (days > 0) return t("clock.days-left", { days, hours });
      return hours + minutes > 0
        ? t("say.minutes", { n: 60 * hours + minutes, seconds })
        : t("say.seconds-left", { n: seconds });
    });
  }

  /** Says which pits can be played now. */
  function playable() {
    if (snap.state === "waiting" || snap.state === "over" || snap.turn !== as || !you?.legal) return words.turnText();
    const gives = gift(t, game, words);
    if (gives) return gives;
    const moves = you.legal.filter(({ m }) => m !== "keep" && m !== "swap").map(({ m }) => words.short(m, as));
    return moves.length === 0 ? words.turnText() : t("say.playable", { moves: list(moves, "or") });
  }

  /** Says what a move did. @param {import("./words.js").Ply | null | undefined} ply that led to the position shown */
  function lastMove(ply) {
    return ply ? words.moveText(ply, ply === snap.last && words.sowsAgain()) : t("say.nothing-yet");
  }

  /**
   * Says which moves the listener missed: "Ben played 2, 3 and 1".
   * @param {{seat: number, move: string}[]} plies
   */
  function missed(plies) {
    /** @type {{seat: number, moves: string[]}[]} */
    const turns = [];
    for (const { seat, move } of plies) {
      const last = turns[turns.length - 1];
      if (last?.seat === seat) last.moves.push(words.short(move, seat));
      else turns.push({ seat, moves: [words.short(move, seat)] });
    }
    const played = turns.map(({ seat, moves }) =>
      t(seat === own ? "say.played.you" : "say.played.other", { name: words.name(seat), move: list(moves) }),
    );
    return t("say.meanwhile", { played: list(played) });
  }

  return { previewText, boardText, score, clocks, playable, lastMove, missed };
}
