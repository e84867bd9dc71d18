// @ts-check
/**
 * Everything that is said about a game: names of pits, what a move did, whose
 * turn it is, how it ended. Pure: text comes from the catalog, facts from the
 * server's traces. Positions are said from the listener's side: his own things
 * are "your", the mover's are "his".
 *
 * @typedef {import("./text.js").T} T
 * @typedef {import("./state.js").Game} Game
 * @typedef {import("./state.js").Snap} Snap
 * @typedef {import("./trace.js").Board} Board
 * @typedef {import("./trace.js").Slot} Slot
 * @typedef {{seat: number, move: string, trace: import("./trace.js").Step[]}} Ply
 */

import { digest, expand, total } from "./trace.js";
import { numberOf, option, ownerOf, pitOf, shapeOf, sideOf } from "./shape.js";
import { capital } from "./text.js";

/** @param {T} t @param {Game} game */
export function speaker(t, game) {
  const { snap, as } = game;
  const shape = shapeOf(snap);
  const mine = as < 0 ? -1 : sideOf(shape, as);
  const seats = shape.sides * shape.partners;
  const list = (/** @type {(string | number)[]} */ items) => new Intl.ListFormat(t.lang, { type: "conjunction" }).format(items.map(String));

  /** The name of a seat, also of one that nobody has taken. @param {number} seat */
  function name(seat) {
    if (snap.seats.length === 0) return t("seat.free"); // who sits where is drawn when all have come
    return game.names[snap.seats[seat]] ?? t("seat.empty", { n: seat + 1 });
  }

  /** The names of those who play on a side. @param {number} side */
  const sideName = (side) => list(Array.from({ length: shape.partners }, (_, k) => name(side + k * shape.sides)));

  /** "your pit 5", "his pits 2 and 3", "Ben's store". @param {Slot[]} slots of one side @param {number} mover side, or -1 @param {string} [kind] */
  function place(slots, mover, kind = "pit") {
    const store = typeof slots[0] === "string";
    const side = store ? Number(String(slots[0]).slice(1)) : ownerOf(shape, Number(slots[0]));
    const whose = side === mine ? "your" : side === mover ? "his" : "other";
    const many = slots.length > 1 ? "s" : "";
    return t(`place.${store ? "store" : kind + many}.${whose}`, {
      name: sideName(side),
      pit: store ? "" : list(slots.map((s) => numberOf(shape, Number(s)))),
    });
  }

  /** A pit as its button is called. @param {number} pit @param {number} seeds @param {boolean} playable @param {boolean} choosing */
  function pit(pit, seeds, playable, choosing) {
    const side = ownerOf(shape, pit);
    const words = [t(side === mine ? "pit.your" : "pit.other", { name: sideName(side), pit: numberOf(shape, pit) })];
    words.push(seeds === 0 ? t("pit.empty") : t("pit.seeds", { n: seeds }));
    if (side === mine && choosing && !playable) words.push(t("pit.not-playable"));
    return t("pit.whole", { words: words.join(", ") });
  }

  /** @param {number} side @param {number} seeds */
  const store = (side, seeds) => t(side === mine ? "store.your" : "store.other", { name: sideName(side), n: seeds });

  /** @param {number} side */
  const row = (side) => (side === mine ? t("row.your") : t("row.other", { name: sideName(side) }));

  const board = () =>
    as < 0 ? t("board.watch", { title: snap.title }) : t("board.play", { title: snap.title, side: t(`side.${shape.sides === 4 ? "four" : "two"}.${mine}`) });

  /** A move as people write it: "3", "3>", "+4". @param {string} move @param {number} seat */
  function short(move, seat) {
    const at = pitOf(shape, sideOf(shape, seat), move);
    if (at === null) return t(`move.${move.startsWith("=") ? "lay" : move === "-" ? "pass" : move}`);
    const way = move.endsWith(">") || move.endsWith("<") ? move.slice(-1) : "";
    return (move.startsWith("+") ? "+" : "") + numberOf(shape, at) + way;
  }

  /** "took 4 from your pit 5", or nothing. @param {import("./trace.js").Taken[]} took @param {Slot | null} last @param {number} mover side */
  function taking(took, last, mover) {
    const others = took.filter((x) => x.slot !== last);
    const from = others.length > 0 ? others : took;
    const n = total(from);
    if (n === 0) return "";
    /** @type {Map<number, Slot[]>} */
    const bySide = new Map();
    for (const { slot, n } of from) if (n > 0) bySide.set(ownerOf(shape, Number(slot)), [...(bySide.get(ownerOf(shape, Number(slot))) ?? []), slot]);
    return t("say.took", { n, from: list([...bySide.values()].map((slots) => place(slots, mover))) });
  }

  /**
   * What a ply did, without the score and whose turn it is now.
   * @param {Ply} ply
   * @param {boolean} again the same seat goes on
   */
  function did(ply, again) {
    const who = ply.seat === as ? "you" : "other";
    const values = { name: name(ply.seat) };
    const side = sideOf(shape, ply.seat);
    const d = digest(expand(ply.trace));
    if (d.laid > 0) return t(`say.laid.${who}`, { ...values, n: d.laid });
    if (ply.move === "keep" || ply.move === "swap") return t(`say.${ply.move}.${who}`, values);
    if (ply.move === "-") return t(`say.passed.${who}`, values);
    if (d.gave) return t(`say.gave.${who}`, { ...values, pit: numberOf(shape, Number(d.gave.from)), to: place([d.gave.to], side) });

    const at = pitOf(shape, side, ply.move);
    const way = ply.move.endsWith(">") ? "right" : ply.move.endsWith("<") ? "left" : "";
    const move = at === null ? ply.move : way ? t(`say.pit.${way}`, { pit: numberOf(shape, at) }) : numberOf(shape, at);
    const played = t(`say.played.${who}`, { ...values, move });
    const took = taking(d.took, d.last, side);
    const stored = typeof d.last === "string";
    if (d.laps > 1) {
      const words = [t("say.laps", { n: d.laps }), t("say.seeds", { n: d.sown })];
      const taken = d.took.some((x) => x.slot === d.last);
      words.push(t("say.ended", { place: place([d.last ?? 0], side, stored || (taken && option(snap.canonical, "capture") === "count") ? "pit" : "empty") }));
      if (took) words.push(shape.rows === 2 ? t("say.removed", { took }) : took);
      return t("say.relay", { played, words: words.join(", ") });
    }
    if (stored && again) return t("say.whole", { words: played }) + " " + t(`say.store.${who}`, values);
    const words = [played, t("say.sowed", { n: d.sown })];
    if (took) words.push(took);
    return t("say.whole", { words: words.join(", ") });
  }

  /** @param {number[]} scores by side @returns {string} the listener's first */
  function score(scores = snap.stores) {
    const first = Math.max(0, mine);
    const inOrder = [...scores.slice(first), ...scores.slice(0, first)];
    return inOrder.length === 2 ? t("score.two", { a: inOrder[0], b: inOrder[1] }) : inOrder.join(", ");
  }

  function turn() {
    if (snap.state === "pause") return t("turn.pause");
    if (snap.phase === "setup") return snap.turn === as ? t("turn.setup.you") : t("turn.setup.other", { name: name(snap.turn) });
    if (snap.phase === "swap") return snap.turn === as ? t("turn.swap.you") : t("turn.swap.other", { name: name(snap.turn) });
    return snap.turn === as ? t("turn.you") : t("turn.other", { name: name(snap.turn) });
  }

  /** The one sentence after a finished move. @param {Ply} ply @param {Board} before */
  function moved(ply, before) {
    const over = snap.state === "over" || snap.state === "pause";
    const again = !over && snap.turn === ply.seat && pitOf(shape, sideOf(shape, ply.seat), ply.move) !== null;
    const words = [did(ply, again)];
    if (over) return [...words, ending()].join(" ");
    const won = snap.stores.some((n, side) => n !== before.stores[side]);
    const stored = again && option(snap.canonical, "again")?.includes("store") && typeof digest(expand(ply.trace)).last === "string";
    if (stored) words.push(ply.seat === as ? t("say.again.you") : t("say.again.other", { name: name(ply.seat) }));
    else {
      if (won) words.push(t("say.score", { score: score() }));
      words.push(again ? (ply.seat === as ? t("say.again.you") : t("say.again.other", { name: name(ply.seat) })) : turn());
    }
    return words.join(" ");
  }

  /** "Ben 2, took 4": the last move in a few words. */
  function last() {
    const ply = snap.last;
    if (!ply) return "";
    const took = total(digest(expand(ply.trace)).took);
    const move = t("status.move", { name: ply.seat === as ? t("you") : name(ply.seat), move: short(ply.move, ply.seat) });
    return took > 0 ? t("status.took", { move, n: took }) : move;
  }

  /** Who won, of a round or of the whole. @param {import("./state.js").Result | undefined} result */
  function headline(result = snap.result) {
    if (!result) return "";
    if (result.winners.length === 0) return t("end.none");
    const mineWon = result.winners.includes(mine);
    if (result.winners.length > 1) return t(mineWon && as >= 0 ? "end.draw.you" : "end.draw", { names: list(result.winners.map(sideName)), score: score(result.scores) });
    const winner = result.winners[0];
    const scores = [result.scores[winner], ...result.scores.filter((_, side) => side !== winner)];
    const points = t(scores.length === 2 ? "score.two" : "score.more", { a: scores[0], b: scores.slice(1).join(", ") });
    // Who resigns may lead: then the score would contradict the sentence.
    const plain = scores[0] > Math.max(...scores.slice(1)) ? "" : ".plain";
    return t(`end.won.${mineWon ? "you" : "other"}${plain}`, { name: sideName(winner), score: points });
  }

  /** Why it is over. @param {import("./state.js").Result | undefined} result */
  function reason(result = snap.result) {
    if (!result) return "";
    const swept = snap.last ? digest(expand(snap.last.trace)).swept.filter((x) => x.n > 0) : [];
    const losers = Array.from({ length: shape.sides }, (_, side) => side).filter((side) => !result.winners.includes(side));
    if (result.reason === "side-empty" && swept.length > 0) {
      const keepers = new Set(swept.map((x) => ownerOf(shape, Number(x.slot))));
      const empty = Array.from({ length: shape.sides }, (_, side) => side).filter((side) => !keepers.has(side));
      if (shape.sides === 2 && empty.length === 1) {
        const keeper = 1 - empty[0];
        const to = swept[0].to === `s${keeper}` ? "keep" : "take";
        const who = empty[0] === mine ? "you" : keeper === mine ? "me" : "other";
        return t(`reason.side-empty.${to}.${who}`, { name: sideName(empty[0]), keeper: sideName(keeper), n: total(swept) });
      }
      if (empty.length > 0) return t(empty.length === 1 && empty[0] === mine ? "reason.side-empty.you" : "reason.side-empty", { name: list(empty.map(sideName)) });
    }
    const who = losers.includes(mine) && losers.length === 1 ? "you" : "other";
    const key = `reason.${result.reason}`;
    return t(t.has(`${key}.${who}`) ? `${key}.${who}` : key, { name: list(losers.map(sideName)) });
  }

  const ending = () => [headline(), reason()].filter(Boolean).join(" ");

  return { name, sideName, pit, store, row, board, short, did, moved, turn, last, score, headline, reason, ending, place, seats, shape, mine };
}

/**
 * A refusal in words: the catalog's sentence of its code, with pit numbers for
 * letters, else the server's own.
 * @param {T} t
 * @param {{code?: string, msg?: string, detail?: {pit?: number, legal?: string[], [more: string]: any}}} err
 * @param {{name: string, number: (move: string) => string}} words the opponent's name; a move as people write it
 */
export function refusal(t, { code = "", msg = "", detail = {} }, { name, number }) {
  const named = `refusal.${code}`;
  const key = t.has(named) ? named : `error.${code}`;
  if (!t.has(key)) return msg || t("error.other", { code });
  const legal = (detail?.legal ?? []).map(number);
  const choices = new Intl.ListFormat(t.lang, { type: "disjunction" }).format(legal);
  /** @type {Record<string, string | number>} */
  const values = { name, pit: detail?.pit ?? "", legal: choices, n: legal.length };
  for (const [k, v] of Object.entries(detail ?? {})) if (!(k in values)) values[k] = String(v);
  return capital(t(key, values), t.lang);
}
