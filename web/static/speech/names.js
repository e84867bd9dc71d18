// @ts-check
/**
 * Names of players, pits, stores and moves. Pure. Everything is named from the listener's side: the
 * listener's things are "your", those of the player who moves are "their".
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("../model/trace.js").Slot} Slot
 */

import { gameName, listed, ofPartners } from "../lib/text.js";
import { numberOf, option, ownerOf, pitOf, shapeOf, sideOf, signOf, wayOf } from "../model/shape.js";
import { ownOf } from "../model/state.js";
import { total } from "../model/trace.js";

/** @param {T} texts @param {Game} game */
export function names(texts, game) {
  const { snap } = game;
  const as = ownOf(game);
  const shape = shapeOf(snap);
  const t = shape.partners > 1 ? ofPartners(texts) : texts;
  const mine = as < 0 ? -1 : sideOf(shape, as);
  const reserve = option(snap.canonical, "reserve") !== undefined;
  /**
   * Reports whether the stores hold the seeds in hand. After an end by the rules the pits are empty, and the stores
   * hold what is won.
   * @param {number[]} [pits] of the position that is shown
   */
  const hands = (pits = snap.pits) => reserve && pits.some((n) => n > 0);
  const inHand = hands();
  /** Reports whether the moves of a side enter a seed. @param {number} side */
  const enters = (side) => inHand && snap.stores[side] > 0;
  const seats = shape.sides * shape.partners;
  const list = (
    /** @type {(string | number)[]} */ items,
    /** @type {"and" | "or"} */ word = "and",
  ) => listed(t, items, word);

  /** Returns the name of a seat, also of an empty one. @param {number} seat */
  function name(seat) {
    if (snap.seats.length === 0) return t("seat.free"); // seats are drawn when all players have come
    return game.names[snap.seats[seat]] ?? t("seat.empty", { n: seat + 1 });
  }

  /** Returns the names of the players of a side. @param {number} side */
  const sideName = (side) => list(Array.from({ length: shape.partners }, (_, k) => name(side + k * shape.sides)));

  /**
   * Returns the name of pits or of a store: "your pit 5", "their pits 2 and 3", "Ben's store".
   * @param {Slot[]} slots of one side
   * @param {number} mover a side, or -1
   * @param {string} [kind]
   */
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

  /**
   * Returns the name of a pit's button.
   * @param {number} pit
   * @param {number} seeds
   * @param {boolean} playable
   * @param {boolean} choosing
   * @param {import("../model/trace.js").Marks} [marks]
   */
  function pit(pit, seeds, playable, choosing, marks = snap.marks ?? {}) {
    const side = ownerOf(shape, pit);
    const words = [t(side === mine ? "pit.your" : "pit.other", { name: sideName(side), pit: numberOf(shape, pit) })];
    const claimed = marks[pit] === "x" ? (side === mine ? "other" : mine < 0 ? "other" : "your") : "";
    if (claimed) words.push(t(`pit.claimed.${claimed}`, { name: sideName(1 - side) }));
    else words.push(seeds === 0 ? t("pit.empty") : t("pit.seeds", { n: seeds }));
    if (marks[pit]?.includes("h")) words.push(t("pit.house"));
    if (marks[pit]?.includes("!")) words.push(t("pit.blocked"));
    if (side === mine && choosing && !playable) words.push(t("pit.not-playable"));
    return t("pit.whole", { words: listed(t, words) });
  }

  /** @param {number} side @param {number} seeds @param {number[]} [pits] of the position that is shown */
  const store = (side, seeds, pits) =>
    t(`${hands(pits) ? "hand" : "store"}.${side === mine ? "your" : "other"}`, { name: sideName(side), n: seeds });

  /** @param {number} side */
  const row = (side) => (side === mine ? t("row.your") : t("row.other", { name: sideName(side) }));

  const board = () =>
    as < 0
      ? t("board.watch", { title: gameName(t, snap) })
      : t("board.play", { title: gameName(t, snap), side: t(`side.${shape.sides === 4 ? "four" : "two"}.${mine}`) });

  /** Returns a move as people write it: "3", "3>", "3>*", "+4". @param {string} move @param {number} seat */
  function short(move, seat) {
    const at = pitOf(shape, sideOf(shape, seat), move);
    if (at === null) return t(`move.${move.startsWith("=") ? "lay" : move === "-" ? "pass" : move}`);
    return (move.startsWith("+") ? "+" : "") + numberOf(shape, at) + signOf(shape, at, wayOf(move));
  }

  /**
   * Returns a phrase such as "took 4 from your pit 5", or "".
   * @param {import("../model/trace.js").Taken[]} took
   * @param {Slot | null} last
   * @param {number} mover side
   * @param {string} key
   * @param {string} [name] who wins them
   */
  function taking(took, last, mover, key, name = "") {
    const others = took.filter((x) => x.slot !== last);
    const from = others.length > 0 ? others : took;
    const n = total(from);
    if (n === 0) return "";
    /** @type {Map<number, Slot[]>} */
    const bySide = new Map();
    for (const { slot, n } of from)
      if (n > 0) bySide.set(ownerOf(shape, Number(slot)), [...(bySide.get(ownerOf(shape, Number(slot))) ?? []), slot]);
    return t(key, { name, n, from: list([...bySide.values()].map((slots) => place(slots, mover))) });
  }

  /**
   * Returns a phrase such as "4 for Ben from their pit 2": seeds that are won in passing, or in claimed pits.
   * @param {import("../model/trace.js").Taken[]} lost
   */
  const losing = (lost) =>
    listed(
      t,
      [...new Set(lost.map(({ to }) => to))].map((to) => {
        const winner = Number(String(to).slice(1));
        const key = winner === mine ? "say.won.you" : "say.won.other";
        return taking(lost.filter((x) => x.to === to), null, winner, key, sideName(winner));
      }),
    );

  /** @param {number[]} scores by side @returns {string} the listener's score first */
  function score(scores = snap.stores) {
    const first = Math.max(0, mine);
    const inOrder = [...scores.slice(first), ...scores.slice(0, first)];
    return inOrder.length === 2 ? t("score.two", { a: inOrder[0], b: inOrder[1] }) : listed(t, inOrder);
  }

  /** Returns the score as a sentence: "Score 4 to 2.", or the seeds in hand. */
  const standing = () =>
    inHand ? t("say.whole", { words: `${t("hand")} ${score()}` }) : t("say.score", { score: score() });

  const owns = option(snap.canonical, "captured") !== undefined; // captured seeds stay on the board
  /** A key that changes when pits have other names although their seeds and marks are the same. */
  const naming = [mine, ...Array.from({ length: seats }, (_, seat) => name(seat))].join();
  const own = { list, shape, mine, seats, t, hands, inHand, enters, owns, naming };
  return { name, sideName, place, pit, store, row, board, short, taking, losing, score, standing, ...own };
}
