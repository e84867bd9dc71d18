// @ts-check
/** Prepares the parts of the page that a game without a server needs before it is shown: faces, seats, rules. */

import { find } from "../lib/dom.js";
import { isBot } from "../model/bots.js";

/**
 * Prepares the page for the game of a frame. No face is fetched: the page has all of them.
 * @param {import("../lib/socket.js").Frame} frame
 */
export function seat({ snap, me = "" }) {
  const seats = /** @type {string[]} */ (snap.seats);
  seats.forEach((player, seat) => {
    const face = /** @type {HTMLElement} */ (strip(seat).querySelector(".face"));
    if (face.dataset.of === player) return;
    face.dataset.of = player;
    const [, level] = /^bot(\d+)/.exec(player) ?? [];
    const drawn = document.querySelector(
      level ? `#choose [data-level="${level}"] + .face` : `#faces [data-face="${player === me ? "me" : "other"}"]`,
    );
    face.replaceChildren(...(drawn ? [...drawn.children].map((child) => child.cloneNode(true)) : []));
  });
  find("#game").toggleAttribute("data-both", !seats.some(isBot));
  const lines = JSON.parse(find("#lines").textContent ?? "{}");
  find("#rules-text p").textContent = [lines[snap.rules], snap.options].filter(Boolean).join(" · ");
  const options = snap.options ? `?options=${encodeURIComponent(snap.options)}` : "";
  /** @type {HTMLAnchorElement} */ (find("#rules-page")).href = `/learn/${snap.rules}${options}`;
}

/**
 * Returns the place of a seat beside the board, which it makes if there is none; table/table.js moves it to its side.
 * @param {number} seat
 */
function strip(seat) {
  const known = document.querySelector(`.seat[data-seat="${seat}"]`);
  if (known) return /** @type {HTMLElement} */ (known);
  const first = find(".seat");
  const made = /** @type {HTMLElement} */ (first.cloneNode(true));
  made.dataset.seat = String(seat);
  /** @type {HTMLElement} */ (made.querySelector(".mark")).textContent = ["●", "◆", "▲", "■"][seat];
  /** @type {HTMLElement} */ (made.querySelector("[data-clock]")).dataset.clock = String(seat);
  /** @type {Element} */ (first.parentElement).append(made);
  return made;
}
