// @ts-check
/**
 * The dialog about a person in a game: follow, block, report. The forms are the page's own; without
 * script they lead to a page about that person.
 */

import { ask } from "../lib/api.js";

/** @param {string} selector @returns {any} */
const at = (selector) => document.querySelector(selector);

export class PersonDialog {
  #player = "";

  /**
   * @param {{me: () => string, blocked: (player: string) => void}} wiring
   *   me: "" for a viewer without an identity; blocked: called with a blocked player
   */
  constructor({ me, blocked }) {
    this.blocked = blocked;
    document.addEventListener("click", (e) => {
      const button = /** @type {HTMLElement | null} */ (
        /** @type {HTMLElement} */ (e.target).closest("[data-action=person]")
      );
      if (!button) return;
      e.preventDefault();
      const { player = "", name = "", stream = "", line = "" } = button.dataset;
      void this.#open(player, name, stream, line);
    });
    at("#person").addEventListener("submit", (/** @type {SubmitEvent} */ e) => {
      const form = /** @type {HTMLFormElement} */ (e.target);
      if (form.method !== "post" || me() === "") return; // a viewer without an identity gets one from the form itself
      e.preventDefault();
      const fields = new FormData(form);
      if (form.matches(".relation")) void this.#changeRelation(/** @type {HTMLButtonElement} */ (e.submitter).value);
      else void this.#report(fields);
    });
  }

  /**
   * @param {string} player
   * @param {string} name
   * @param {string} stream of the chat line that it is about: "players", "watchers" or ""
   * @param {string} line its number in the stream, or ""
   */
  async #open(player, name, stream, line) {
    this.#player = player;
    at("#person-name").textContent = name;
    for (const field of document.querySelectorAll("#person [name=player]"))
      /** @type {HTMLInputElement} */ (field).value = player;
    at("#person [name=stream]").value = stream;
    at("#person [name=line]").value = line;
    at("#person details").open = line !== "";
    at("#person .notice").hidden = true;
    this.#show({ following: [], blocked: [] });
    at("#person").showModal();
    this.#show((await ask("GET", "/api/v1/me/circle")).body);
  }

  /** @param {{following?: {id: string}[], blocked?: {id: string}[]}} circle */
  #show({ following = [], blocked = [] }) {
    const among = (/** @type {{id: string}[]} */ list) => list.some(({ id }) => id === this.#player);
    const shown = {
      follow: !among(following),
      unfollow: among(following),
      block: !among(blocked),
      unblock: among(blocked),
    };
    const focused = /** @type {HTMLButtonElement} */ (document.activeElement);
    for (const [what, yes] of Object.entries(shown)) at(`#person [value=${what}]`).hidden = !yes;
    if (focused?.matches("#person .relation [hidden]"))
      at(`#person [value=${focused.value.startsWith("un") ? focused.value.slice(2) : `un${focused.value}`}]`).focus();
  }

  /** @param {string} what "follow", "unfollow", "block" or "unblock" */
  async #changeRelation(what) {
    const path = `/api/v1/me/${what.endsWith("follow") ? "following" : "blocked"}/${this.#player}`;
    const { ok, body } = await ask(what.startsWith("un") ? "DELETE" : "PUT", path);
    if (!ok) return this.#say(body.msg);
    at("#person .notice").hidden = true; // of an attempt before
    if (what === "block") this.blocked(this.#player);
    this.#show((await ask("GET", "/api/v1/me/circle")).body);
  }

  /** @param {FormData} fields */
  async #report(fields) {
    const line = Number(fields.get("line"));
    const [reason, text, room] = ["reason", "text", "room"].map((name) => fields.get(name));
    const about = { player: this.#player, reason, text, room };
    const report = line ? { ...about, stream: fields.get("stream"), line } : about;
    const { ok, body } = await ask("POST", "/api/v1/reports", report);
    this.#say(ok ? at("#person .notice").dataset.done : body.msg);
    if (ok) at("#person details").open = false;
  }

  /** @param {string | undefined} text undefined: no answer came */
  #say(text) {
    const notice = at("#person .notice");
    notice.hidden = false;
    notice.textContent = text ?? notice.dataset.failed;
  }
}
