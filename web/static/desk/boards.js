// @ts-check
/**
 * The boards of a round: the players, the state of each board, and the host's buttons.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("../event/state.js").Board} Board
 * @typedef {import("./glances.js").Glances} Glances
 */

import { covers, inWaves, running } from "../event/state.js";
import { find, write } from "../lib/dom.js";
import { timeText } from "../model/clock.js";
import { fill } from "./playerdialog.js";
import { appear, button, Rows } from "./rows.js";
import { absence, boardState, mark, stateOf } from "./summary.js";

const soon = 60_000; // ms before a player who has not moved loses

export class Boards {
  #round = 0; // the round that is shown; 0: the last one
  /** @type {Set<string>} rooms of the boards that are in view */
  #inView = new Set();
  #seen = new IntersectionObserver((entries) => this.#scrolled(entries), { rootMargin: "100px" });

  /** @param {Desk} desk @param {import("./boarddialog.js").BoardDialog} dialog @param {Glances} glances */
  constructor(desk, dialog, glances) {
    this.desk = desk;
    this.glances = glances;
    this.rows = new Rows(find("#board-rows"), {
      key: (/** @type {Board} */ b) => b.n,
      make: () => this.#make(),
      draw: (row, b) => this.#draw(row, b),
    });
    find("#board-rows").addEventListener("click", (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest("button");
      const row = /** @type {HTMLElement | null} */ (b?.closest("[data-pairing]"));
      if (row) dialog.open(this.#shownRound(), Number(row.dataset.pairing));
    });
    find("#which-round").addEventListener("change", (e) => {
      const n = Number(/** @type {HTMLSelectElement} */ (e.target).value);
      this.#round = n === this.desk.state().rounds.length ? 0 : n;
      this.draw();
    });
    find("#open-only").addEventListener("change", () => this.draw());
  }

  #shownRound() {
    const last = this.desk.state().rounds.length;
    return this.#round && this.#round <= last ? this.#round : last; // a round can be taken back
  }

  draw() {
    const { desk } = this;
    const { t } = desk;
    const state = desk.state();
    const section = find("#boards");
    appear(section, state.rounds.length > 0, find("#now-heading"));
    if (section.hidden) return;
    const round = this.#shownRound();
    const waves = inWaves(state);
    write(find("#boards-heading"), waves ? t("boards") : t("round.n", { round }));
    const which = /** @type {HTMLSelectElement} */ (find("#which-round"));
    fill(which, state.rounds.map((_, i) => [String(i + 1), t("round.n", { round: i + 1 })]));
    which.value = String(round);
    /** @type {HTMLElement} */ (which.parentElement).hidden = state.rounds.length < 2;
    const print = /** @type {HTMLAnchorElement} */ (find("#print-pairings"));
    print.search = `?round=${round}`;
    print.hidden = waves;
    const boards = state.rounds[round - 1] ?? [];
    const openOnly = /** @type {HTMLInputElement} */ (find("#open-only"));
    const some = boards.some((b) => b.result) && boards.some((b) => !b.result);
    /** @type {HTMLElement} */ (openOnly.parentElement).hidden = !some;
    const shown = boards.filter((b) => !some || !openOnly.checked || !b.result);
    this.rows.show(waves ? [...shown].reverse() : shown);
    this.#watch();
  }

  #make() {
    const row = document.createElement("li");
    row.innerHTML =
      `<span class="figure number"></span><span class="side one"><bdi></bdi></span>` +
      `<b class="figure score"></b><span class="side two"><bdi></bdi></span><span class="how"></span>` +
      `<span class="row-of does"><a class="button"></a></span>`;
    row.querySelector(".does")?.append(button("", { do: "open" }));
    this.#seen.observe(row);
    return row;
  }

  /** @param {HTMLElement} row @param {Board} b */
  #draw(row, b) {
    const { t, name } = this.desk;
    const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (row.querySelector(selector));
    row.dataset.pairing = String(b.n);
    const how = boardState(b);
    row.dataset.state = how;
    write(part(".number"), String(b.n));
    const [first, second] = [name(b.first), b.second ? name(b.second) : t("bye")];
    write(part(".one bdi"), first);
    write(part(".two bdi"), second);
    const watch = /** @type {HTMLAnchorElement} */ (part("a"));
    const room = [...(b.games ?? [])].reverse().find((g) => g.opened)?.room ?? "";
    watch.hidden = room === "";
    watch.href = `/${room}`;
    watch.target = "_blank";
    write(watch, t("act.see"));
    watch.setAttribute("aria-label", t("act.see.board", { board: b.n }));
    const act = part("button");
    act.hidden = how === "bye";
    const quick = how === "paper" || how === "void";
    act.classList.toggle("wanted", quick);
    write(act, quick ? t("result") : "⋯");
    act.setAttribute("aria-label", t(quick ? "result.board" : "more.board", { board: b.n, first, second }));
    this.#live(row, b);
  }

  /** Writes the parts of a row that change while a game is played. @param {HTMLElement} row @param {Board} b */
  #live(row, b) {
    const { t, name } = this.desk;
    const how = boardState(b);
    const game = running(b);
    const room = game?.room ?? "";
    const seat = game?.swapped ? 1 : 0;
    const [one, two] = [this.glances.score(room, seat), this.glances.score(room, 1 - seat)];
    const score = /** @type {HTMLElement} */ (row.querySelector(".score"));
    write(score, how === "bye" ? "" : mark(b.result));
    const absent = absence(b) ? t(`result.${b.result}`, { first: name(b.first), second: name(b.second ?? 0) }) : "";
    score.title = absent;
    const of = (/** @type {number} */ s) => name(s === seat ? b.first : (b.second ?? 0));
    const away = [...this.glances.away(room)].map(of);
    const late = this.glances.noMove(room);
    const round = this.desk.state().rounds.length;
    const waits = (this.desk.state().acts ?? []).some((a) => a.round === round && covers(a, b.n));
    const fresh = this.glances.state(room) === "fresh"; // a player who is away has not come yet
    const notCome = away.length > 1 ? t("board.nobody-come") : t("board.not-come", { name: away[0] });
    const begins = [
      away.length > 0 ? notCome : t("board.fresh"),
      late ? t("board.loses", { name: of(late.seat), time: timeText(Math.max(10_000, late.left)) }) : "",
      waits ? t("board.acts") : "",
    ];
    const goesOn = [
      absent || (how === "bye" ? "" : t(`board.${how === "running" ? stateOf(this.glances.state(room)) : how}`)),
      one === undefined ? "" : t("board.now", { one, two: two ?? 0 }),
      this.glances.clock(room),
      late ? t("board.no-move", { name: of(late.seat), time: timeText(Math.max(10_000, late.left)) }) : "",
      ...away.map((who) => t("board.away", { name: who })),
      b.byHost ? t("board.by-host") : "",
      b.seeds && how === "over" && !absent ? t("board.seeds", { n: Math.abs(b.seeds) }) : "",
      how === "running" && waits ? t("board.acts") : "",
    ];
    const texts = fresh ? begins : goesOn;
    write(/** @type {Element} */ (row.querySelector(".how")), texts.filter(Boolean).join(" · "));
    row.toggleAttribute("data-alert", how === "void" || (late ? late.left < soon : away.length > 0 && !fresh));
  }

  tick() {
    for (const b of this.desk.state().rounds[this.#shownRound() - 1] ?? []) {
      const row = boardState(b) === "running" && this.rows.row(b.n);
      if (row) this.#live(row, b);
    }
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #scrolled(entries) {
    for (const { target, isIntersecting } of entries) {
      const n = /** @type {HTMLElement} */ (target).dataset.pairing ?? "";
      if (isIntersecting) this.#inView.add(n);
      else this.#inView.delete(n);
    }
    this.#watch();
  }

  /** Looks at the games of the first boards in view. The other rows say no seeds, since these would be old. */
  #watch() {
    const boards = this.desk.state().rounds[this.#shownRound() - 1] ?? [];
    const rooms = boards.filter((b) => this.#inView.has(String(b.n))).map((b) => running(b)?.room ?? "");
    this.glances.watch(rooms.filter(Boolean));
    this.tick();
  }
}
