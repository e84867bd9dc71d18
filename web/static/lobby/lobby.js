// @ts-check
/**
 * The lobby on the home page: live seeks, and waiting for an opponent. The page's forms work
 * without script; with it, nothing is loaded again.
 *
 * @typedef {{seek: string, key: string, pool: boolean, since: number, rules: string, options?: string,
 *   clock: string, rated?: boolean, low?: number, high?: number}} Wait
 */

import { find } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import { GlanceLink } from "../lib/glancelink.js";
import { translator } from "../lib/text.js";
import { callAttention } from "../lib/title.js";
import { enableSound, playFriend } from "../sound/sound.js";
import { Notices } from "./notices.js";
import { notify } from "./notification.js";
import { refreshOwnGames, showsOwnGames } from "./owngames.js";
import { namesOf, SeekList } from "./seeklist.js";
import { botPath, elapsed, offersBot } from "./seekrows.js";

/** Converts a form's value into the protocol's. @param {string} name @param {string} value */
const typed = (name, value) => (name === "rated" ? true : name === "low" || name === "high" ? Number(value) : value);

class Lobby {
  #me = "";
  #filtered = false; // the next snapshot is of other filters
  #ready = false;
  #clockOffset = 0; // ms by which our clock is ahead of the server's
  /** @type {Wait | null} */
  #wait = null;
  #game = ""; // a game that is ready while the tab is hidden

  constructor() {
    const { texts, seeks, open, wait, can } = JSON.parse(find("#lobby-data").textContent ?? "");
    this.text = translator(texts, document.documentElement.lang);
    this.#wait = wait ?? null; // if it is gone when the socket opens, it is sent again
    this.list = new SeekList(this.text, () => this.#wait?.seek);
    this.list.can = can ?? null;
    this.list.replace(seeks, open, true);
    this.link = new GlanceLink({
      room: "lobby",
      more: () => this.#chosen(),
      onFrame: (frame) => this.#receive(frame),
      onState: (state) => {
        this.#ready = state === "on";
        find("#lobby-off").hidden = this.#ready;
        find("#seeks-area").dataset.conn = state === "final" ? "off" : state;
      },
    });
    this.notices = new Notices({ command: (command, answered) => this.link.command(command, answered) });
    document.addEventListener("submit", (e) => this.#submit(e));
    find("#filters").addEventListener("change", (e) => {
      const { name, value } = /** @type {HTMLSelectElement} */ (e.target);
      prefs.set(name === "rules" ? "seekgame" : "seekclock", value);
      this.#filtered = true;
      this.link.subscribe({ fresh: true });
    });
    document.addEventListener(
      "visibilitychange",
      () => !document.hidden && this.#game && location.assign(`/${this.#game}`),
    );
    find("[data-action=notify]").addEventListener("click", async () => {
      await Notification.requestPermission();
      this.#drawWait();
    });
    setInterval(() => {
      this.list.settle();
      this.#tick();
    }, 1_000);
    enableSound();
  }

  /** Returns the filters for seeks, and the other fields of the subscription. */
  #chosen() {
    const chosen = new FormData(/** @type {HTMLFormElement} */ (find("#filters")));
    return {
      ...Object.fromEntries([...chosen].filter(([, value]) => value !== "all")),
      ...(showsOwnGames && { games: true }),
    };
  }

  /** @param {Record<string, any>} frame */
  #receive(frame) {
    if (frame.room !== "lobby") return;
    if (frame.t === "snap") {
      this.#me = frame.me;
      this.#clockOffset = Date.now() - frame.now;
      const before = this.#wait;
      this.list.can = frame.can ?? null;
      this.list.replace(frame.snap.seeks, frame.snap.open, this.#filtered);
      this.#filtered = false;
      this.notices.receive(frame);
      this.#setWait(frame.wait ?? null);
      if (!frame.wait && before) this.#repeatSeek(before);
    } else if (frame.t === "seeks") this.list.change(frame);
    else if (frame.t === "wait") this.#setWait(frame.wait ?? null);
    else if (frame.t === "asked") this.notices.receive(frame);
    else if (frame.t === "go") this.#go(frame.game);
    else if (frame.t === "games") void refreshOwnGames();
    else if (frame.t === "gone") setTimeout(() => this.link.subscribe({ fresh: true }), 500 + 1000 * Math.random());
    else if (frame.t === "err") find("#lobby-said").textContent = frame.msg;
  }

  /** Sends the viewer's seek again: the server has restarted and has lost it. @param {Wait} wait */
  #repeatSeek({ pool, key, rules, options, clock, rated, low, high }) {
    this.#wait = null;
    this.link.command({
      kind: pool ? "find" : "seek",
      key,
      rules,
      clock,
      ...Object.fromEntries(Object.entries({ options, rated, low, high }).filter(([, value]) => value)),
      again: true,
    });
  }

  /** @param {SubmitEvent} e */
  #submit(e) {
    const form = /** @type {HTMLFormElement} */ (e.target);
    const kind = form.dataset.lobby;
    if (!kind || kind === "challenge") return;
    const row = /** @type {HTMLElement | null} */ (form.closest("[data-seek]"));
    if (row?.hasAttribute("data-gone")) {
      e.preventDefault();
      find("#lobby-said").textContent = this.text("late");
      return;
    }
    // A viewer without an identity gets one from the form itself.
    if (!this.#ready || this.#me === "") return;
    e.preventDefault();
    find("#lobby-said").textContent = "";
    if (row) return this.link.command({ kind, seek: row.dataset.seek });
    /** @type {Record<string, any>} */
    const command =
      kind === "leave"
        ? { kind }
        : { kind, key: Array.from(crypto.getRandomValues(new Uint8Array(10)), (b) => b.toString(36)).join("") };
    for (const [name, value] of new FormData(form)) if (value) command[name] = typed(name, String(value).trim());
    this.link.command(/** @type {any} */ (command));
  }

  /** @param {Wait | null} wait */
  #setWait(wait) {
    const before = this.#wait?.seek;
    this.#wait = wait;
    this.#drawWait();
    for (const id of [before, wait?.seek]) if (id) this.list.mark(id);
  }

  #drawWait() {
    const wait = this.#wait;
    const focused =
      find("#waits").contains(document.activeElement) ||
      find("#find").contains(document.activeElement) ||
      find("#make").contains(document.activeElement);
    find("#waits").hidden = !wait;
    find("#find").hidden = find("#make").hidden = wait !== null;
    if (wait) {
      find("#waits-said").textContent = this.text(wait.pool ? "finding" : "seeking", namesOf(wait));
      find("[data-action=notify]").hidden = !("Notification" in window) || Notification.permission !== "default";
    }
    if (focused) find(wait ? "[data-action=cancel]" : "[data-action=find]").focus();
    this.#tick();
  }

  #tick() {
    if (!this.#wait) return;
    const waited = Date.now() - this.#clockOffset - this.#wait.since;
    find("#waits-time").textContent = elapsed(waited);
    find("#waits-bot").classList.toggle("away", !offersBot(waited));
    /** @type {HTMLAnchorElement} */ (find("#waits-bot a")).href = botPath(this.#wait);
  }

  /** Goes to the game that is ready. A hidden tab calls its viewer instead. @param {string} game */
  #go(game) {
    playFriend();
    if (!document.hidden) {
      setTimeout(() => location.assign(`/${game}`), 150); // lets the sound begin
      return;
    }
    this.#game = game;
    const said = this.text("found");
    callAttention(said);
    notify(said, () => location.assign(`/${game}`)); // a visible tab goes there anyway
  }
}

export const lobby = document.querySelector("#seeks") ? new Lobby() : null;
