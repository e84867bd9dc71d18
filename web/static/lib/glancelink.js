// @ts-check
/**
 * A link that follows games beside its room, for pages with small boards.
 *
 * @typedef {import("./socket.js").Frame} Frame
 */

import { Link } from "./socket.js";

const again = 1_000; // ms until a game is followed again whose room has moved, half as much or more

export class GlanceLink extends Link {
  /** @type {Map<string, (frame: Frame) => void>} the functions that show the games, by room */
  #shows = new Map();

  /**
   * Follows a game as a watcher, until told to stop.
   * @param {string} room
   * @param {((frame: Frame) => void) | null} show gets the game's frames; null: stop following
   */
  glance(room, show) {
    if (!show) {
      this.#shows.delete(room);
      return this.send({ t: "unsub", room });
    }
    this.#shows.set(room, show);
    this.follow({ room, glance: true });
  }

  others() {
    return [...super.others(), ...[...this.#shows.keys()].map((room) => ({ room, glance: true }))];
  }

  /** @param {Frame} frame */
  receive(frame) {
    const { t, room = "", code } = frame;
    const show = this.#shows.get(room);
    if (!show) super.receive(frame);
    else if (t === "gone" || (t === "err" && code !== "no-room"))
      setTimeout(() => this.#shows.has(room) && this.follow({ room, glance: true }), again * (0.5 + Math.random()));
    else show(frame);
  }
}
