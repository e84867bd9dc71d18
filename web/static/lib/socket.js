// @ts-check
/**
 * A WebSocket that reconnects by itself. It subscribes again from the last message it saw, and
 * repeats each command until the server has answered it.
 *
 * @typedef {{t: string, room?: string, id?: string, code?: any, repeats?: boolean, [more: string]: any}} Frame
 *   a message of the protocol (PROTOCOL.md); model/state.js lists what else a frame of a game holds;
 *   repeats: set here on a refusal after which the link repeats the command
 * @typedef {{kind: string, [more: string]: any}} Command
 * @typedef {{path?: string, room: string, since?: () => number | undefined, onFrame: (frame: Frame) => void,
 *   onState?: (state: "on" | "retrying" | "final", code: number) => void, onPace?: (slow: boolean) => void,
 *   more?: () => Record<string, any>, also?: Also[], plays?: () => boolean | undefined}} Wiring
 *   path: of the socket, else "/ws"; room: "" for no room; since: the last number seen, undefined asks
 *   for a snapshot; more: further fields of the subscription; also: other rooms to follow; plays: whether
 *   this tab is the one that plays, undefined without a seat
 * @typedef {{room: string, quiet?: boolean, brief?: boolean, glance?: boolean, since?: () => number | undefined}} Also
 * @typedef {{fresh?: boolean, take?: boolean, back?: boolean}} How
 *   fresh: ask for a snapshot; take: play in this tab; back: this is a new connection
 */

import { pause } from "./backoff.js";
import { inLanguage } from "./language.js";

const patience = 5_000; // ms; a longer wait for an answer means that the connection is dead
const silence = 15_000; // ms without a message until the connection is tested
const slow = 600; // ms for a round trip; three in a row make a slow connection
const soon = 2_000; // ms until a slow round trip is measured again
const again = 1_000; // ms until a command that could not be carried out is repeated
const nextCopy = 200; // ms until the next copy of an ended room is there
const final = ["no-room", "quarantined", "bad-frame"]; // after these refusals a subscription is not repeated

export class Link {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, Command>} commands without an answer, in the order in which they were given */
  #waiting = new Map();
  /** @type {Map<string, (err: Frame | null) => void>} */
  #answers = new Map();
  #tries = 0;
  #retry = 0;
  #watchdog = 0;
  #quiet = 0;
  #counter = 0;
  #ready = false; // the subscription is answered: commands may go
  #connectedBefore = false; // there has been a connection before
  /** @type {Map<string, number>} the time at which each unanswered message was sent; "" is a ping */
  #sent = new Map();
  #slowTrips = 0; // slow round trips in a row
  #final = false;
  #how = /** @type {How} */ ({}); // of the last subscription
  #prefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(36)).join("");

  /** @param {Wiring} wiring */
  constructor(wiring) {
    this.wiring = wiring;
    addEventListener("online", () => this.retryNow());
    addEventListener("pagehide", () => this.#socket?.close(1000));
    addEventListener("pageshow", (e) => e.persisted && this.retryNow());
    // The page is visible again. The connection may have died meanwhile, and the board may be old.
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#ping());
    this.#connect();
  }

  /** Subscribes to the room again, from the last message seen or for a snapshot. @param {How} [how] */
  subscribe(how = {}) {
    const { fresh, take, back } = (this.#how = how);
    this.#ready = false;
    if (!this.wiring.room) return this.#subscribed();
    /** @type {Record<string, any>} */
    const frame = { t: "sub", room: this.wiring.room, ...this.wiring.more?.() };
    const since = fresh ? undefined : this.wiring.since?.();
    if (since !== undefined) frame.since = since;
    if (take) frame.take = true;
    else if (back)
      Object.assign(frame, { true: { take: true }, false: { reads: true } }[String(this.wiring.plays?.())]);
    this.send(frame);
  }

  /** Subscribes to another room, from the last message seen or for a snapshot. @param {Also} other */
  follow({ since, ...more }) {
    this.send({ t: "sub", ...more, since: since?.() });
  }

  /**
   * Sends a command. It is repeated under the same id until it is answered, also over a new
   * connection.
   * @param {Command} command
   * @param {(err: Frame | null) => void} [answered] called with the refusal, or null
   * @returns {string} the id, which a refusal names
   */
  command(command, answered) {
    const id = this.#newID();
    this.#waiting.set(id, command);
    if (answered) this.#answers.set(id, answered);
    if (this.#ready) this.#sendCommand(id, command);
    return id;
  }

  #newID() {
    return `${this.#prefix}-${(this.#counter++).toString(36)}`;
  }

  /** Sends a message that may be lost. Returns its id, "" without a connection. @param {Record<string, any>} frame */
  tell(frame) {
    const id = this.#newID();
    this.send({ room: this.wiring.room, id, ...frame });
    return this.#socket?.readyState === WebSocket.OPEN ? id : "";
  }

  /** Reconnects or subscribes now instead of waiting for the next attempt. */
  retryNow() {
    const state = this.#socket?.readyState;
    if (this.#final || state === WebSocket.CONNECTING) return;
    clearTimeout(this.#retry);
    if (state !== WebSocket.OPEN) this.#connect();
    else if (!this.#ready) this.subscribe(this.#how);
  }

  /** Reconnects or subscribes after a pause. @param {string} reason of the close frame */
  #retryLater(reason) {
    clearTimeout(this.#retry);
    this.#retry = window.setTimeout(() => this.retryNow(), pause(reason, this.#tries++, Math.random()));
  }

  /** Closes the connection permanently. The caller knows why, so [Wiring.onState] is not called. */
  end() {
    this.#final = true;
    clearTimeout(this.#retry);
    this.#socket?.close(1000);
    this.#socket = null; // the other timers ask for it
  }

  #connect() {
    const url = `${location.protocol.replace("http", "ws")}//${location.host}${this.wiring.path ?? "/ws"}`;
    const socket = new WebSocket(inLanguage(url), "mancala.v1");
    this.#socket = socket;
    this.#ready = false;
    this.#sent.clear();
    this.#expectAnswer(2 * patience); // a handshake can hang too
    socket.onopen = () => {
      this.subscribe({ back: this.#connectedBefore });
      for (const other of this.others()) this.follow(other);
      this.#connectedBefore = true;
    };
    socket.onmessage = (e) => {
      if (socket !== this.#socket) return;
      this.#alive();
      /** @type {Frame} */
      let frame;
      try {
        frame = JSON.parse(e.data);
      } catch {
        return this.subscribe({ fresh: true }); // half a message: nothing after it can be trusted
      }
      this.receive(frame);
    };
    socket.onclose = (e) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      this.#ready = false;
      clearTimeout(this.#watchdog);
      clearTimeout(this.#quiet);
      // Codes from 4500 on are final: reconnecting would not help.
      if (this.#final || (e.code >= 4500 && e.code <= 4999)) {
        this.#final = true;
        this.wiring.onState?.("final", e.code);
        return;
      }
      this.wiring.onState?.("retrying", e.code);
      this.#retryLater(e.reason);
    };
  }

  /** Returns the rooms that a new connection follows beside its own. @returns {Also[]} */
  others() {
    return this.wiring.also ?? [];
  }

  /** @param {Frame} frame */
  receive(frame) {
    const mine = frame.room === this.wiring.room;
    if (mine && (frame.t === "sync" || frame.t === "snap") && !this.#ready) {
      this.#subscribed();
      this.wiring.onFrame(frame);
      for (const [id, command] of this.#waiting) this.#sendCommand(id, command);
      this.#ping();
      return;
    }
    if (frame.t === "pong") return this.#measurePace("");
    const refused = frame.t === "err" && !frame.id;
    if (mine && refused && !this.#ready && !final.includes(frame.code))
      return this.#retryLater(/^[mu]/.test(frame.code) ? `retry-ms=${again}` : ""); // moved or unavailable: soon
    const lost = refused || frame.t === "gone";
    const other = lost && this.wiring.also?.find((a) => a.room === frame.room);
    if (other) setTimeout(() => this.follow(other), 500 + 1000 * Math.random());
    const { id = "" } = frame;
    const asked = this.#waiting.has(id);
    if (asked && frame.t === "err") frame.repeats = this.#repeatsLater(id, frame.code);
    this.wiring.onFrame(frame); // first: a caller that gets its answer already sees what the command did
    if (!asked) return;
    this.#measurePace(id);
    if (!frame.repeats) this.#answered(id, frame.t === "err" ? frame : null);
  }

  /** Notes that the subscription is answered, or that there is none. */
  #subscribed() {
    this.#ready = true;
    this.#tries = 0;
    this.wiring.onState?.("on", 0);
  }

  /** Reports whether a refusal is not final, and repeats the command then. @param {string} id @param {string} code */
  #repeatsLater(id, code) {
    const away = code === "moved" || code === "not-following"; // this copy of the room has ended
    if (!away && code !== "busy" && code !== "unavailable") return false;
    clearTimeout(this.#watchdog);
    setTimeout(() => {
      const command = this.#waiting.get(id);
      if (!command || !this.#ready) return; // it goes with the next subscription
      if (away && command.room === undefined) this.subscribe();
      else this.#sendCommand(id, command);
    }, away ? nextCopy * (0.5 + Math.random()) : again);
    return true;
  }

  /** @param {string} id of the answered message */
  #measurePace(id) {
    const sent = this.#sent.get(id);
    this.#sent.delete(id);
    if (sent === undefined || document.hidden) return; // the browser throttles hidden pages
    this.#slowTrips = performance.now() - sent > slow ? this.#slowTrips + 1 : 0;
    this.wiring.onPace?.(this.#slowTrips >= 3);
    if (this.#slowTrips > 0) this.#alive();
  }

  /** @param {string} id @param {Frame | null} err */
  #answered(id, err) {
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) clearTimeout(this.#watchdog);
    this.#answers.get(id)?.(err);
    this.#answers.delete(id);
  }

  /** @param {string} id @param {Command} command */
  #sendCommand(id, command) {
    this.#sent.set(id, performance.now());
    this.send({ t: "cmd", room: this.wiring.room, id, ...command });
    this.#expectAnswer(patience);
  }

  /** Notes that something was heard: the connection lives, unless it owes an answer. */
  #alive() {
    if (this.#waiting.size === 0) clearTimeout(this.#watchdog);
    clearTimeout(this.#quiet);
    this.#quiet = window.setTimeout(() => this.#ping(), this.#slowTrips > 0 ? soon : silence);
  }

  /** Tests the connection: a dead one looks like one on which nothing happens. */
  #ping() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (!this.#sent.has("")) this.#sent.set("", performance.now());
    this.send({ t: "ping" });
    if (this.#waiting.size === 0) this.#expectAnswer(patience);
  }

  /** Drops this connection unless something is heard in time. @param {number} time ms */
  #expectAnswer(time) {
    clearTimeout(this.#watchdog);
    const socket = this.#socket;
    this.#watchdog = window.setTimeout(() => {
      // Closing a dead connection may take long. It is left behind.
      if (socket && socket === this.#socket) {
        socket.close(4000);
        socket.onclose?.(new CloseEvent("close", { code: 4000 }));
      }
    }, time);
  }

  /** Sends a message, if there is a connection. @param {Record<string, any>} frame */
  send(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}
