// @ts-check
/**
 * What people hear of their connection (UX.md §7): nothing for a second, then
 * that it is lost, after a while what that means, and what happened meanwhile
 * when it is back.
 *
 * @typedef {import("../lib/text.js").T} T
 */

const quiet = 1_000; // ms in which a lost connection is nobody's business
const long = 15_000; // ms after which people are told what it means

export class Connection {
  /** @type {"on" | "retrying" | "off"} */
  state = "retrying";
  /** What the status line has to say about it. */
  text = "";
  /** Whether a button to try at once would help. */
  retry = false;
  /** Whether only another page would help. */
  reload = false;
  /** The program on the server is newer than this page. */
  updated = false;

  #lostAt = 0;
  /** @type {{seat: number, move: string}[]} what was played while nobody could be told */
  #missed = [];
  #back = false; // back, and what was missed is coming in

  /**
   * @param {T} t
   * @param {{shout: (text: string) => void, missed: (plies: {seat: number, move: string}[]) => string, changed: () => void, hasClock: () => boolean}} wiring
   *   missed: what happened meanwhile, in words; clocked: a clock of one's own runs meanwhile
   */
  constructor(t, wiring) {
    this.t = t;
    this.wiring = wiring;
  }

  /** Whether what arrives now happened while the connection was lost. */
  get lost() {
    return this.#lostAt > 0 || this.#back;
  }

  /** A move that arrives with the connection. @param {{seat: number, move: string}} ply */
  addMissed(ply) {
    this.#missed.push(ply);
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
      this.#missed = [];
      setTimeout(() => this.#update(), quiet);
      setTimeout(() => this.#update(), long);
    }
  }

  /** There is nothing to come back to. @param {string} why */
  end(why) {
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
    // A snapshot comes in with this very message: what it brings was missed as well.
    queueMicrotask(() => {
      this.#back = false;
      if (said) this.wiring.shout([this.t("online"), this.wiring.missed(this.#missed)].filter(Boolean).join(" "));
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
   * Whoever comes back may find another version: its page names another program.
   * Who finds that and is not connected will not be: they no longer understand
   * each other.
   */
  async #checkRelease() {
    const own = document.querySelector("script[type=module]")?.getAttribute("src");
    const page = await fetch(location.pathname, { cache: "no-store" }).then((r) => (r.ok ? r.text() : ""), () => "");
    if (!own || !page.includes("<script type=\"module\"") || page.includes(own)) return;
    this.updated = true;
    if (this.#lostAt > 0 && !this.reload) {
      [this.text, this.retry, this.reload] = [this.t("outdated"), false, true];
      this.wiring.shout(this.text);
    }
    this.wiring.changed();
  }
}
