// @ts-check
/**
 * The lobby on the home page: live seeks, and waiting for an opponent. The page's forms work
 * without script; with it, nothing is loaded again.
 *
 * @typedef {import("./seekrows.js").Seek} Seek
 * @typedef {{seek: string, key: string, pool: boolean, since: number, rules: string, options?: string,
 *   clock: string, rated?: boolean, low?: number, high?: number}} Wait
 */

import { find } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import { Link } from "../lib/socket.js";
import { translator } from "../lib/text.js";
import { callAttention } from "../lib/title.js";
import { enableSound, play } from "../sound/sound.js";
import { Notices } from "./notices.js";
import { refreshOwnGames, showsOwnGames } from "./owngames.js";
import { botPath, empty, elapsed, offersBot, replaced, settled, updated, unjoinable } from "./seekrows.js";

/** Converts a form's value into the protocol's. @param {string} name @param {string} value */
const typed = (name, value) => (name === "rated" ? true : name === "low" || name === "high" ? Number(value) : value);

const touchHold = 1_000; // ms after a touch until the list may move again

class Lobby {
  #list = empty;
  #me = "";
  #all = false; // the next snapshot is of other filters
  /**
   * @type {import("./seekrows.js").Can | null} what decides which seeks the viewer can join; null
   *   for a guest
   */
  #can = null;
  #ready = false;
  #clockOffset = 0; // ms by which our clock is ahead of the server's
  /** @type {Wait | null} */
  #wait = null;
  #game = ""; // a game that is ready while the tab is hidden
  #hovered = false; // a pointer is over the list
  #touched = -Infinity;
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();

  constructor() {
    const { texts, seeks, open, wait, can } = JSON.parse(find("#lobby-data").textContent ?? "");
    this.text = translator(texts, document.documentElement.lang);
    this.#can = can ?? null;
    this.#wait = wait ?? null; // if it is gone when the socket opens, it is sent again
    this.ul = find("#seeks");
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (this.ul.querySelectorAll("[data-seek]"))) this.#rows.set(row.dataset.seek ?? "", row);
    this.#draw({ rows: seeks, waiting: [] }, open);
    const url = new URL("/ws", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.link = new Link({
      url: url.href, room: "lobby", more: () => this.#chosen(), since: () => undefined, plays: () => undefined, onPace: () => {},
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
      this.#all = true;
      this.link.subscribe({ fresh: true });
    });
    document.addEventListener("visibilitychange", () => !document.hidden && this.#game && location.assign(`/${this.#game}`));
    find("[data-action=show-seeks]").addEventListener("click", () => this.#draw(settled(this.#list, false, Date.now())));
    find("[data-action=notify]").addEventListener("click", async () => {
      await Notification.requestPermission();
      this.#drawWait();
    });
    this.#hold();
    setInterval(() => {
      this.#draw(settled(this.#list, this.#held(), Date.now()));
      this.#tick();
    }, 1_000);
    enableSound();
  }

  /** The filters for seeks, and what else the subscription says. */
  #chosen() {
    const chosen = new FormData(/** @type {HTMLFormElement} */ (find("#filters")));
    return { ...Object.fromEntries([...chosen].filter(([, value]) => value !== "all")), ...(showsOwnGames && { games: true }) };
  }

  #hold() {
    const area = find("#seeks-area");
    area.addEventListener("pointerenter", (e) => (this.#hovered = e.pointerType === "mouse"));
    area.addEventListener("pointerleave", () => (this.#hovered = false));
    for (const touch of ["pointerdown", "pointerup"]) area.addEventListener(touch, () => (this.#touched = Date.now()));
  }

  #held() {
    return this.#hovered || find("#seeks-area").contains(document.activeElement) || Date.now() - this.#touched < touchHold;
  }

  /** @param {Record<string, any>} frame */
  #receive(frame) {
    if (frame.room !== "lobby") return;
    const now = Date.now();
    if (frame.t === "snap") {
      this.#me = frame.me;
      this.#clockOffset = now - frame.now;
      const before = this.#wait;
      this.#can = frame.can ?? null;
      // With other filters the list begins anew.
      this.#draw(this.#all ? { rows: frame.snap.seeks, waiting: [] } : replaced(this.#list, frame.snap.seeks, this.#held(), now), frame.snap.open);
      this.#list.rows.forEach((r) => this.#row(r)); // the snapshot may say more about rows that were already there
      this.#all = false;
      this.notices.receive(frame);
      this.#setWait(frame.wait ?? null);
      if (!frame.wait && before) this.#repeatSeek(before);
    } else if (frame.t === "seeks") this.#draw(updated(this.#list, frame, this.#held(), now), frame.open);
    else if (frame.t === "wait") this.#setWait(frame.wait ?? null);
    else if (frame.t === "asked") this.notices.receive(frame);
    else if (frame.t === "go") this.#go(frame.game);
    else if (frame.t === "games") void refreshOwnGames();
    else if (frame.t === "gone") setTimeout(() => this.link.subscribe({ fresh: true }), 500 + 1000 * Math.random());
    else if (frame.t === "err") {
      // the lobby is not reachable yet
      if (frame.id === undefined && frame.code !== "seek-gone") setTimeout(() => this.link.subscribe({ fresh: true }), 1_000);
      else find("#lobby-said").textContent = frame.msg;
    }
  }

  /** Sends the viewer's seek again: the server has restarted and has lost it. @param {Wait} wait */
  #repeatSeek({ pool, key, rules, options, clock, rated, low, high }) {
    this.#wait = null;
    this.link.command({ kind: pool ? "find" : "seek", key, rules, clock, ...Object.fromEntries(Object.entries({ options, rated, low, high }).filter(([, value]) => value)), again: true });
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
    const command = kind === "leave" ? { kind } : { kind, key: Array.from(crypto.getRandomValues(new Uint8Array(10)), (b) => b.toString(36)).join("") };
    for (const [name, value] of new FormData(form)) if (value) command[name] = typed(name, String(value).trim());
    this.link.command(/** @type {any} */ (command));
  }

  /** @param {Wait | null} wait */
  #setWait(wait) {
    const before = this.#wait?.seek;
    this.#wait = wait;
    this.#drawWait();
    for (const id of [before, wait?.seek]) if (id && this.#rows.has(id)) this.#own(id);
  }

  #drawWait() {
    const wait = this.#wait;
    const focused = find("#waits").contains(document.activeElement) || find("#find").contains(document.activeElement) || find("#make").contains(document.activeElement);
    find("#waits").hidden = !wait;
    find("#find").hidden = find("#make").hidden = wait !== null;
    if (wait) {
      find("#waits-said").textContent = this.text(wait.pool ? "finding" : "seeking", this.#namesOf(wait));
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

  /** The game is ready. A visible tab goes there; a hidden tab calls its viewer. @param {string} game */
  #go(game) {
    play("friend");
    if (!document.hidden) {
      setTimeout(() => location.assign(`/${game}`), 150); // lets the sound begin
      return;
    }
    this.#game = game;
    const said = this.text("found");
    callAttention(said);
    if ("Notification" in window && Notification.permission === "granted") {
      new Notification(said).onclick = () => {
        window.focus();
        location.assign(`/${game}`);
      };
    }
  }

  /**
   * The names of a seek's rules and clock, taken from the page's own controls.
   * @param {{rules: string, options?: string, clock: string}} of
   */
  #namesOf({ rules, options, clock }) {
    const named = (/** @type {string} */ name, /** @type {string} */ value) =>
      Array.from(/** @type {HTMLSelectElement} */ (find(`#make [name=${name}]`)).options).find((o) => o.value === value)?.text ?? value;
    return { game: named("rules", rules) + (options ? `, ${options}` : ""), clock: named("clock", clock) };
  }

  /** @param {import("./seekrows.js").List} list @param {number} [open] */
  #draw(list, open) {
    const same = list.rows.length === this.#list.rows.length && list.rows.every((r, i) => r === this.#list.rows[i]);
    this.#list = list;
    if (!same) {
      const rows = list.rows.map((r) => this.#row(r));
      const keep = new Set(rows);
      for (const old of this.#rows.values()) if (!keep.has(old)) old.remove();
      this.#rows = new Map(list.rows.map((r, i) => [r.seek, rows[i]]));
      rows.forEach((row, i) => this.ul.children[i] !== row && this.ul.insertBefore(row, this.ul.children[i] ?? null));
    }
    find("#nobody").hidden = list.rows.length + list.waiting.length > 0;
    const more = find("[data-action=show-seeks]");
    more.textContent = this.text("show", { n: list.waiting.length });
    more.classList.toggle("away", list.waiting.length === 0); // the button keeps its place
    if (open === undefined) return;
    const hidden = open - list.rows.filter((r) => !r.gone).length - list.waiting.length;
    find("#more").hidden = hidden <= 0;
    find("#more").textContent = this.text("more", { n: hidden });
  }

  /** @param {import("./seekrows.js").Row} r */
  #row(r) {
    let li = this.#rows.get(r.seek);
    if (!li || (li.hasAttribute("data-gone") && !r.gone)) {
      const template = /** @type {HTMLTemplateElement} */ (find("#seek-row"));
      li = /** @type {HTMLElement} */ (/** @type {Element} */ (template.content.firstElementChild).cloneNode(true));
      const words = this.#namesOf(r);
      const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (li?.querySelector(name));
      li.dataset.seek = r.seek;
      part("form").setAttribute("action", `/${r.seek}/accept`);
      part(".who").textContent = r.name;
      part(".what").textContent = words.game;
      part(".clocked").textContent = words.clock;
      part(".counts").textContent = this.text(r.rated ? "rated" : "casual");
      const { low, high } = r;
      part(".range").textContent = low || high ? ` · ${this.text(low && high ? "range" : low ? "range.low" : "range.high", { low: low ?? 0, high: high ?? 0 })}` : "";
      part("button").setAttribute("aria-label", this.text("row-join", { name: r.name, ...words }));
      this.#rows.set(r.seek, li);
    }
    const why = unjoinable(r, this.#can);
    const said = /** @type {HTMLElement} */ (li.querySelector(".why"));
    said.textContent = why && this.text(why);
    this.#own(r.seek);
    li.toggleAttribute("data-gone", r.gone !== undefined);
    if (r.gone) li.querySelector("button")?.setAttribute("aria-disabled", "true");
    return li;
  }

  /** Marks the viewer's own seek in place of the button. @param {string} id */
  #own(id) {
    const li = this.#rows.get(id);
    const own = this.#wait?.seek === id;
    const why = /** @type {HTMLElement} */ (li?.querySelector(".why"));
    why.hidden = own || why.textContent === "";
    /** @type {HTMLElement} */ (li?.querySelector("button")).hidden = own || why.textContent !== "";
    /** @type {HTMLElement} */ (li?.querySelector(".own")).hidden = !own;
  }
}

export const lobby = document.querySelector("#seeks") ? new Lobby() : null;
