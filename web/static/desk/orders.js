// @ts-check
/**
 * The host's orders, until the server has answered. An order that gets no answer is repeated with the
 * same ID, over the socket by lib/socket.js and over HTTP here, so that it is carried out once. An order
 * that waits or was refused is told beside its button.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../lib/socket.js").Link} Link
 * @typedef {{kind: string, [more: string]: any}} Order
 */

import { pause } from "../lib/backoff.js";
import { inLanguage } from "../lib/language.js";

const fades = 10_000; // ms for which an order that was carried out is confirmed
const soon = 300; // ms without an answer until the host reads that the order waits

export class Orders {
  connected = false;
  /** @type {Set<HTMLElement>} outputs of orders without an answer */
  #waiting = new Set();

  /** @param {T} t @param {() => Link} link */
  constructor(t, link) {
    this.t = t;
    this.link = link;
  }

  /** @param {boolean} connected */
  connection(connected) {
    this.connected = connected;
    for (const told of this.#waiting) told.textContent = this.#waits();
  }

  #waits() {
    return this.t(this.connected ? "told.waits" : "told.offline");
  }

  /**
   * Sends an order.
   * @param {Order} order
   * @param {HTMLElement | null} told the output beside the button
   * @param {string} [done] what it says when the order was carried out
   * @returns {Promise<import("../lib/socket.js").Frame | null>} the refusal, or null
   */
  async send(order, told, done = "") {
    const stop = this.#begin(told);
    /** @type {import("../lib/socket.js").Frame | null} */
    const err = await new Promise((resolve) => this.link().command(order, resolve));
    stop(err ? (err.msg ?? this.t("told.refused")) : done, err !== null);
    return err;
  }

  /**
   * Posts a form, again and again until the server has answered.
   * @param {string} path
   * @param {Record<string, string> | object} fields an object that is not flat is sent as JSON
   * @param {HTMLElement | null} told
   * @param {{done?: string, json?: boolean, get?: boolean}} [how]
   * @returns {Promise<any>} the answer; null if it was refused
   */
  async post(path, fields, told, { done = "", json = false, get = false } = {}) {
    const stop = this.#begin(told);
    const body = json ? JSON.stringify(fields) : new URLSearchParams(/** @type {Record<string, string>} */ (fields));
    /** @type {RequestInit} */
    const options = get ? {} : { method: "POST", body };
    if (json) options.headers = { "Content-Type": "application/json" };
    for (let tries = 0; ; tries++) {
      const r = await fetch(inLanguage(path), options).catch(() => null);
      const answer = await r?.json().catch(() => null);
      if (r?.ok && answer) {
        stop(done, false);
        return answer;
      }
      if (r && r.status < 500) {
        stop(answer?.msg ?? this.t("told.refused"), true);
        return null;
      }
      await new Promise((resolve) => setTimeout(resolve, pause("", tries, Math.random())));
    }
  }

  /** @param {HTMLElement | null} told @returns {(text: string, refused: boolean) => void} */
  #begin(told) {
    if (!told) return () => {};
    told.classList.remove("problem");
    told.textContent = "";
    const timer = setTimeout(() => {
      this.#waiting.add(told);
      told.textContent = this.#waits();
    }, soon);
    return (text, refused) => {
      clearTimeout(timer);
      this.#waiting.delete(told);
      told.classList.toggle("problem", refused);
      if (refused) told.textContent = text;
      else confirm(told, text);
    };
  }
}

/** Says for a few seconds that an order was carried out. @param {HTMLElement} told @param {string} text */
export function confirm(told, text) {
  told.textContent = text;
  if (text) setTimeout(() => told.textContent === text && (told.textContent = ""), fades);
}

/**
 * Returns the output beside a button, or that of its form, dialog or row.
 * @param {Element} el
 * @returns {HTMLElement | null}
 */
export function toldBeside(el) {
  return (
    el.parentElement?.querySelector("output") ??
    el.closest("form, dialog, li, section, details")?.querySelector("output") ??
    null
  );
}
