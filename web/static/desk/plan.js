// @ts-check
/**
 * The preview of the next round. The server proposes the pairings and says which of the host's break a
 * rule; a tap on a player swaps them with another one. Nothing is sent to the room before the host
 * starts the round.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./pairs.js").Pairing} Pairing
 * @typedef {{seq: number, round: number, pairings: Pairing[] | null, breaches?: {pairing: Pairing, reason: string}[],
 *   outlook?: {last: number, certain: boolean}, code?: string, msg?: string}} Answer
 */

import { lastRound, takesPart } from "../event/state.js";
import { find, write } from "../lib/dom.js";
import { listed } from "../lib/text.js";
import { inTurn } from "./inturn.js";
import { basis, boardOf, opponentOf, same, swap } from "./pairs.js";
import { appear, button, Rows } from "./rows.js";
import { missed } from "./summary.js";

export class Plan {
  /** @type {Answer | null} the proposal of the server */
  #answer = null;
  /** @type {Pairing[]} with the host's changes */
  #pairings = [];
  /** @type {Map<string, string>} the reason for which a pairing breaks a rule */
  #breaches = new Map();
  #basis = ""; // the basis of the proposal (pairs.js)
  #asking = ""; // the basis of the question that is on its way
  #asked = 0; // counts questions and changes, since an answer may come late
  #wanted = 0; // the latest question for pairings
  #swapping = 0; // the player whom the host swaps
  #section = find("#plan");
  #told = /** @type {HTMLElement} */ (this.#section.querySelector("output"));
  #dialog = /** @type {HTMLDialogElement} */ (find("#swap"));

  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.rows = new Rows(find("#plan-rows"), {
      key: (/** @type {{n: number, pair: Pairing}} */ row) => row.n,
      make: () => this.#make(),
      draw: (row, item) => this.#row(row, item),
    });
    this.#section.addEventListener("click", (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest("button");
      if (b) void this.#do(b);
    });
    find("#swap-rows").addEventListener("click", (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest("button");
      if (b) this.#swap(Number(b.dataset.other));
    });
    find("#swap-find").addEventListener("input", () => this.#choices());
  }

  /** Asks for the pairings of the next round and shows them. */
  open() {
    this.#wanted = ++this.#asked;
    return this.#ask();
  }

  #ask = inTurn(async () => {
    const asked = this.#wanted;
    if (asked !== this.#asked) return; // the host has closed the preview or changed pairings
    const { desk } = this;
    this.#asking = basis(desk.state());
    const answer = await desk.orders.post(`/t/${desk.room}/plan`, {}, find("#now-told"), { get: true });
    const from = this.#asking;
    this.#asking = "";
    if (answer && asked === this.#asked) this.#show(answer, from);
  });

  /** @param {Answer} answer @param {string} from its basis */
  #show(answer, from) {
    const opens = this.#section.hidden;
    [this.#answer, this.#pairings, this.#basis] = [answer, answer.pairings ?? [], from];
    this.#told.textContent = "";
    this.#section.hidden = false;
    this.#judge(answer.breaches ?? []);
    if (opens) find("#plan-heading").focus();
  }

  /** @param {{pairing: Pairing, reason: string}[]} breaches */
  #judge(breaches) {
    this.#breaches = new Map(breaches.map(({ pairing, reason }) => [String(pairing), reason]));
    this.draw();
  }

  /** @param {HTMLElement} b */
  async #do(b) {
    const { desk } = this;
    const { settings, rounds } = desk.state();
    const fewer = { kind: "settings", settings: { ...settings, rounds: Number(b.dataset.rounds) } };
    switch (b.dataset.plan) {
      case "again":
        return this.open();
      case "close":
        return this.#close();
      case "fewer":
        if (!(await desk.orders.send(fewer, this.#told))) this.#answer?.code ? this.#close() : await this.open();
        return;
      case "finish":
        return void (await desk.orders.send({ kind: "finish" }, this.#told));
      case "start":
        return this.#start(rounds.length + 1);
      case "swap":
        this.#swapping = Number(b.dataset.player);
        write(find("#swap-name"), desk.t("swap.with", { name: desk.name(this.#swapping) }));
        /** @type {HTMLInputElement} */ (find("#swap-find")).value = "";
        this.#choices();
        this.#dialog.showModal();
    }
  }

  #close() {
    this.#asked++;
    this.#answer = null;
    appear(this.#section, false, /** @type {HTMLElement | null} */ (find("#now-actions").querySelector("button")));
  }

  /** @param {number} round */
  async #start(round) {
    /** @type {import("./orders.js").Order} */
    const order = { kind: "start", round };
    const proposed = this.#answer?.pairings ?? [];
    if (this.#answer?.code || !same(this.#pairings, proposed)) order.pairings = this.#pairings;
    const err = await this.desk.orders.send(order, this.#told);
    if (!err && this.desk.state().rounds.length >= round) this.#close();
  }

  /** Lists the players with whom the chosen one can be swapped. */
  #choices() {
    const { t, name } = this.desk;
    const one = this.#swapping;
    const wanted = /** @type {HTMLInputElement} */ (find("#swap-find")).value.trim().toLocaleLowerCase();
    const partner = opponentOf(this.#pairings, one);
    const others = this.#pairings.flat().filter((n) => n !== 0 && n !== one);
    const fitting = others.filter((n) => name(n).toLocaleLowerCase().includes(wanted)).slice(0, 200);
    fitting.sort((a, b) => Number(b === partner) - Number(a === partner));
    find("#swap-rows").replaceChildren(
      ...fitting.map((other) => {
        const li = document.createElement("li");
        const board = boardOf(this.#pairings, other);
        const bye = opponentOf(this.#pairings, other) === 0;
        const text = other === partner ? "swap.order" : bye ? "swap.bye" : "swap.board";
        li.append(button(t(text, { name: name(other), board }), { other }));
        return li;
      }),
    );
  }

  /** @param {number} other */
  #swap(other) {
    this.#dialog.close();
    const one = this.#swapping;
    this.#pairings = swap(this.#pairings, one, other);
    this.draw();
    /** @type {HTMLElement | null} */ (this.#section.querySelector(`[data-player="${one}"]`))?.focus();
    void this.#check();
  }

  /** Asks which of the host's pairings break a rule. */
  async #check() {
    const asked = ++this.#asked;
    const { desk } = this;
    const plan = { pairings: this.#pairings };
    const answer = await desk.orders.post(`/t/${desk.room}/plan`, plan, this.#told, { json: true });
    if (answer && asked === this.#asked) this.#judge(answer.breaches ?? []);
  }

  draw() {
    const answer = this.#answer;
    const { desk } = this;
    const { t } = desk;
    const state = desk.state();
    if (!answer || this.#section.hidden) return;
    if (answer.round !== state.rounds.length + 1 || state.stage === "over")
      return this.#close(); // another host was faster
    const proposed = answer.pairings ?? [];
    const changed = !same(this.#pairings, proposed);
    const now = basis(state);
    const stale = now !== this.#basis;
    if (stale && !changed) {
      if (now !== this.#asking) void this.open();
      return;
    }
    write(find("#plan-heading"), t("plan.heading", { round: answer.round }));
    write(find("[data-plan=start]"), t("plan.start", { round: answer.round }));
    find("#plan-help").hidden = state.settings.format !== "swiss"; // other formats cannot be changed
    this.rows.show(this.#pairings.map((pair, i) => ({ n: i + 1, pair })));
    this.#warnings(answer, stale);
    const byes = state.players.filter((p) => takesPart(p) && p.byes?.[answer.round]);
    const names = listed(t, byes.map((p) => desk.name(p.n)), "and");
    write(find("#plan-byes"), byes.length ? t("plan.byes", { names }) : "");
  }

  /** @param {Answer} answer @param {boolean} stale */
  #warnings({ round, outlook, code, msg }, stale) {
    const { t } = this.desk;
    const texts = [];
    if (stale) texts.push(t("plan.stale"));
    if (code) texts.push(t("plan.stuck", { round, why: msg ?? "" }));
    if (outlook) {
      const { last, certain } = outlook;
      texts.push(t(certain ? "plan.ends" : "plan.may-end", { last, round: last + 1 }));
    }
    if (this.#breaches.size > 0) texts.push(t("plan.breaches", { n: this.#breaches.size }));
    find("#plan-warnings").replaceChildren(
      ...texts.map((text) => Object.assign(document.createElement("p"), { className: "notice", textContent: text })),
    );
    const ways = [];
    const last = code ? round - 1 : (outlook?.last ?? 0);
    if ((code || outlook) && last > 0) ways.push(button(t("plan.fewer", { n: last }), { plan: "fewer", rounds: last }));
    if (code) ways.push(button(t("step.finish"), { plan: "finish" }));
    const list = find("#plan-ways");
    if (list.childElementCount !== ways.length || !list.contains(document.activeElement)) list.replaceChildren(...ways);
  }

  #make() {
    const row = document.createElement("li");
    row.innerHTML = `<span class="figure number"></span><span class="sides"></span><small class="problem"></small>`;
    row.querySelector(".sides")?.append(button("", { plan: "swap" }), " – ", button("", { plan: "swap" }));
    return row;
  }

  /** @param {HTMLElement} row @param {{n: number, pair: Pairing}} item */
  #row(row, { n, pair }) {
    const { t, name, state } = this.desk;
    row.dataset.plan = String(n);
    write(/** @type {Element} */ (row.querySelector(".number")), String(n));
    const fixed = state().settings.format !== "swiss";
    row.querySelectorAll("button").forEach((b, i) => {
      const player = pair[i];
      b.dataset.player = String(player);
      b.disabled = fixed || player === 0;
      write(b, player === 0 ? t("bye") : name(player));
      if (player === 0) b.removeAttribute("aria-label");
      else b.setAttribute("aria-label", t("swap.label", { name: name(player) }));
    });
    const reason = this.#breaches.get(String(pair));
    const round = state().rounds.length;
    const stayedAway = pair.filter((player) => missed(lastRound(state()), player));
    const texts = stayedAway.map((player) => t("plan.missed", { name: name(player), round }));
    if (reason) texts.unshift(t(`breach.${reason}`));
    write(/** @type {Element} */ (row.querySelector(".problem")), texts.join(" "));
  }
}
