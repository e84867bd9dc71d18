// @ts-check
/**
 * Games on small boards: the list under /watch, and the one game of the home page. The server draws
 * them, and a link leads to each. This module updates the numbers and replaces finished games.
 * Nothing moves, and no card under the pointer or the focus is replaced.
 *
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("../model/state.js").Frame} Frame
 * @typedef {import("./cards.js").Card & {element: HTMLElement, game: Game | null}} Shown
 */

import { write } from "../lib/dom.js";
import { held } from "../lib/attention.js";
import { textOf } from "../lib/language.js";
import { GlanceLink } from "../lib/glancelink.js";
import { translator } from "../lib/text.js";
import { fold, open } from "../model/state.js";
import { drawCard, drawTimes } from "./card.js";
import { changes, needsGames } from "./cards.js";

const interval = 2_000; // ms between two looks at the cards
const askPause = 10_000; // ms between two questions to the server, at least

export class SmallBoards {
  /** @type {Shown[]} */
  #cards = [];
  #asked = -Infinity;
  #busy = false;

  /**
   * @param {HTMLElement} list
   * @param {GlanceLink} [link] the page's socket, if there is one
   * @param {() => Promise<string[]>} [games] returns the games to show, best first; without it, the server is asked
   */
  constructor(list, link, games) {
    this.list = list;
    this.games = games ?? (() => this.#liveGames());
    this.most = Number(list.dataset.most);
    this.t = translator(
      JSON.parse(document.querySelector("#watch-texts")?.textContent ?? "{}"),
      document.documentElement.lang,
    );
    this.link =
      link ??
      new GlanceLink({
        path: "/ws?watch",
        room: "",
        onFrame: () => {},
      });
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-game]")))
      this.#cards.push(this.#show(element));
    document
      .querySelector("form.filter select")
      ?.addEventListener("change", (e) => /** @type {HTMLSelectElement} */ (e.target).form?.requestSubmit());
    setInterval(() => void this.#look(), interval);
    setInterval(() => this.#tick(), 1_000);
  }

  /** @param {HTMLElement} element @returns {Shown} */
  #show(element) {
    /** @type {Shown} */
    const card = { element, room: element.dataset.game ?? "", game: null };
    if (element.hasAttribute("data-over")) card.over = -Infinity;
    else this.link.glance(card.room, (frame) => this.#receive(card, frame));
    return card;
  }

  /** @param {Shown} card @param {Frame} frame */
  #receive(card, frame) {
    const now = Date.now();
    if (frame.t === "err") return this.#over(card, performance.now()); // the game no longer exists
    if (frame.t === "snap") card.game = open(frame, now, card.game);
    else if (card.game) {
      const next = fold(card.game, frame, now);
      if (next.resync) return this.link.glance(card.room, (f) => this.#receive(card, f));
      card.game = next.game;
    }
    this.#draw(card);
  }

  /** @param {Shown} card */
  #draw(card) {
    const { element, game, over } = card;
    if (!game || over !== undefined) return;
    const { ply, state } = game.snap;
    drawCard(element, game.snap);
    const said = element.querySelector(".said");
    if (said && ply > 0) write(said, this.t("ply", { n: ply }));
    if (state === "over") this.#over(card, performance.now());
  }

  /** Writes the time that each player has left. */
  #tick() {
    for (const { element, game, over } of this.#cards) if (game && over === undefined) drawTimes(element, game);
  }

  /** @param {Shown} card @param {number} now */
  #over(card, now) {
    card.over ??= now;
    card.element.setAttribute("data-over", "");
    const said = card.element.querySelector(".said");
    if (said) write(said, this.t("over"));
    this.link.glance(card.room, null);
  }

  /** @param {Shown} card */
  #held({ element }) {
    return held(element, this.list);
  }

  /** Replaces the cards that can be replaced. */
  async #look() {
    const now = performance.now();
    if (this.#busy || document.hidden || now - this.#asked < askPause || !needsGames(this.#cards, this.most, now))
      return;
    this.#busy = true;
    this.#asked = now;
    const live = await this.games();
    const { replace, add } = changes(this.#cards, live, this.most, now, (card) =>
      this.#held(/** @type {Shown} */ (card)),
    );
    for (const { at, room } of replace) await this.#place(room, this.#cards[at]);
    for (const room of add) await this.#place(room);
    this.#busy = false;
  }

  /** Returns the games that are being played, best first. @returns {Promise<string[]>} */
  async #liveGames() {
    const system = this.list.dataset.playing;
    const answer = await textOf(`/api/v1/games?live${system ? `&rules=${system}` : ""}`);
    return answer ? JSON.parse(answer).games.map((/** @type {{room: string}} */ g) => g.room) : [];
  }

  /** Shows a game in the place of another, or at the end. @param {string} room @param {Shown} [old] */
  async #place(room, old) {
    const text = await textOf(`/${room}/card`);
    const element = /** @type {HTMLElement | null} */ (
      text && new DOMParser().parseFromString(text, "text/html").querySelector("[data-game]")
    );
    if (!element || element.hasAttribute("data-over") || (old && this.#held(old))) return;
    element.classList.add("fresh");
    if (old) old.element.replaceWith(element);
    else this.list.append(element);
    document.querySelector("#nothing")?.classList.add("away");
    const card = this.#show(element);
    if (old) this.#cards[this.#cards.indexOf(old)] = card;
    else this.#cards.push(card);
  }
}
