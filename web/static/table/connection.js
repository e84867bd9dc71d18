// @ts-check
/**
 * The player's news about the connection (UX.md §7): nothing for a second, then that it is lost,
 * later what that means, and after its return, however soon, what happened meanwhile.
 *
 * @typedef {import("../lib/text.js").T} T
 */

import { textOf } from "../lib/language.js";

const quiet = 1_000; // ms for which a lost connection is not mentioned
const long = 15_000; // ms after which the player is told what the loss means

export class Connection {
  /** @type {"on" | "retrying" | "off"} */
  state = "retrying";
  /** The text of the status line about the connection. */
  text = "";
  /** A button to reconnect at once would help. */
  retry = false;
  /** Only a new page would help. */
  reload = false;
  /** The server runs a newer release than this page. */
  updated = false;

  #lostAt = 0;
  /** @type {{seat: number, move: string}[]} moves that were played while the connection was lost */
  #missed = [];
  #ended = false; // the game ended while the connection was lost
  #back = false; // the connection is back, and what was missed is coming in

  /**
   * @param {T} t
   * @param {{shout: (text: string) => void, missed: (plies: {seat: number, move: string}[], ended: boolean) => string,
   *   changed: () => void, hasClock: () => boolean}} wiring shout: says a text unless it is empty;
   *   missed: says what happened meanwhile, or ""; ended: the game ended; hasClock: whether the player's clock runs
   *   meanwhile
   */
  constructor(t, wiring) {
    this.t = t;
    this.wiring = wiring;
  }

  /** Reports whether what arrives now happened while the connection was lost. */
  get lost() {
    return this.#lostAt > 0 || this.#back;
  }

  /**
   * Notes what arrives with the connection.
   * @param {{seat: number, move: string} | undefined} ply a move, if it was one
   * @param {boolean} ended the game ended
   */
  addMissed(ply, ended) {
    if (ply) this.#missed.push(ply);
    this.#ended ||= ended;
  }

  /** @param {"on" | "retrying" | "final"} state @param {number} code of the close frame */
  changedTo(state, code) {
    if (state === "on") this.#restored();
    else if (state === "final") {
      this.reload = true;
      this.end(this.t(this.t.has(`closed.${code}`) ? `closed.${code}` : "closed"));
    }
    else if (this.#lostAt === 0) {
      this.#lostAt = Date.now();
      [this.#missed, this.#ended] = [[], false];
      setTimeout(() => this.#update(), quiet);
      setTimeout(() => this.#update(), long);
    }
  }

  /** Ends the connection permanently. @param {string} why */
  end(why) {
    this.#lostAt = 0; // nothing is said about a lost connection any more
    this.state = "off";
    this.text = why;
    this.retry = false;
    this.wiring.shout(why);
  }

  #restored() {
    const again = this.#lostAt > 0;
    const said = this.text !== "";
    this.#lostAt = 0;
    this.text = "";
    this.retry = this.reload = false;
    this.state = "on";
    if (!again) return;
    this.#back = true;
    // This message also brings a snapshot: its news were missed too.
    queueMicrotask(() => {
      this.#back = false;
      const missed = this.wiring.missed(this.#missed, this.#ended);
      this.wiring.shout(said ? `${this.t("online")} ${missed}`.trim() : missed);
    });
    void this.#checkRelease();
  }

  #update() {
    if (this.#lostAt === 0) return;
    const { t } = this;
    const away = Date.now() - this.#lostAt >= long - 100;
    this.state = away ? "off" : "retrying";
    this.retry = away;
    const say = away ? t(this.wiring.hasClock() ? "offline" : "offline.untimed") : t("reconnecting");
    if (say !== this.text) this.wiring.shout(away ? say : t("lost"));
    this.text = say;
    this.wiring.changed();
    if (away) void this.#checkRelease();
  }

  /**
   * Compares the page's script with the server's: a different one is another release. A page that
   * finds one and has no connection will not get one, because it speaks an older protocol.
   */
  async #checkRelease() {
    const own = document.querySelector("script[type=module]")?.getAttribute("src");
    const page = await textOf(location.pathname, { cache: "no-store" });
    if (!own || !page.includes("<script type=\"module\"") || page.includes(own)) return;
    this.updated = true;
    if (this.#lostAt > 0 && !this.reload) {
      [this.text, this.retry, this.reload] = [this.t("outdated"), false, true];
      this.wiring.shout(this.text);
    }
    this.wiring.changed();
  }
}
