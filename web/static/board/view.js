// @ts-check
/**
 * A game as the board shows it to a viewer who only looks. Pure.
 *
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 * @typedef {import("../model/trace.js").Board & {ply: import("../model/state.js").Ply | null,
 *   counted: {n: number, of: number}}} Past
 *   ply: the move that led there
 */

import { sideOf } from "../model/shape.js";

/**
 * @param {import("../lib/text.js").T} t
 * @param {Game} game
 * @param {Speaker} words
 * @param {{conn: string, moving: import("../model/trace.js").Board | null,
 *   past?: Past | null}} how conn: state of the connection; moving: the position shown during a move; past: an
 *   earlier position that is shown
 * @returns {import("./board.js").View}
 */
export function viewOf(t, game, words, { conn, moving, past = null }) {
  const { snap, as } = game;
  const { pits, stores, marks } = moving ?? past ?? snap;
  return {
    variant: snap.rules,
    state: snap.state === "pause" ? "over" : snap.state,
    turn: snap.turn,
    ply: snap.ply,
    as,
    conn,
    shape: words.shape,
    bottom: as < 0 ? 0 : sideOf(words.shape, as),
    pits,
    stores,
    marks,
    choices: new Map(),
    label: words.board(),
    moving: moving !== null,
    naming: words.naming,
    rowName: words.row,
    pitName: (pit, seeds, playable) => words.pit(pit, seeds, playable, false, marks ?? {}),
    storeName: (side, seeds) => words.store(side, seeds, pits),
    storeLabel: words.hands(pits) ? t("hand") : "",
    told: () => {
      if (snap.state === "waiting") return ["", ""];
      if (past) return [t("moves.past", past.counted), words.lastMoveText(past.ply)];
      return [snap.state === "over" ? t("turn.over") : words.turnText(), words.lastMoveText()];
    },
    wayName: (way) => nameOf(t, way, words.shape.rows),
  };
}

/**
 * Returns the name of a direction. With two rows, right and left depend on the row.
 * @param {import("../lib/text.js").T} t
 * @param {string | undefined} way undefined: the name of the choice
 * @param {number} rows
 */
function nameOf(t, way, rows) {
  if (way === undefined) return t("way");
  const right = way[0] === ">";
  const name = t(rows === 2 ? (right ? "way.ccw" : "way.cw") : right ? "way.right" : "way.left");
  return way.endsWith("*") ? t("way.house", { way: name }) : name;
}
