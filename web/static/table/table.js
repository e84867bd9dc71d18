// @ts-check
/**
 * Everything around the board: names with mark, score and clock, the status line, the live regions,
 * the title of the tab.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { element, find, show, write } from "../lib/dom.js";
import { gameName } from "../lib/text.js";
import { retitle } from "../lib/title.js";
import { pageViewOf } from "../model/actions.js";
import { lowAt, parts, remaining, timeText } from "../model/clock.js";
import { sideOf } from "../model/shape.js";
import { ownOf } from "../model/state.js";
import { play } from "../sound/sound.js";

export class Table {
  /** @type {((game: Game, now: number) => string) | null} the text about the deadline of a tournament's game */
  firstMove = null;
  /** @type {Game | null} */
  #game = null;
  #title = document.title;
  #warned = Infinity; // ms on the player's clock at the last warning
  #timer = 0;
  /** @type {{here: number, begun: boolean} | null} the state that the viewer saw when the tab was last visible */
  #seen = null;
  /** @type {Set<number>} seats whose players have lost their connection */
  #away = new Set();

  /** @param {T} t @param {(text: string) => void} shout says a text at once */
  constructor(t, shout) {
    this.t = t;
    this.shout = shout;
    document.addEventListener("visibilitychange", () => this.#game && retitle(this.#titleOf(this.#game)));
  }

  /**
   * @param {Game} game
   * @param {Speaker} words
   * @param {number} bottom the side at the bottom
   * @param {number[]} scores by side, as the board shows them
   */
  draw(game, words, bottom, scores) {
    this.#game = game;
    const { snap } = game;
    const own = ownOf(game);
    find("#game").dataset.view = document.body.dataset.view = pageViewOf(game);
    const live = snap.state === "live" || snap.state === "setup";
    const sitters = this.#sitters(game, words, bottom);
    for (let seat = 0; seat < words.seats; seat++) {
      const strip = find(`.seat[data-seat="${seat}"]`) ?? document.importNode(this.#newStrip(seat), true);
      const side = sideOf(words.shape, seat);
      const place = find(`.seats[data-place=${side === bottom ? "bottom" : "top"}]`);
      if (strip.parentElement !== place) place.append(strip);
      // as the players sit: left, across, right
      strip.style.order = String(words.shape.sides === 4 ? (bottom - side + 4) % 4 : 0);
      const left = snap.left?.includes(seat) ?? false;
      const onTurn = live && snap.turn === seat;
      strip.classList.toggle("on-turn", onTurn); // a rule for data-turn would style the board again, which has it too
      Object.assign(strip.dataset, {
        turn: onTurn ? "1" : "0",
        here: this.#away.has(seat) || left ? "0" : "1",
        side: String(side),
      });
      const sits = sitters[seat];
      const name = (sits && game.names[sits]) ?? words.name(seat);
      this.#drawFace(/** @type {HTMLElement} */ (strip.querySelector(".face")), snap.seats[seat] ?? sits ?? "");
      const key = seat === own ? "seat.you" : left ? "seat.left" : this.#away.has(seat) && live ? "seat.away" : "";
      this.#writeName(/** @type {HTMLElement} */ (strip.querySelector(".name")), name, key);
      write(/** @type {Element} */ (strip.querySelector(".rating")), game.ratings[snap.seats[seat]] ?? "");
      write(/** @type {Element} */ (strip.querySelector(".score")), String(scores[side]));
    }
    for (const strip of document.querySelectorAll(".seat"))
      if (Number(/** @type {HTMLElement} */ (strip).dataset.seat) >= words.seats) strip.remove();
    this.#drawMatch(game, words);
    retitle(this.#titleOf(game));
    this.tick();
  }

  /**
   * Returns the players beside the board before seats are drawn, by seat: the visitor's will be at the bottom.
   * @param {Game} game
   * @param {Speaker} words
   * @param {number} bottom
   */
  #sitters({ snap }, words, bottom) {
    /** @type {string[]} */
    const by = [];
    if (snap.seats.length > 0) return by;
    const own = (/** @type {number} */ seat) => Number(sideOf(words.shape, seat) === bottom);
    const order = Array.from({ length: words.seats }, (_, seat) => seat).sort((a, b) => own(a) - own(b));
    snap.sitters.forEach((player, i) => (by[order[i]] = player));
    return by;
  }

  /**
   * Shows the face of a player who has arrived. The page came with those of the others.
   * @param {HTMLElement} el
   * @param {string} of
   */
  #drawFace(el, of) {
    if (el.dataset.of === of) return;
    el.dataset.of = of;
    el.replaceChildren(...(of ? [element("img", { src: `/face/${of}`, alt: "" })] : []));
  }

  /**
   * Writes a name and what is said about the player. Where both do not fit, the name is cut; that
   * the player is away is always visible.
   * @param {HTMLElement} el
   * @param {string} name
   * @param {string} key
   */
  #writeName(el, name, key) {
    const [before, after] = key === "" ? ["", ""] : this.t(key, { name: "\n" }).split("\n");
    if (el.textContent === before + name + after) return;
    const called = document.createElement("bdi");
    called.textContent = name;
    const said = document.createElement("span");
    said.textContent = after;
    el.replaceChildren(before, called, said);
  }

  /** Writes what is played, below the name of the game. @param {Game} game @param {Speaker} words */
  #drawMatch({ snap }, { mine }) {
    const own = Math.max(0, mine);
    const match =
      snap.target > 0
        ? this.t("match.score", { round: snap.round, a: snap.gains[own], b: snap.gains[1 - own], target: snap.target })
        : "";
    const assists =
      snap.state === "waiting" || snap.assists === undefined
        ? ""
        : this.t(snap.rated ? "header.rated" : snap.assists ? "header.assists" : "header.plain");
    write(
      find("#match"),
      [match, snap.options ? this.t("header.rules") : "", match ? "" : assists].filter(Boolean).join(" · "),
    );
  }

  /** Returns the title of the tab. It calls a viewer who looks at another tab. @param {Game} game */
  #titleOf(game) {
    const { snap, names, me } = game;
    const as = ownOf(game);
    const here = snap.sitters.filter((player) => player !== me);
    const begun = snap.state !== "waiting";
    if (!document.hidden || this.#seen === null) this.#seen = { here: here.length, begun };
    const title = gameName(this.t, snap);
    if (snap.state === "over") return this.t("title.over", { title });
    if (snap.turn === as && begun && snap.state !== "pause") return this.t("title.your-turn", { title });
    if (as >= 0 && begun && !this.#seen.begun) return this.t("title.begun", { title });
    if (!begun && here.length > this.#seen.here)
      return this.t("title.arrived", { name: names[here[here.length - 1]] ?? this.t("opponent"), title });
    return this.#title;
  }

  /** Makes a strip for a seat that the page did not have: the rules were changed. @param {number} seat */
  #newStrip(seat) {
    const strip = /** @type {HTMLElement} */ (find(".seat").cloneNode(true));
    strip.dataset.seat = String(seat);
    /** @type {HTMLElement} */ (strip.querySelector(".mark")).textContent = ["●", "◆", "▲", "■"][seat];
    /** @type {HTMLElement} */ (strip.querySelector("[data-clock]")).dataset.clock = String(seat);
    return strip;
  }

  /** Shows the clocks, and again when a digit changes. */
  tick() {
    clearTimeout(this.#timer);
    const game = this.#game;
    if (!game || game.outage) return;
    const { snap } = game;
    const now = Date.now() + game.ahead;
    let next = Infinity;
    const low = lowAt(snap.clockText);
    for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-clock]"))) {
      const seat = Number(el.dataset.clock);
      const ms = remaining(snap, seat, now);
      show(el, snap.clockText !== "none");
      el.dataset.ms = String(ms);
      write(el, snap.clock?.length ? this.#timeText(ms) : ""); // an empty clock already has its place
      const runs = snap.state !== "over" && seat === snap.turn && snap.run > 0 && !snap.outage;
      el.classList.toggle("runs", runs);
      el.classList.toggle("long", (el.textContent ?? "").length > 8);
      if (runs && ms <= low && ms > 0 && seat === game.as && !el.classList.contains("low")) play("low");
      el.classList.toggle("low", runs && ms <= low);
      if (runs && ms > 0) next = Math.min(next, now < snap.run ? snap.run - now : ms < 10_100 ? 100 : (ms % 1000) + 1);
      if (runs && seat === game.as) this.#warn(ms);
    }
    const due = this.#drawDeadline(game, now);
    if (due > 0) next = Math.min(next, (due % 1000) + 1);
    if (next < Infinity) this.#timer = window.setTimeout(() => this.tick(), Math.min(next, 60_000));
  }

  /**
   * Shows the time until the server's deadline, beside the status.
   * @param {Game} game
   * @param {number} now
   * @returns {number} ms, 0 without a deadline
   */
  #drawDeadline(game, now) {
    const { snap, as } = game;
    const gone = snap.countdown;
    const until = gone ? gone.until : snap.due;
    const el = find("#due");
    const ms = until ? until - now : 0;
    const key = gone
      ? "due.gone"
      : snap.phase === "setup"
        ? "due.setup"
        : snap.phase === "swap"
          ? "due.swap"
          : snap.state === "pause"
            ? "due.pause"
            : snap.clockText === "none"
              ? "due.idle"
              : "due.first";
    show(el, ms > 0 && snap.state !== "waiting" && snap.state !== "over" && (!gone || (as >= 0 && gone.seat !== as)));
    const said = this.firstMove?.(game, now);
    const values = { n: Math.ceil(ms / 1000), time: this.#timeText(Math.max(10_000, ms)) };
    if (!el.hidden) write(el, said || this.t(key, values));
    return Math.max(0, ms);
  }

  /** @param {number} ms */
  #timeText(ms) {
    const p = parts(ms);
    return p.days > 0 ? this.t("clock.days-left", { days: p.days, hours: p.hours }) : timeText(ms);
  }

  /** Warns that the player's time runs out, once at each mark. @param {number} ms */
  #warn(ms) {
    for (const mark of [10_000, 30_000]) {
      if (ms <= mark && this.#warned > mark) {
        if (this.#warned < Infinity || ms > mark - 1500) this.shout(this.t("clock.warn", { n: mark / 1000 }));
        break;
      }
    }
    this.#warned = ms;
  }

  /** @param {number} seat @param {boolean} here */
  presence(seat, here) {
    if (here) this.#away.delete(seat);
    else this.#away.add(seat);
  }

  /**
   * Forgets the seats without a connection: a subscription begins, and the server names again those that still have
   * none.
   */
  forgetAway() {
    this.#away.clear();
  }

  /** Returns the seats of other players who have lost their connection. @param {number} as */
  away(as) {
    return [...this.#away].filter((seat) => seat >= 0 && seat !== as);
  }

  /** Writes the status line. @param {string} text @param {boolean} [news] */
  status(text, news = false) {
    find("#line").toggleAttribute("data-news", news); // an offer must not cover news
    write(find("#status"), text);
  }
}
