// @ts-check
/**
 * The page of a tournament. It follows the tournament's room, and writes what has changed: boards,
 * standings, players, and what the viewer has to do.
 *
 * @typedef {import("./state.js").Frame} Frame
 * @typedef {import("./state.js").Event} Event
 * @typedef {import("./state.js").Change} Change
 */

import { element, find, show, write } from "../lib/dom.js";
import { GlanceLink } from "../lib/glancelink.js";
import { playFriend } from "../sound/sound.js";
import { namesIn, translator } from "../lib/text.js";
import { Announcement } from "./announcement.js";
import { Boards } from "./boards.js";
import { showDeleted } from "./deleted.js";
import { cameTo, goTo } from "./go.js";
import { next, now, stageText } from "./news.js";
import { Requests } from "./requests.js";
import { drawStandings, merged } from "./standings.js";
import { fold, inWaves, lastRound, open, playerOf, takesPart } from "./state.js";

export class Hall {
  /** @type {Event | null} */
  event = null;
  #data = JSON.parse(find("#event-data").textContent ?? "{}");
  /** @type {Record<string, string>} */
  #names = this.#data.names ?? {};
  /** @type {import("./standings.js").Row[]} */
  #rows = this.#data.rows ?? [];
  #table = this.#data.table ?? 0; // the entry after which they are so
  #said = document.querySelector("#me-said")?.textContent ?? "";

  /** @param {{also: import("../lib/socket.js").Also[], other: (frame: Frame) => void}} wiring other: rooms beside it */
  constructor({ also, other }) {
    const { room, seq, now: time, snap } = this.#data;
    this.t = translator(JSON.parse(find("#event-texts").textContent ?? "{}"), document.documentElement.lang);
    if (snap) this.event = open({ t: "snap", room, seq, now: time, snap }, Date.now());
    this.requests = new Requests(room, {
      names: (answer) => {
        Object.assign(this.#names, namesIn(this.t, answer));
        this.#draw();
      },
      table: ({ seq, rows }) => {
        this.#table = seq;
        this.#standings(rows);
      },
      page: (data) => {
        this.#table = data.table;
        this.#rows = data.rows;
        Object.assign(this.#names, data.names);
        this.#draw();
      },
    });
    this.announcement = new Announcement(document.querySelector("#announced"), room);
    this.boards = new Boards(this.t, (n) => this.name(n), this.event?.state.settings.games === 2);
    this.link = new GlanceLink({
      room,
      also,
      more: () => ({ brief: true }),
      since: () => this.event?.seq,
      onFrame: (frame) => (frame.room === room ? this.#receive(frame) : other(frame)),
      onState: (state) => this.#connection(state === "on"),
    });
    setInterval(() => this.#tick(), 1_000);
    this.#tick();
    if (this.event) this.#drawMe(this.event.state); // the game may be open already: its player joined a moment ago
  }

  /** Returns the name of a player. @param {number} n */
  name(n) {
    const id = this.event?.state.players[n - 1]?.id ?? "";
    return this.#names[id] ?? this.t("nobody", { n });
  }

  /** @param {boolean} on */
  #connection(on) {
    const line = document.querySelector("#event-link");
    if (!line) return;
    clearTimeout(this.#silence);
    if (on) write(line, "");
    else this.#silence = window.setTimeout(() => write(line, this.t("off")), 1_000);
  }
  #silence = 0;

  /** @param {Frame} frame */
  #receive(frame) {
    if (frame.t === "note" && frame.kind === "renamed") return this.#renamed(frame.n);
    if (frame.t === "table") return this.#onTable(/** @type {any} */ (frame));
    if (frame.t === "gone" && frame.code !== "no-room")
      return void setTimeout(() => this.link.subscribe(), 200 + 800 * Math.random());
    const known = this.event;
    if (!known && frame.t !== "snap") return;
    /** @type {import("./state.js").Folded} */
    const { event, resync, before, change } = known
      ? fold(known, frame, Date.now())
      : { event: open(frame, Date.now()) };
    this.event = event;
    if (resync) return this.link.subscribe({ fresh: true });
    if (event.state.stage === "deleted") {
      this.event = null; // nothing is drawn any more
      return showDeleted(this.t("deleted"), this.t("deleted.list"));
    }
    if (frame.t === "sync" || event === known) return;
    this.#changed(before, change);
  }

  /** @param {import("./state.js").State | undefined} before @param {Change | undefined} change undefined: anything */
  #changed(before, change) {
    const { state } = /** @type {Event} */ (this.event);
    if (before?.stage === "running" && state.stage === "entry") this.requests.reload(state); // round 1 was taken back
    const began = before && before.rounds.length !== state.rounds.length;
    if (began) this.boards.clear();
    show("#round", state.rounds.length > 0);
    if (state.rounds.length > 0 && !inWaves(state))
      write(find("#round-heading"), this.t("round", { n: state.rounds.length }));
    const unnamed = state.players.find((p) => p.id && !(p.id in this.#names));
    if (unnamed) this.requests.askNames(state, unnamed.n);
    const taken = change?.players?.some((p) => p.id !== (before?.players[p.n - 1] ?? p).id); // by another person
    const all = !change || began || taken;
    if (all || before?.stage !== state.stage) this.requests.refresh(state);
    else if (change.boards?.some((b) => b.result)) this.requests.results(state);
    find("#event").dataset.stage = state.stage;
    if (all) this.#draw();
    else this.#draw((change.round === state.rounds.length && change.boards) || []);
  }

  /** Fetches the new name of a player. Once the rounds have begun, the server draws the names. @param {number} n */
  #renamed(n) {
    if (!this.event) return;
    const { state } = this.event;
    if (state.rounds.length > 0) this.requests.refresh(state);
    else this.requests.askNames(state, n);
  }

  /**
   * Takes in rows of the standings that have changed.
   * @param {{from: number, seq: number, rows: any[], gone?: number[]}} frame
   */
  #onTable({ from, seq, rows, gone }) {
    if (seq <= this.#table) return;
    if (this.#table < from) return this.event ? this.requests.results(this.event.state, true) : undefined;
    this.#table = seq;
    if (rows.length > 0 || gone) this.#standings(merged(this.#rows, rows, gone));
  }

  /** @param {import("./standings.js").Row[]} rows */
  #standings(rows) {
    this.#rows = rows;
    const table = document.querySelector("#standings");
    if (!table) return;
    this.requests.told();
    const complete = drawStandings(/** @type {HTMLElement} */ (table), rows);
    if (this.event && !complete) this.requests.refresh(this.event.state); // a player has joined or withdrawn
  }

  /**
   * Draws the tournament.
   * @param {import("./state.js").Board[]} [boards] those that have changed; without it, the names may have changed too
   */
  #draw(boards) {
    const { event } = this;
    if (!event) return;
    const { state } = event;
    this.boards.draw(boards ?? lastRound(state), inWaves(state));
    if (state.stage === "over") show("#enter", false);
    show("#boards", state.stage === "running");
    this.#drawEntered(state);
    this.#drawMe(state);
    this.#tick();
  }

  /** Draws the players, before the first round. @param {import("./state.js").State} state */
  #drawEntered(state) {
    const list = document.querySelector("#entered");
    if (!list) return;
    const here = state.players.filter(takesPart);
    show("#nobody", here.length === 0);
    list.replaceChildren(
      ...here.map((p) => {
        const item = element("li", { "data-player": p.n });
        if (p.id === this.#data.me) item.setAttribute("aria-current", "true");
        item.append(element("bdi", {}, this.name(p.n)));
        if (p.rating) item.append(" ", element("span", { class: "quiet rating" }, p.rating));
        if (p.here)
          item.append(
            " ",
            element("span", { class: "tick", "aria-hidden": "true" }, "✓"),
            element("span", { class: "unseen" }, this.t("in")),
          );
        return item;
      }),
    );
  }

  /** Draws what the viewer does, as a player. @param {import("./state.js").State} state */
  #drawMe(state) {
    const me = playerOf(state, this.#data.me);
    const panel = /** @type {HTMLElement | null} */ (document.querySelector("#me"));
    if (!panel || !me) return;
    panel.hidden = false;
    const time = Date.now() + /** @type {Event} */ (this.event).ahead;
    const { said, game } = now(this.t, state, me.n, (n) => this.name(n), time);
    if (state.stage !== "over") write(find("#me-said"), said);
    const link = /** @type {HTMLAnchorElement} */ (find("#me-play"));
    show(link, game !== "");
    if (game) link.href = `/${game}`;
    const need = document.querySelector(".need");
    if (need && game === "") need.remove(); // the game is over
    show("#here", !me.here && !me.out && state.stage === "entry");
    show("#more-me", !me.out && state.stage !== "over");
    if (said !== this.#said && this.#said) find("#say").textContent = said; // spoken once
    this.#said = said;
    if (game && !cameTo(game)) goTo(game, this.t("go"), playFriend); // a player who has left their game stays here
  }

  #tick() {
    const { event } = this;
    if (!event) return;
    this.announcement.draw(event.state.announced, Date.now() + event.ahead);
    write(find("#stage span"), stageText(this.t, event.state));
    const line = document.querySelector("#me-next");
    const comes = next(this.t, event.state, Date.now() + event.ahead);
    if (line) write(line, comes === this.#said ? "" : comes);
    if ((event.state.ends ?? 0) > 0) this.#drawMe(event.state); // the wait of a player ends with the time
  }
}
