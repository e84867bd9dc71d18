// @ts-check
/**
 * The last announcement of a host, on every page of a tournament, until the reader hides it or it is
 * old.
 *
 * @typedef {import("./state.js").Announced} Announced
 */

import { write } from "../lib/dom.js";
import { western } from "../lib/text.js";

const shownFor = 30 * 60_000; // ms
const key = "announced"; // of the announcement that this browser has hidden

/**
 * Returns how many minutes old an announcement is, or -1: it is not shown.
 * @param {Announced | undefined} announced
 * @param {number} time by the server's clock
 * @param {number} hidden when the announcement was made that the reader has hidden
 */
export function ageOf(announced, time, hidden) {
  if (!announced || announced.at <= hidden) return -1;
  const age = Math.max(0, time - announced.at);
  return age < shownFor ? Math.floor(age / 60_000) : -1;
}

export class Announcement {
  #hidden = 0;
  #at = 0;

  /**
   * The element has its text with a place in data-says, a part with role=status for the text and a part
   * .age beside it, so that the age is not spoken each minute. A button hides it.
   * @param {HTMLElement | null} el
   * @param {string} room
   */
  constructor(el, room) {
    this.el = el;
    this.room = room;
    this.format = new Intl.RelativeTimeFormat(western(document.documentElement.lang), { numeric: "auto" });
    try {
      const [of, at] = (localStorage.getItem(key) ?? "").split(" ");
      if (of === room) this.#hidden = Number(at);
    } catch {
      // without storage, a page that is loaded again shows it again
    }
    el?.querySelector("button")?.addEventListener("click", () => this.#hide());
  }

  /** @param {Announced | undefined} announced @param {number} time by the server's clock */
  draw(announced, time) {
    const { el } = this;
    if (!el) return;
    const age = ageOf(announced, time, this.#hidden);
    this.#at = announced?.at ?? 0;
    el.classList.toggle("told", age >= 0);
    const says = el.dataset.says ?? "{text}";
    const said = /** @type {Element} */ (el.querySelector("[role=status]"));
    write(said, age < 0 ? "" : says.replace("{text}", () => announced?.text ?? ""));
    write(/** @type {Element} */ (el.querySelector(".age")), age < 0 ? "" : this.format.format(-age, "minute"));
  }

  #hide() {
    this.#hidden = this.#at;
    try {
      localStorage.setItem(key, `${this.room} ${this.#at}`);
    } catch {
      // it stays hidden on this page
    }
    this.draw(undefined, 0);
  }
}
