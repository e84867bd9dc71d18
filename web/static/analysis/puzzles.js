// @ts-check
/**
 * The mistakes of a game as puzzles on the board: players look for better moves than their own.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("./findings.js").Puzzle} Puzzle
 */

import { find } from "../lib/dom.js";
import { judge, puzzles } from "./findings.js";

/** @param {string} action */
const button = (action) => find(`#retry [data-action=${action}]`);

export class PuzzlePanel {
  /** @type {Puzzle[]} */
  #list = [];
  #n = -1; // the current puzzle; -1: none
  #open = true; // it has not been solved yet
  #first = true; // no wrong answer has been given yet
  #found = 0;
  /** @type {import("./findings.js").Findings | null} */
  #findings = null;

  /**
   * @param {T} t
   * @param {{name: (seat: number) => string, short: (move: string) => string, go: (at: number) => void,
   *   say: (text: string) => void, enter: () => void}} wiring go: shows the position after the given number of
   *   plies; enter: puts the focus on the board
   */
  constructor(t, wiring) {
    this.t = t;
    this.wiring = wiring;
    const whose = /** @type {HTMLSelectElement} */ (find("#whose"));
    whose.addEventListener("change", () => this.#choose(Number(whose.value)));
    button("retry").addEventListener("click", () => this.#begin());
    button("skip").addEventListener("click", () => this.#next());
    button("reveal").addEventListener("click", () => this.#reveal());
    button("stop").addEventListener("click", () => this.#end());
  }

  /** Reports whether a puzzle waits for an answer. */
  get asks() {
    return this.#n >= 0 && this.#open;
  }

  /** Returns the number of plies before the position of the puzzle; -1: none waits. */
  get place() {
    return this.asks ? this.#list[this.#n].at : -1;
  }

  /**
   * @param {import("./findings.js").Findings} findings
   * @param {number[]} seats
   * @param {number} own the viewer's seat, or -1
   */
  of(findings, seats, own) {
    this.#findings = findings;
    const whose = /** @type {HTMLSelectElement} */ (find("#whose"));
    whose.replaceChildren(
      ...seats.map((seat) => new Option(this.wiring.name(seat), String(seat), false, seat === Math.max(0, own))),
    );
    find("#retry").hidden = false;
    this.#choose(Math.max(0, own));
  }

  /** @param {number} whose */
  #choose(whose) {
    if (!this.#findings) return;
    this.#list = puzzles(this.#findings, (seat) => seat === whose);
    this.#n = -1;
    this.#buttons();
    find("#puzzle").textContent =
      this.#list.length > 0 ? this.t("retry.ready", { n: this.#list.length }) : this.t("retry.none");
  }

  #begin() {
    this.#found = 0;
    this.#n = -1;
    this.#next();
    this.wiring.enter(); // the focused button is gone
  }

  #next() {
    if (this.#n + 1 >= this.#list.length) return this.#end();
    this.#n++;
    [this.#open, this.#first] = [true, true];
    const { at: ply, seat, move } = this.#list[this.#n];
    this.wiring.go(ply);
    const values = {
      n: this.#n + 1,
      of: this.#list.length,
      name: this.wiring.name(seat),
      pit: this.wiring.short(move),
    };
    this.#tell(this.t("retry.find", values));
  }

  #end() {
    const over = this.#n >= 0;
    const told = this.t("retry.done", { n: this.#found, of: this.#list.length });
    this.#n = -1;
    this.#tell(over ? told : "");
    button("retry").focus();
  }

  #reveal() {
    this.#open = false;
    this.#tell(this.t("retry.answer", { pit: this.wiring.short(this.#list[this.#n].best) }));
    button("skip").focus();
  }

  /**
   * Judges a move that the viewer tries.
   * @param {string} move
   * @returns {boolean} whether the move is made on the board
   */
  answer(move) {
    const verdict = judge(this.#list[this.#n], move);
    const pit = this.wiring.short(move);
    if (verdict?.found) {
      this.#open = false;
      if (this.#first) this.#found++;
      this.#tell(this.t("retry.found", { pit }));
    } else {
      this.#first = false;
      this.#tell(this.t("retry.not", { pit, n: verdict?.cost ?? 1 }));
    }
    return verdict?.found === true;
  }

  /** @param {string} text */
  #tell(text) {
    find("#puzzle").textContent = text;
    this.#buttons();
    this.wiring.say(text);
  }

  #buttons() {
    const doing = this.#n >= 0;
    button("retry").hidden = doing || this.#list.length === 0;
    find("#whose").hidden = doing;
    button("reveal").hidden = !this.asks;
    button("skip").hidden = !doing;
    button("stop").hidden = !doing;
  }
}
