// @ts-check
/**
 * Hints in a game against bots: the best move, as a ring on the board and as a sentence. The server
 * finds it.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../speech/words.js").Ply} Ply
 */

import { ask } from "../lib/api.js";
import { heading, numberOf, pitOf, sideOf } from "../model/shape.js";
import { refusal } from "../speech/refusals.js";

/**
 * Returns the sentence of a hint.
 * @param {T} t
 * @param {ReturnType<typeof import("../speech/words.js").speaker>} words
 * @param {number} as
 * @param {string} move
 * @param {string} does what the move would do, or ""
 */
export function hintWords(t, words, as, move, does) {
  const pit = pitOf(words.shape, sideOf(words.shape, as), move);
  if (pit === null) return t("hint.other", { move: t(`action.${move === "-" ? "pass" : move}`) });
  const way = heading(words.shape, pit, move);
  return [t(`hint.pit${way && `.${way}`}`, { pit: numberOf(words.shape, pit) }), does].filter(Boolean).join(" ");
}

export class Hints {
  /** @type {{ply: number, pit: number | null, said: string} | null} valid for one position */
  #hint = null;
  #asking = false;

  /**
   * @param {T} t
   * @param {{board: import("../board/board.js").MancalaBoard, now: () => import("./play.js").Now,
   *   does: (pit: number, move: string) => string, tell: (text: string) => void}} wiring
   *   does: tells what a move would do; tell: says and shows a text
   */
  constructor(t, wiring) {
    this.t = t;
    this.wiring = wiring;
  }

  async ask() {
    const { t, wiring } = this;
    const { room, snap } = wiring.now().game;
    if (this.#hint?.ply === snap.ply) return wiring.tell(this.#hint.said);
    if (this.#asking) return;
    this.#asking = true;
    wiring.tell(t("hint.asking"));
    const { ok, body } = await ask("POST", `/api/v1/games/${room}/hint`);
    this.#asking = false;
    const { game, words } = wiring.now();
    if (!ok)
      return wiring.tell(refusal(t, { code: "unavailable", ...body }, { name: t("opponent"), number: String }));
    if (body.ply !== game.snap.ply) return; // the game has gone on
    const pit = pitOf(words.shape, sideOf(words.shape, game.as), body.move);
    this.#hint = {
      ply: body.ply,
      pit,
      said: hintWords(t, words, game.as, body.move, pit === null ? "" : wiring.does(pit, body.move)),
    };
    wiring.tell(this.#hint.said);
  }

  /** Shows the ring, or removes it. */
  draw() {
    const { board, now } = this.wiring;
    const { game, inPast } = now();
    if (this.#hint && (this.#hint.ply !== game.snap.ply || game.snap.state === "over")) this.#hint = null;
    const pit = inPast ? null : (this.#hint?.pit ?? null);
    for (const cell of board.querySelectorAll("[data-pit]"))
      cell.toggleAttribute("data-hint", cell.getAttribute("data-pit") === String(pit));
  }
}
