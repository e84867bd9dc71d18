// @ts-check
/**
 * The board of a game that is being played, on the projector. The server draws it as on the page of
 * live games, and this module writes the numbers.
 */

import { textOf } from "../lib/language.js";
import { drawCard, drawTimes } from "../watch/card.js";

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
    const text = await textOf(`/${room}/card`);
    const card = text && new DOMParser().parseFromString(text, "text/html").querySelector("[data-game]");
    if (!card || room !== this.#room) return;
    this.place.replaceChildren(card);
    this.draw();
  }

  draw() {
    const game = this.glances.game(this.#room);
    if (game) drawCard(this.place, game.snap);
  }

  #tick() {
    const game = this.glances.game(this.#room);
    if (game) drawTimes(this.place, game);
  }
}
