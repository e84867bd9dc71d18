// @ts-check
/**
 * Challenges on any page: to the viewer, from the viewer, and the game that follows. The server
 * sends their texts.
 *
 * @typedef {import("./challenges.js").Challenge} Challenge
 */

import { focusOn } from "../lib/focus.js";
import { callAttention, clearCall } from "../lib/title.js";
import { playFriend } from "../sound/sound.js";
import { toRepeat, added, goesBySelf } from "./challenges.js";
import { notify } from "./notification.js";

/** @type {<T extends HTMLElement>(root: ParentNode, selector: string) => T} */
const part = (root, selector) => /** @type {any} */ (root.querySelector(selector));

const kept = "asked"; // the challenges of this tab: it goes to their games

export class Notices {
  /** @type {Challenge[]} */
  #challenges = [];
  #list = document.querySelector("#notices");

  /**
   * @param {{command: import("../lib/socket.js").Link["command"], playing?: () => boolean}} wiring
   *   playing: whether the viewer is in a game, which is not left
   */
  constructor({ command, playing = () => false }) {
    this.command = command;
    this.playing = playing;
    this.#list?.addEventListener("click", (e) => this.#click(e));
    document.addEventListener("submit", (e) => this.#submit(e));
    document.addEventListener("visibilitychange", () => document.hidden || clearCall());
  }

  /** @param {Record<string, any>} frame a message of the lobby */
  receive(frame) {
    if (!this.#list) return;
    if (frame.t === "snap" && !frame.asks) {
      for (const ask of toRepeat(this.#challenges, Date.now())) {
        const { key, to, rules, options, clock, rated } = ask;
        this.command({
          room: "lobby",
          kind: "challenge",
          key,
          to,
          rules,
          clock,
          ...(options ? { options } : {}),
          ...(rated ? { rated } : {}),
          again: true,
        });
      }
      this.#show([]);
    } else if (frame.t === "asked") {
      for (const { seek, text } of frame.ended ?? []) {
        this.#challenges = this.#challenges.filter((a) => a.seek !== seek);
        this.#row(seek, text, ["close"]);
        this.#alert(text);
      }
      this.#show(frame.asked);
    }
  }

  /**
   * Reports whether this tab goes to the game of a challenge by itself; if not, it shows a notice with a link.
   * @param {string} game
   * @returns {boolean} whether this tab goes there by itself
   */
  go(game) {
    if (goesBySelf(game, sessionStorage.getItem(kept) ?? "", this.playing())) return true;
    const row = this.#row(`go ${game}`, "", ["go", "close"]);
    /** @type {HTMLAnchorElement} */ (part(row, "[data-notice=go]")).href = `/${game}`;
    return false;
  }

  /** @param {Challenge[]} asks */
  #show(asks) {
    const there = new Set(asks.map((a) => a.seek));
    for (const row of this.#list?.querySelectorAll("[data-ask]") ?? []) {
      const id = /** @type {HTMLElement} */ (row).dataset.ask ?? "";
      if (!there.has(id) && this.#challenges.some((a) => a.seek === id)) this.#hide(row);
    }
    for (const ask of added(this.#challenges, asks)) {
      const asksMore = ask.mine && "Notification" in window && Notification.permission === "default";
      const row = this.#row(
        ask.seek,
        ask.text,
        ask.mine ? (asksMore ? ["leave", "tell"] : ["leave"]) : ["accept", "decline"],
      );
      for (const button of row.querySelectorAll("button"))
        button.setAttribute("formaction", `/${ask.seek}/${button.dataset.notice}`);
      if (!ask.mine) this.#alert(ask.text);
    }
    this.#challenges = asks;
  }

  /** @param {string} id @param {string} text @param {string[]} actions */
  #row(id, text, actions) {
    let row = /** @type {HTMLElement | null} */ (this.#list?.querySelector(`[data-ask="${id}"]`));
    if (!row) {
      row = /** @type {HTMLElement} */ (
        /** @type {Element} */ (
          /** @type {HTMLTemplateElement} */ (document.querySelector("#notice")).content.firstElementChild
        ).cloneNode(true)
      );
      row.dataset.ask = id;
      this.#list?.append(row);
    }
    part(row, ".text").textContent = text;
    for (const action of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("[data-notice]")))
      action.hidden = !actions.includes(action.dataset.notice ?? "");
    if (document.activeElement?.matches("[data-notice][hidden]")) this.#focus();
    return row;
  }

  /** Takes away a button, or a whole notice. @param {Element} el */
  #hide(el) {
    const focused = el.contains(document.activeElement);
    el.remove();
    if (focused) this.#focus();
  }

  /** Focuses a button of a notice that is left. */
  #focus() {
    focusOn(this.#list?.querySelector("[data-notice]:not([hidden])"));
  }

  /**
   * Calls the viewer by a sound; if the tab is hidden, also by its title and a notification.
   * @param {string} text
   */
  #alert(text) {
    playFriend();
    if (!document.hidden) return;
    callAttention(text);
    notify(text);
  }

  /** @param {Event} e */
  #click(e) {
    const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest("[data-notice]"));
    const row = /** @type {HTMLElement | null} */ (button?.closest("[data-ask]") ?? null);
    if (!button || !row) return;
    const what = button.dataset.notice ?? "";
    if (what === "close") {
      this.#hide(row);
    } else if (what === "tell") void Notification.requestPermission().then(() => this.#hide(button));
    else if (what !== "go") {
      e.preventDefault();
      const seek = row.dataset.ask ?? "";
      if (what === "accept") sessionStorage.setItem(kept, seek);
      this.command({ room: "lobby", kind: what, seek }, (err) => err && this.#row(seek, err.msg, ["close"]));
    }
  }

  /** Sends the form of a challenge. @param {SubmitEvent} e */
  #submit(e) {
    const form = /** @type {HTMLFormElement} */ (e.target);
    // a viewer without an identity gets one from the form itself
    if (form.dataset.lobby !== "challenge" || !this.#list) return;
    e.preventDefault();
    /** @type {Record<string, any>} */
    const said = {
      room: "lobby",
      kind: "challenge",
      key: Array.from(crypto.getRandomValues(new Uint8Array(10)), (b) => b.toString(36)).join(""),
    };
    for (const [name, value] of new FormData(form)) said[name] = name === "rated" ? true : String(value);
    part(form, "[data-said]").textContent = "";
    this.command(/** @type {any} */ (said), (err) => {
      if (err) part(form, "[data-said]").textContent = err.msg;
      else sessionStorage.setItem(kept, "*"); // any challenge
    });
  }
}
