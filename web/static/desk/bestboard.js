// @ts-check
/**
 * The board of a game that is being played, on the projector. The server draws it as on the page of
 * live games, and this module writes the numbers.
 */

import { write } from "../lib/dom.js";
import { inLanguage } from "../lib/language.js";
import { remaining, timeText } from "../model/clock.js";
import { shownAt } from "../model/trace.js";

export class BestBoard {
  #room = "";

  /** @param {HTMLElement} place @param {import("./glances.js").Glances} glances */
  constructor(place, glances) {
    this.place = place;
    this.glances = glances;
    setInterval(() => this.#tick(), 1_000);
  }

  /** Shows a game, or none. @param {string} room */
  async show(room) {
    if (room === this.#room) return;
    this.#room = room;
    this.place.replaceChildren();
    if (!room) return;
    const text = await fetch(inLanguage(`/${room}/card`)).then((r) => (r.ok ? r.text() : ""), () => "");
    const card = text && new DOMParser().parseFromString(text, "text/html").querySelector("[data-game]");
    if (!card || room !== this.#room) return;
    this.place.replaceChildren(card);
    this.draw();
  }

  draw() {
    const snap = this.glances.game(this.#room)?.snap;
    if (!snap) return;
    for (const number of this.place.querySelectorAll("[data-at]")) {
      write(number, String(shownAt(snap, number.getAttribute("data-at") ?? "")));
    }
    for (const score of /** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll("[data-score]")))
      write(score, String(snap.stores[Number(score.dataset.score) % snap.stores.length]));
    this.place
      .querySelectorAll(".of")
      .forEach((row, seat) => row.toggleAttribute("data-turn", snap.state === "live" && seat === snap.turn));
  }

  #tick() {
    const game = this.glances.game(this.#room);
    if (!game?.snap.clock) return;
    const snap = { ...game.snap, outage: game.outage };
    for (const time of /** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll("[data-time]")))
      write(time, timeText(remaining(snap, Number(time.dataset.time), Date.now() + game.ahead)));
  }
}
