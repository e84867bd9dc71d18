// @ts-check
/**
 * The action bar and the open offers. The page already holds the buttons; this module decides which
 * of them show.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { find, show } from "../lib/dom.js";
import { possibleActions } from "../model/actions.js";

const confirmFor = 3_000; // ms in which the second tap counts
const choices = ["keep", "swap", "pass", "next", "claim", "claim-draw", "wait"]; // these hide everything else

export class ActionBar {
  /**
   * @type {{button: HTMLElement, label: string, timer: number} | null} a button that waits for its
   *   second tap
   */
  #armed = null;
  /** @type {Set<string>} */
  #can = new Set(); // the actions that are possible now
  #offered = ""; // the offers on the page

  /** The time until which the player goes on waiting for an absent opponent: ms, by the server's clock. */
  patient = 0;

  /** @param {T} t */
  constructor(t) {
    this.t = t;
    for (const action of choices) find(`#actions [data-action=${action}]`).dataset.choice = "";
  }

  /**
   * Reports whether a tap counts: a button whose action is final needs two. No button changes its
   * place or its size meanwhile, so a second tap that comes late meets the same button, which asks again.
   * @param {HTMLElement} button
   */
  confirmed(button) {
    const armed = this.#armed;
    if (armed) {
      clearTimeout(armed.timer);
      armed.button.textContent = armed.label;
      armed.button.classList.remove("armed");
      armed.button.style.width = "";
      this.#armed = null;
      this.#show();
    }
    if (!button.dataset.confirm || armed?.button === button) return true;
    const label = button.textContent ?? "";
    button.style.width = `${button.getBoundingClientRect().width}px`;
    button.textContent = button.dataset.confirm;
    button.classList.add("armed");
    button.onkeydown = (e) => !e.repeat || e.key !== "Enter"; // a held key clicks again: that confirms nothing
    const timer = window.setTimeout(() => this.confirmed(document.body), confirmFor);
    this.#armed = { button, label, timer };
    return false;
  }

  /** Shows the buttons of what is possible, unless one of them waits for its second tap. */
  #show() {
    if (this.#armed) return;
    for (const button of find("#actions").querySelectorAll("button"))
      show(button, this.#can.has(button.dataset.action ?? ""));
  }

  /**
   * @param {Game} game
   * @param {Speaker} words
   * @param {number} now by the server's clock
   * @param {boolean} reader another tab plays
   */
  draw(game, words, now, reader) {
    this.#can = possibleActions(game, { now, reader, patient: this.patient });
    this.#show();
    show("#actions", game.snap.state !== "waiting" && game.snap.state !== "over");
    find("#actions [data-action=resign]").dataset.what = game.snap.target > 0 ? "round" : "";
    this.#offers(game, words, reader);
  }

  /** @param {Game} game @param {Speaker} words @param {boolean} reader */
  #offers({ snap, as }, words, reader) {
    const { t } = this;
    show("#offers", snap.offers.length > 0);
    // Buttons are made again only for other offers: one of them may have the focus.
    const key = JSON.stringify([snap.offers, as, reader, snap.offers.map((o) => words.name(o.seat))]);
    if (key === this.#offered) return;
    this.#offered = key;
    find("#offers").replaceChildren(
      ...snap.offers.map(({ what, seat }) => {
        const line = document.createElement("div");
        line.className = "offer";
        const said = document.createElement("span");
        said.className = "said";
        said.textContent = words.offerText({ what, seat });
        line.append(said);
        const button = (/** @type {string} */ action, /** @type {string} */ key) => {
          const b = document.createElement("button");
          b.type = "button";
          Object.assign(b.dataset, { action, what });
          b.textContent = t(key);
          if (action === "accept") b.className = "primary";
          line.append(b);
        };
        if (as >= 0 && !reader) {
          if (seat !== as && t.has(`offer.${what}.other`)) button("accept", "offer.accept");
          button("decline", seat === as ? "offer.withdraw" : "offer.decline");
        }
        return line;
      }),
    );
  }
}
