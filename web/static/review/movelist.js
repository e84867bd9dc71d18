// @ts-check
/**
 * The list of moves beside a board. The move that is shown is marked in it.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("./review.js").Review} Review
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { find } from "../lib/dom.js";
import { turns } from "../model/history.js";
import { RoundChoice } from "./roundchoice.js";

export class MoveList {
  #key = ""; // the key of the list on the page; the key of the same list with more moves begins with it
  #place = ""; // the place that is marked in it
  #seen = false; // the list is in view
  #behind = false; // the list must be scrolled when it comes into view: a hidden list cannot be scrolled

  /** @param {T} t @param {Review} review */
  constructor(t, review) {
    this.t = t;
    this.review = review;
    this.rounds = new RoundChoice(t, review);
    find("#moves").addEventListener("click", (e) => {
      const button = /** @type {HTMLElement} */ (e.target).closest("[data-at]");
      if (button) review.go(Number(button.getAttribute("data-at")));
    });
    new IntersectionObserver((entries) => {
      const { isIntersecting, boundingClientRect } = entries[entries.length - 1];
      this.#seen = isIntersecting;
      if (boundingClientRect.height === 0) this.#behind = true; // a browser may forget where a hidden list was
      else if (this.#seen && this.#behind) this.#scroll();
    }).observe(find("#moves"));
  }

  /** @param {Speaker} words */
  draw(words) {
    const { now, place, length, inPast } = this.review;
    this.#drawList(words);
    const stands = [this.#key, place.n, now].join();
    if (stands === this.#place) return;
    this.#place = stands;
    this.rounds.draw();
    const list = find("#moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    list.querySelector(`[data-at="${now}"]`)?.setAttribute("aria-current", "step");
    // Measured after the frame, so that measuring causes no layout of its own.
    if (this.#seen) requestAnimationFrame(() => setTimeout(() => this.#scroll()));
    else this.#behind = true;
    find("#at").textContent = this.t("moves.at", this.review.counted);
    find("#moves-panel").classList.toggle("empty", length === 0);
    const ply = inPast && now > 0 ? place.round?.plies[now - 1] : null;
    find("#said").textContent = ply ? words.moveText(ply, false) : "";
  }

  /** Scrolls the list to the move that is shown. */
  #scroll() {
    this.#behind = false;
    const list = find("#moves");
    const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
    if (!current) return;
    const from = list.getBoundingClientRect().top + list.clientHeight / 2;
    list.scrollTop += current.getBoundingClientRect().top - from;
  }

  /**
   * Adds the moves that have come, or makes the list again if it is another one. The keyboard focus stays in it.
   * @param {Speaker} words
   */
  #drawList(words) {
    const { place, count } = this.review;
    const { round } = place;
    const plies = round?.plies ?? [];
    const key = [count, place.n, words.naming, ...plies.map((p) => p.move), ""].join("|");
    if (key === this.#key) return;
    const goesOn = this.#key !== "" && key.startsWith(this.#key);
    this.#key = key;
    const list = find("#moves");
    const focused = list.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.at
      : undefined;
    // The last turn may have gone on.
    const kept = goesOn ? Math.max(0, list.children.length - 1) : 0;
    while (list.children.length > kept) list.lastElementChild?.remove();
    list.append(
      ...(round ? turns(round) : []).slice(kept).map((turn) => {
        const item = document.createElement("li");
        item.dataset.seat = String(turn.seat);
        item.value = turn.number;
        for (const { at: n, ply } of turn.plies) {
          const more = n < turn.plies[turn.plies.length - 1].at ? "+" : "";
          const button = press(n, words.written(ply) + more);
          button.title = words.listEntry(turn.number, ply);
          button.setAttribute("aria-label", button.title);
          item.append(button);
        }
        return item;
      }),
    );
    if (focused !== undefined)
      /** @type {HTMLElement | null} */ (list.querySelector(`[data-at="${focused}"]`))?.focus();
  }
}

/** @param {number} at plies before the position @param {string} text */
function press(at, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.at = String(at);
  button.textContent = text;
  return button;
}
