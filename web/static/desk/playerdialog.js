// @ts-check
/**
 * The dialog in which a host acts on one player.
 *
 * @typedef {import("./desk.js").Desk} Desk
 */

import { inWaves } from "../event/state.js";
import { find, write } from "../lib/dom.js";
import { playerState } from "./players.js";
import { button } from "./rows.js";

export class PlayerDialog {
  #n = 0; // number of the player
  #dialog = /** @type {HTMLDialogElement} */ (find("#player"));
  #told = /** @type {HTMLElement} */ (this.#dialog.querySelector("output"));
  #acts = "";
  #others = "";

  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    find("#player-acts").addEventListener("click", (e) => {
      const kind = /** @type {HTMLElement} */ (e.target).closest("button")?.dataset.kind;
      if (kind) void this.#send(kind);
    });
    this.#dialog.addEventListener("submit", (e) => {
      const form = /** @type {HTMLFormElement} */ (e.target);
      if (form.method === "dialog") return;
      e.preventDefault();
      void this.#submit(form, /** @type {SubmitEvent} */ (e).submitter);
    });
  }

  /**
   * Sends an order about the player. If it is accepted, the dialog closes, so that the bar to take it back is in view.
   * @param {string} kind
   */
  async #send(kind) {
    if (!(await this.desk.orders.send({ kind, player: this.#player.id }, this.#told))) this.#dialog.close();
  }

  get #player() {
    return this.desk.state().players[this.#n - 1];
  }

  /** @param {number} n */
  open(n) {
    this.#n = n;
    this.#told.textContent = "";
    this.#acts = this.#others = "";
    const { name } = this.#fields("#rename");
    name.value = this.desk.name(n);
    this.draw();
    this.#dialog.showModal();
  }

  /** @param {string} form @returns {Record<string, HTMLInputElement>} */
  #fields(form) {
    return /** @type {any} */ (/** @type {HTMLFormElement} */ (find(form)).elements);
  }

  /** @param {HTMLFormElement} form @param {HTMLElement | null} by */
  async #submit(form, by) {
    const { orders, room, names, t } = this.desk;
    const fields = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
    if (form.id === "byes") {
      const bye = /** @type {HTMLButtonElement} */ (by).value;
      const order = { kind: "bye", player: this.#player.id, round: Number(fields.round), bye };
      return void (await orders.send(order, this.#told, t("told.done")));
    }
    const n = this.#n;
    const done = await orders.post(`/t/${room}/players/${n}`, fields, this.#told, { done: t("told.done") });
    if (done) await names(1);
  }

  draw() {
    if (this.#n === 0) return;
    const { desk } = this;
    const { t } = desk;
    const state = desk.state();
    const p = this.#player;
    if (!p || p.id === "") return this.#dialog.close();
    write(find("#player-name"), desk.name(p.n));
    write(find("#player-state"), playerState(desk, p));
    const kinds = playerActs(state, p);
    if (String(kinds) !== this.#acts) {
      this.#acts = String(kinds);
      const list = find("#player-acts");
      const focused = list.contains(document.activeElement);
      list.replaceChildren(...kinds.map((kind) => button(t(`player.${kind}`), { kind })));
      if (focused) /** @type {HTMLElement | null} */ (list.querySelector("button"))?.focus();
    }
    this.#byes();
    this.#replaces();
  }

  /** Offers the rounds in which the player can have a bye. */
  #byes() {
    const { t, state } = this.desk;
    const { settings, rounds, stage } = state();
    const form = find("#byes");
    form.hidden = settings.format !== "swiss" || stage === "over" || rounds.length >= (settings.rounds ?? 0);
    const select = this.#fields("#byes").round;
    const first = rounds.length + 1;
    const count = Math.max(0, (settings.rounds ?? 0) - rounds.length);
    const { byes = {} } = this.#player;
    const texts = Array.from({ length: count }, (_, i) => {
      const kind = byes[first + i];
      return t("round.n", { round: first + i }) + (kind ? ` – ${t(`bye.is.${kind}`)}` : "");
    });
    fill(/** @type {any} */ (select), texts.map((text, i) => [String(first + i), text]));
  }

  /**
   * Offers the people who can take the player's place: they have entered and not played. Before the start,
   * the list leaves out the players without devices: each has a place.
   */
  #replaces() {
    const { state, name } = this.desk;
    const { players, rounds, stage } = state();
    const played = new Set(rounds.flat().flatMap((b) => [b.first, b.second]));
    const others = players.filter(
      (p) => p.id !== "" && p.n !== this.#n && !(p.paper && stage === "entry") && !played.has(p.n),
    );
    find("#replace").hidden = stage === "over" || others.length === 0;
    const key = others.map((p) => p.n + name(p.n)).join();
    if (key === this.#others) return;
    this.#others = key;
    const options = others.map((p) => /** @type {[string, string]} */ ([String(p.n), `${p.n} ${name(p.n)}`]));
    fill(/** @type {any} */ (this.#fields("#replace").other), [["", ""], ...options]); // the host must choose
  }
}

/**
 * Fills a list of choices, and keeps what was chosen.
 * @param {HTMLSelectElement} select
 * @param {[value: string, text: string][]} options
 */
export function fill(select, options) {
  const chosen = select.value;
  const same =
    select.options.length === options.length &&
    options.every(([value, text], i) => select.options[i].value === value && select.options[i].text === text);
  if (same) return;
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

/**
 * Returns the orders about a player that the server accepts. A round robin and a knockout that have started have no
 * place for a player who was out at the start: a substitute only gets the place of another player.
 * @param {import("../event/state.js").State} state
 * @param {import("../event/state.js").Player} p
 * @returns {string[]}
 */
export function playerActs(state, p) {
  const { stage, settings, start = [] } = state;
  if (stage === "over") return [];
  const paired = stage === "entry" || settings.format === "swiss" || inWaves(state) || start.includes(p.n);
  if (p.out) return paired ? ["return"] : [];
  return stage === "entry" && !p.here && !p.paper ? ["here", "leave"] : ["leave"];
}
