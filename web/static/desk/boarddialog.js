// @ts-check
/**
 * The dialog about one board: the host sets or corrects the result, and acts on the game that is played.
 *
 * @typedef {import("./desk.js").Desk} Desk
 */

import { running } from "../event/state.js";
import { find, write } from "../lib/dom.js";
import { isConfirmed } from "../lib/secondtap.js";
import { button } from "./rows.js";
import { boardState, results, stateOf, takesResult } from "./summary.js";

const minute = 60_000;

export class BoardDialog {
  #round = 0;
  #n = 0;
  #dialog = /** @type {HTMLDialogElement} */ (find("#board"));
  #told = /** @type {HTMLElement} */ (this.#dialog.querySelector("output"));
  #form = /** @type {HTMLFormElement} */ (find("#result"));
  #reason = /** @type {HTMLInputElement} */ (find("#reason")); // of a result or an act
  #shown = "";

  /** @param {Desk} desk @param {import("./glances.js").Glances} glances */
  constructor(desk, glances) {
    this.desk = desk;
    this.glances = glances;
    this.#dialog.addEventListener("close", () => glances.pin(""));
    find("#board-acts").addEventListener("click", (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest("button");
      if (b) void this.#act(b);
    });
    this.#form.addEventListener("submit", (e) => {
      e.preventDefault();
      void this.#setResult();
    });
  }

  /** @param {number} round @param {number} n */
  open(round, n) {
    [this.#round, this.#n, this.#shown] = [round, n, ""];
    this.#told.textContent = "";
    this.#form.reset();
    this.#reason.value = "";
    this.glances.pin(running(this.#board)?.room ?? "");
    this.draw();
    this.#dialog.showModal();
    this.#focus();
  }

  /**
   * Focuses a choice or a button. The field for the reason stands first, is seldom used, and opens the keyboard of a
   * phone.
   */
  #focus() {
    const within = this.#form.hidden ? find("#board-acts") : this.#form;
    /** @type {HTMLElement | null} */
    const first = within.querySelector("input:checked") ?? within.querySelector("input, button");
    first?.focus();
  }

  tick() {
    if (this.#dialog.open) this.draw(); // the game may have been paused
  }

  get #board() {
    return this.desk.state().rounds[this.#round - 1]?.[this.#n - 1];
  }

  async #setResult() {
    const fields = new FormData(this.#form);
    const result = fields.get("result");
    if (!result) return;
    const order = { kind: "result", round: this.#round, board: this.#n, result, reason: this.#reason.value };
    const err = await this.desk.orders.send(order, this.#told);
    if (!err) this.#dialog.close();
  }

  /** @param {HTMLElement} b */
  async #act(b) {
    const { t, orders, state } = this.desk;
    const { act = "" } = b.dataset;
    if (act === "end" && !isConfirmed(b, t("arbiter.end.sure"))) return;
    /** @type {import("./orders.js").Order} */
    let order = { kind: "arbiter", act, round: this.#round, board: this.#n };
    // Everybody reads it, and players may be shown by their initials: it has no names.
    if (act === "nudge") order = { kind: "announce", text: t("nudge.text", { board: this.#n }) };
    if (act === "clear") order = { kind: "result", round: this.#round, board: this.#n, result: "" };
    if (act !== "nudge" && this.#reason.value) order.reason = this.#reason.value;
    if (act === "add") {
      order.ms = minute;
      order.player = state().players[Number(b.dataset.player) - 1].id;
    }
    if (await orders.send(order, this.#told, t("told.sent"))) return; // refused
    this.#reason.value = "";
    // Time is often added twice. After the end of a game the dialog asks for the result.
    if (act !== "add" && act !== "end") this.#dialog.close();
  }

  /**
   * Reports whether a player of an arena or a class has a later board.
   * @param {import("../event/state.js").Board} board
   */
  #pairedSince({ n, first, second }) {
    const rows = this.desk.state().rounds[this.#round - 1];
    return rows.some((b) => b.n > n && [b.first, b.second].some((player) => player === first || player === second));
  }

  draw() {
    const board = this.#board;
    if (!board) return;
    const { t, name, state } = this.desk;
    const [first, second] = [name(board.first), name(board.second ?? 0)];
    write(find("#board-name"), t("board.name", { board: board.n, first, second }));
    const how = boardState(board);
    const sets = takesResult(board);
    const game = running(board);
    const seen = this.glances.state(game?.room ?? "");
    const paused = how === "running" && (seen === "unseen" ? Boolean(game?.paused) : seen === "paused");
    const stage = paused ? "paused" : how === "running" ? stateOf(seen) : how;
    const words = board.result ? t(`result.${board.result}`, { first, second }) : t(`board.${stage}`);
    write(find("#board-state"), words);
    const timed = state().settings.clock.match(/^\d+[+d]/) !== null;
    const stands = paused ? "resume" : "pause";
    const acts = how === "running" ? [stands, ...(timed ? ["add", "add"] : []), "nudge", "end"] : [];
    if (how === "paper" || how === "opening") acts.push("nudge");
    const last = this.#round === state().rounds.length && state().stage === "running";
    if (board.byHost && last && !this.#pairedSince(board)) acts.push("clear");
    const shown = `${sets} ${acts} ${first} ${second} ${board.result}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const ended = sets && this.#form.hidden && this.#dialog.open;
    this.#form.hidden = !sets;
    /** @type {HTMLElement} */ (this.#reason.closest("p")).hidden = !sets && how !== "running";
    const knockout = state().settings.format === "knockout";
    find("#result-values").replaceChildren(
      ...results.filter((r) => !knockout || (r !== "draw" && r !== "neither")).map((value) => {
        const label = document.createElement("label");
        const input = Object.assign(document.createElement("input"), { type: "radio", name: "result", value });
        input.required = true;
        input.defaultChecked = input.checked = board.result === value;
        const text = document.createElement("span");
        text.textContent = t(`result.${value}`, { first, second });
        label.append(input, text);
        return label;
      }),
    );
    let adds = 0;
    find("#board-acts").replaceChildren(
      ...acts.map((act) => {
        if (act === "clear") return button(t("result.clear"), { act });
        if (act !== "add") return button(t(`arbiter.${act}`), { act });
        const player = [board.first, board.second ?? 0][adds++];
        return button(t("arbiter.add", { name: name(player) }), { act, player });
      }),
    );
    if (ended) {
      this.#told.textContent = "";
      this.#focus();
    }
  }
}
