// @ts-check
/**
 * The player's bar on the page of a tournament's game: the time of the next event, the way back, and
 * announcements. It takes the player to their next game by itself.
 *
 * @typedef {import("./follow.js").Way} Way
 */

import { find, write } from "../lib/dom.js";
import { textOf } from "../lib/language.js";
import { translator } from "../lib/text.js";
import { Announcement } from "./announcement.js";
import { FirstMove } from "./firstmove.js";
import { follow, gameOf, hostsResult, newsOf, stopped, until } from "./follow.js";
import { cameTo, goTo, hasCome } from "./go.js";
import { wait } from "./requests.js";
import { onDayShort } from "./numbersandtimes.js";

const day = 86_400_000; // ms
const look = 4_000; // ms for which the end of a game is shown before the next one

export class EventBar {
  #data = JSON.parse(document.querySelector("#event-way")?.textContent ?? "null");
  /** @type {Way | null} */
  #way = this.#data && { ...this.#data, ahead: this.#data.now - Date.now() };
  #overAt = 0;

  /**
   * @param {{room: string, playing: () => boolean, over: () => boolean, again: (room: string) => void,
   *   call: () => void, shout: (text: string) => void}} wiring
   *   playing: the viewer is in the middle of the game; over: the game is over
   */
  constructor(wiring) {
    this.t = translator(this.#data?.texts ?? {}, document.documentElement.lang);
    this.wiring = wiring;
    this.firstMove = new FirstMove(this.t, wiring.shout);
    if (!this.#way) return;
    this.announcement = new Announcement(document.querySelector("#announced"), this.#way.room);
    this.draw();
    setInterval(() => this.draw(), 1_000);
  }

  /** Returns the rooms that the page's socket follows for the bar. @returns {import("../lib/socket.js").Also[]} */
  get rooms() {
    return this.#way ? [{ room: this.#way.room, brief: true, since: () => this.#way?.seq }] : [];
  }

  /** Reports whether a frame is the tournament's. @param {import("./state.js").Frame} frame */
  receive(frame) {
    if (!this.#way || frame.room !== this.#way.room) return false;
    const before = this.#way;
    this.#way = follow(before, frame, Date.now());
    if (this.#way.seq === undefined && before.seq !== undefined) this.wiring.again(this.#way.room);
    if (this.#way !== before) this.draw();
    return true;
  }

  draw() {
    const way = this.#way;
    if (!way) return;
    const { t, wiring } = this;
    if (way.stage === "deleted") return this.#deleted();
    const now = Date.now();
    const over = wiring.over();
    if (over) this.#overAt ||= now;
    const game = gameOf(way);
    if (game === wiring.room) hasCome(game);
    const next = game !== wiring.room ? game : "";
    const link = /** @type {HTMLAnchorElement} */ (find("#event-next"));
    link.hidden = next === "";
    if (next) link.href = `/${next}`;
    const free = next === "" && over;
    write(find("#event-due"), next ? t("next") : this.#comes(way, free, now + way.ahead));
    this.#drawNews(way, free, now + way.ahead);
    this.announcement?.draw(way.announced, now + way.ahead);
    if (next && !cameTo(next) && !wiring.playing() && now - this.#overAt >= look)
      goTo(next, t("starts"), wiring.call);
  }

  /** Says that the tournament is deleted: nothing is left that the bar could name or lead to. */
  #deleted() {
    for (const link of document.querySelectorAll(".event-bar a, [data-action=to-event]")) link.remove();
    clearTimeout(this.#asks);
    write(find("#event-news"), "");
    this.announcement?.draw(undefined, 0);
    write(find("#event-due"), this.t("deleted"));
  }

  /**
   * Returns the time of the next event in words, or "".
   * @param {Way} way
   * @param {boolean} free the news may say that the pairing is stopped
   * @param {number} time by the server's clock
   */
  #comes(way, free, time) {
    const { stage, due, ends, days, round, waves } = way;
    const over = this.wiring.over();
    if (stage === "over") return this.t("over");
    if (stopped(way, time)) return free && newsOf(way, this.wiring.room, time) ? "" : this.t("stopped");
    if (waves) return ends > time ? this.t("ends", { time: until(ends - time) }) : "";
    if (due > time) return this.t("due", { n: round + 1, time: until(due - time) });
    return over || !days || stage !== "running" ? "" : this.#roundEnds(ends, time);
  }

  /** @param {number} ends @param {number} time by the server's clock */
  #roundEnds(ends, time) {
    if (ends <= time) return "";
    if (ends - time < day) return this.t("round.ends", { time: until(ends - time) });
    return this.t("round.until", { time: onDayShort(ends, time, this.t.lang) });
  }

  /**
   * Says what the player does next where no game calls them: they play at a real board, have the bye or
   * wait, or the tournament is over. The server writes it, as on the page of the tournament.
   * @param {Way} way
   * @param {boolean} free the game is over, and no other one is open
   * @param {number} time by the server's clock
   */
  #drawNews(way, free, time) {
    const asks = free ? newsOf(way, this.wiring.room, time) : "";
    const result = free ? hostsResult(way, this.wiring.room) : "";
    if (asks === this.#asked && result === this.#result) return;
    [this.#asked, this.#result] = [asks, result];
    write(find("#event-news"), this.#counts());
    clearTimeout(this.#asks);
    if (asks) this.#asks = window.setTimeout(() => this.#ask(way, asks), wait(way.players));
  }
  #asked = "";
  #asks = 0;
  #result = "";

  /** Returns the sentence about a host's result, where the game itself says that nobody won; "" without one. */
  #counts() {
    return this.#result && this.t(`counts.${this.#result}`);
  }

  /** @param {Way} way @param {string} asks */
  async #ask({ room, own, round, stage }, asks) {
    const text = await textOf(`/t/${room}`);
    const said = new DOMParser().parseFromString(text, "text/html").querySelector("#me-said")?.textContent ?? "";
    if (asks !== this.#asked) return; // something else has come
    const paper = stage === "running" && own?.paper && !own.result;
    const news = paper ? this.t("round", { n: round, said }) : said;
    write(find("#event-news"), [this.#counts(), news].filter(Boolean).join(" "));
  }
}
