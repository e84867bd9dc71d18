// @ts-check
/**
 * The page's requests to the server: names of players, standings, and parts that the server draws.
 * A tournament has many pages open: each waits a random time, the longer the more players there
 * are.
 *
 * @typedef {import("./state.js").State} State
 * @typedef {import("./standings.js").Row} Row
 */

import { textOf } from "../lib/language.js";

const least = 300; // ms
const perPlayer = 20; // ms
const most = 20_000; // ms
const patience = 3_000; // ms in which the standings come by themselves

/** Returns the ms for which a page waits before it asks, by the size of the tournament. @param {number} players */
export const wait = (players) => least + Math.random() * Math.min(most, perPlayer * players);

export class Requests {
  #waits = 0;
  #asks = 0;
  #from = Infinity; // the first player whose name is asked for
  #expects = 0;

  /**
   * @param {string} room
   * @param {{names: (answer: {names: Record<string, string>, deleted?: string[]}) => void,
   *   table: (table: {seq: number, rows: Row[]}) => void,
   *   page: (data: {table: number, rows: Row[], names: Record<string, string>}) => void}} wiring
   */
  constructor(room, wiring) {
    this.room = room;
    this.wiring = wiring;
  }

  /**
   * Draws the parts of the page again that only the server draws.
   * @param {State} state
   * @param {number} [pages] how many may ask for the same reason
   */
  refresh(state, pages = state.players.length) {
    this.#waits ||= window.setTimeout(async () => {
      this.#waits = 0;
      const here = `/t/${this.room}${location.pathname.endsWith("/embed") ? "/embed" : ""}`; // not that of a form
      const text = await textOf(here);
      if (!text) return;
      const page = new DOMParser().parseFromString(text, "text/html");
      for (const part of document.querySelectorAll("div[data-part]")) {
        const name = part.getAttribute("data-part");
        const fresh = page.querySelector(`div[data-part="${name}"]`);
        if (fresh && !part.contains(document.activeElement)) part.replaceChildren(...fresh.childNodes);
      }
      const said = page.querySelector("#me-said")?.textContent;
      const own = document.querySelector("#me-said");
      if (own && said) own.textContent = said;
      if (state.stage !== "entry") document.querySelector("#entered-part")?.remove();
      this.wiring.page(JSON.parse(page.querySelector("#event-data")?.textContent ?? "{}"));
    }, wait(pages));
  }

  /**
   * Gets the standings after results have come. Where the server sends them by itself, it waits for them first.
   * @param {State} state
   * @param {boolean} [old] the page's standings are older than the changes that came
   */
  results(state, old = false) {
    if (!old && ["knockout", "roundrobin", "doubleround"].includes(state.settings.format)) return this.refresh(state);
    this.#expects ||= window.setTimeout(async () => {
      this.#expects = 0;
      const answer = await ask(`/api/v1/tournaments/${this.room}/standings`);
      if (answer) this.wiring.table(answer);
      else this.refresh(state);
    }, patience + wait(state.players.length));
  }

  /** Notes that the standings have come by themselves. */
  told() {
    clearTimeout(this.#expects);
    this.#expects = 0;
  }

  /** Loads the page again. @param {State} state */
  reload(state) {
    clearTimeout(this.#waits);
    this.#waits = window.setTimeout(() => location.reload(), wait(state.players.length));
  }

  /** Asks for the names of the players from a number on. @param {State} state @param {number} from */
  askNames(state, from) {
    this.#from = Math.min(this.#from, from);
    this.#asks ||= window.setTimeout(async () => {
      const from = this.#from;
      [this.#asks, this.#from] = [0, Infinity];
      const answer = await ask(`/api/v1/tournaments/${this.room}/names?from=${from}`);
      if (answer) this.wiring.names(answer);
      else this.refresh(state);
    }, wait(state.players.length));
  }
}

/** @param {string} path @returns {Promise<any>} */
async function ask(path) {
  return JSON.parse((await textOf(path)) || "null");
}
