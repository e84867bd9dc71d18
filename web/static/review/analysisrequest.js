// @ts-check
/**
 * Requests the analysis of a game and waits for it: the panel of the request. The page brings the
 * panel's texts.
 *
 * @typedef {{move: string, value: number, exact: boolean}} Choice
 * @typedef {{seat: number, value: number, exact: boolean, move: string, played: number, loss: number,
 *   sure: boolean, label?: string, best?: string[], moves?: Choice[]}} Found
 *   of a ply: what the position is worth to the player who moves, and what the move was worth
 * @typedef {{plies: Found[], end: {seat: number, value: number, exact: boolean}, turning: number}} Findings
 * @typedef {{state: string, done: number, all: number, mine: boolean, rounds: {start: string, positions: string[],
 *   review?: Findings}[]}} Answer
 */

import { request } from "../lib/api.js";
import { find, show } from "../lib/dom.js";
import { translator } from "../lib/text.js";

const shortWait = 1_000; // ms until the next question; the wait grows
const longWait = 4_000;
const progressParts = 10; // steps in which the progress is told

export class AnalysisRequest {
  #toldPart = -1;
  #timer = 0;
  /** The answer that is shown. @type {Answer | null} */
  shown = null;

  /** @param {string} room @param {(answer: Answer) => void} made */
  constructor(room, made) {
    this.t = translator(
      /** @type {Record<string, string>} */ ({ ...find("#asking").dataset }),
      document.documentElement.lang || "en",
    );
    this.url = `/api/v1/games/${room}/analysis`;
    this.made = made;
    this.#form("#ask", "POST");
    this.#form("#cancel", "DELETE");
  }

  /** Returns the state of the analysis. @returns {Promise<Answer | null>} */
  read() {
    return request(this.url, { headers: { accept: "application/json" } }, (text) => this.#tell(text));
  }

  /** @param {string} selector @param {string} method */
  #form(selector, method) {
    find(selector).addEventListener("submit", async (e) => {
      e.preventDefault();
      const answer = await request(this.url, { method }, (text) => this.#tell(text), this.t("failed"));
      if (!answer) return;
      find("#progress").focus(); // the focused button disappears
      this.show(answer);
      if (method === "DELETE" && answer.state === "none") this.#tell(this.t("stopped"));
    });
  }

  /** @param {Answer} answer @param {number} [wait] ms until the next question */
  show(answer, wait = shortWait) {
    this.shown = answer;
    const { state, done, all, mine } = answer;
    const working = state === "working";
    clearTimeout(this.#timer);
    show("#asking", state !== "made");
    show("#ask", !working);
    show("#cancel", mine && working);
    const bar = /** @type {HTMLProgressElement} */ (find("#bar"));
    bar.hidden = !working;
    Object.assign(bar, { max: Math.max(1, all), value: done });
    if (state === "made") return this.made(answer);
    if (state === "failed") this.#tell(this.t("failed"));
    const part = Math.floor((done / Math.max(1, all)) * progressParts);
    if (working && part !== this.#toldPart) this.#tell(this.t("working", { done, all }));
    this.#toldPart = working ? part : -1;
    if (working) this.#timer = window.setTimeout(() => this.#again(Math.min(longWait, wait * 1.2)), wait);
  }

  /** @param {number} wait */
  async #again(wait) {
    const answer = await this.read();
    if (answer) this.show(answer, wait);
    else this.#timer = window.setTimeout(() => this.#again(longWait), wait);
  }

  /** @param {string} text */
  #tell(text) {
    find("#progress").textContent = text;
  }
}
