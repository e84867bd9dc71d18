// @ts-check
/**
 * The queue of moves that are being shown, driven by a clock. hand.js draws them. The
 * board is never wrong at rest: when nothing is shown, `shown` is null and the counts of the game
 * are valid.
 *
 * @typedef {import("../model/trace.js").Board} Board
 * @typedef {import("../model/trace.js").Event} Event
 * @typedef {import("../model/trace.js").Slot} Slot
 * @typedef {import("./beats.js").Beat} Beat
 * @typedef {{before: Board, events: Event[], again: boolean, most?: number, name?: string}} Move
 *   name: of a move that the server has not acknowledged yet
 * @typedef {{begin: (move: Move) => void, open: (beat: Beat, events: Event[], ms: number) => void,
 *   close: (beat: Beat, events: Event[]) => void, put: (slot: Slot, n: number, marks?: string) => void,
 *   clear: () => void, dots: (events: Event[]) => void}} HandView open, close: the two ends of a beat, ms apart
 * @typedef {{hand: HandView, how: () => {speed: string, reduced: boolean, hidden: boolean},
 *   row: (slot: Slot) => number, onSound: (what: "seed" | "take" | "again", share: number, at?: Slot) => void,
 *   onStep: (beat: Beat, events: Event[]) => void, onBegin: (ms: number) => void,
 *   onEnd: (tapped: boolean) => void}} Wiring
 *   onBegin: a move is shown, for so long; onEnd: the animation is over; tapped: the viewer has ended it;
 *   onStep: what a viewer who steps is told
 */

import { apply, arrive, copy, leave } from "../model/trace.js";
import { plan } from "./beats.js";

const signs = ["claim", "unhouse", "block"]; // events that are shown with a glow
const longest = 3; // waiting moves; with more of them, only the newest is shown
const frame = 17; // ms for a frame of the screen
const time = {
  now: () => performance.now(),
  /** @param {() => void} call @param {number} ms */
  later: (call, ms) => +setTimeout(call, ms),
  /** @param {number} id */
  cancel: (id) => clearTimeout(id),
};

export class Sowing {
  /** @type {Move[]} the first one is being shown */
  #queue = [];
  /** @type {Board | null} */
  #now = null;
  /** @type {Beat[]} */
  #beats = [];
  #i = 0; // the current beat, or the next one
  #open = false; // the current beat has begun
  #begun = 0; // the time at which the first beat began, by the clock
  #rate = 1;
  #timer = 0;
  #stop = Infinity; // stepping stops before this beat

  /** @param {Wiring} wiring @param {typeof time} [clock] */
  constructor(wiring, clock = time) {
    this.wiring = wiring;
    this.clock = clock;
  }

  /** Returns the position to show instead of the game's; null at rest. */
  get shown() {
    return this.#now;
  }

  get stepping() {
    return this.#now !== null && this.#stop < Infinity;
  }

  /**
   * Reports whether a move of this player is shown that the server has not acknowledged.
   * @param {string} [name] of that move; any if undefined
   */
  awaits(name) {
    return this.#queue.some((move) => move.name !== undefined && (name === undefined || move.name === name));
  }

  /** Shows a move after those that are waiting. @param {Move} move */
  add(move) {
    if (this.stepping) this.clear();
    this.#queue.push(move);
    if (this.#queue.length === 1) return this.#begin();
    if (this.#queue.length > longest + 1) {
      this.clear();
      this.#queue = [move];
      return this.#begin();
    }
    this.#hasten();
  }

  /** Notes that the server has acknowledged a move. @param {string} name */
  confirm(name) {
    for (const move of this.#queue) if (move.name === name) delete move.name;
    if (this.#now && this.#i >= this.#beats.length) this.#ended();
  }

  /** Jumps to the end. A move of this player still waits for its acknowledgement. */
  finish() {
    const last = this.#queue[this.#queue.length - 1];
    if (!last || (last.name !== undefined && this.#i >= this.#beats.length && this.#queue.length === 1)) return;
    this.clear();
    if (last.name !== undefined) {
      this.#queue = [last];
      this.#now = apply(last.before, last.events);
    }
    this.wiring.onEnd(true);
  }

  /** Stops showing anything. */
  clear() {
    this.#queue = [];
    this.#rest();
    this.wiring.hand.clear();
  }

  /** Shows nothing any more. */
  #rest() {
    this.clock.cancel(this.#timer);
    [this.#now, this.#beats, this.#i, this.#open] = [null, [], 0, false];
    [this.#rate, this.#stop] = [1, Infinity];
  }

  /** Shows the next event of the current move, or the first of a move. @param {Move | null} move */
  step(move) {
    if (this.#now && this.#i >= this.#beats.length) return; // only the acknowledgement is missing
    if (!this.#now) {
      if (!move) return;
      this.#queue = [move];
      this.#begin(true);
    } else if (!this.stepping) this.#walk();
    else this.#skip();
    const beats = this.#beats;
    let to = this.#i;
    while (beats[to]?.kind === "mark") to++;
    if (beats[to]) this.wiring.onStep(beats[to], this.#part(beats[to]));
    if (beats[to + 1]?.kind === "hold") to++;
    this.#stop = to + 1;
    this.#begun = this.clock.now() - (beats[this.#i]?.at ?? 0) / this.#rate;
    this.#tick();
  }

  /** @param {boolean} [every] event by event @returns {void} */
  #begin(every = false) {
    const { hand, how, row } = this.wiring;
    const move = this.#queue[0];
    const { speed, reduced, hidden } = how();
    const { beats, ms } = plan(move.events, {
      speed: hidden ? "instant" : speed,
      reduced,
      again: move.again,
      most: move.most,
      every,
      row,
    });
    this.#beats = beats;
    this.#i = 0;
    this.#open = false;
    this.#stop = every ? 0 : Infinity;
    if (beats.length === 0) {
      this.#now = apply(move.before, move.events);
      if (reduced && !hidden) hand.dots(move.events);
      if (!hidden) this.#sum(move);
      if (move.name === undefined) return this.#ended();
      this.wiring.onBegin(0); // the server's answer is missing; the rest of the page is drawn later
      return this.#putAll();
    }
    this.#now = copy(move.before);
    hand.begin(move); // measures places before anything is written
    this.wiring.onBegin(ms);
    this.#putAll();
    this.#begun = this.clock.now();
    if (this.#queue.length > 1) this.#hasten();
    if (move.name !== undefined) this.#tick(); // a tap is answered at once
    else if (!every) this.#goOnIn(frame);
  }

  /** Doubles the speed while other moves wait. */
  #hasten() {
    if (this.#rate === 2) return;
    const now = this.clock.now();
    this.#begun = now - (now - this.#begun) / 2;
    this.#rate = 2;
    if (this.#i < this.#beats.length) this.#tick();
  }

  /** Shows what is due, and sets the timer for what is next. A beat ends in one frame, the next begins in another. */
  #tick() {
    this.clock.cancel(this.#timer);
    const at = (this.clock.now() - this.#begun) * this.#rate;
    let closed = false;
    while (this.#i < Math.min(this.#beats.length, this.#stop)) {
      const beat = this.#beats[this.#i];
      const left = beat.at + beat.ms - at;
      if (closed && left > 2 * frame * this.#rate) return this.#goOnIn(frame);
      if (!this.#open) this.#opens(beat, Math.max(0, left) / this.#rate);
      if (left > 0.5) return this.#goOnIn(left / this.#rate);
      this.#closes(beat);
      closed = true;
    }
    if (this.#i < this.#beats.length) return;
    if (closed) this.#goOnIn(frame);
    else this.#ended();
  }

  /** @param {number} ms */
  #goOnIn(ms) {
    this.clock.cancel(this.#timer);
    this.#timer = this.clock.later(() => this.#tick(), ms);
  }

  /** @param {Beat} beat */
  #part(beat) {
    return this.#queue[0].events.slice(beat.from, beat.to);
  }

  /** @param {Beat} beat @param {number} ms */
  #opens(beat, ms) {
    const part = this.#part(beat);
    const now = /** @type {Board} */ (this.#now);
    this.#open = true;
    if (beat.kind !== "rush") for (const e of part) leave(now, e);
    this.#put(part.map((e) => e.slot));
    if (["again", ...signs].includes(beat.kind)) this.wiring.onSound("again", 1);
    const seizes = part[0]?.seized && !this.#queue[0].events[beat.from - 1]?.seized; // the first pit of a capture
    if (seizes && beat.kind === "lift") this.wiring.onSound("take", 1, part[0].slot);
    this.wiring.hand.open(
      beat,
      beat.ahead === undefined ? part : this.#queue[0].events.slice(beat.from, beat.ahead),
      ms,
    );
  }

  /** @param {Beat} beat */
  #closes(beat) {
    const part = this.#part(beat);
    const now = /** @type {Board} */ (this.#now);
    const { events } = this.#queue[0];
    if (beat.kind === "rush") this.#now = apply(now, part);
    else for (const e of part) arrive(now, e);
    this.#open = false;
    this.#i++;
    this.#put(part.flatMap((e) => (e.to === null ? [e.slot] : [e.slot, e.to])));
    if (beat.kind === "turn") this.#put(now.pits.map((_, pit) => pit));
    if (["drop", "rush", "give", "enter"].includes(beat.kind))
      this.wiring.onSound("seed", beat.to / events.length, part[part.length - 1].slot);
    if (beat.kind === "take" || beat.kind === "pass" || beat.kind === "sweep")
      this.wiring.onSound("take", 1, part[0].to ?? part[0].slot);
    this.wiring.hand.close(beat, part);
  }

  #putAll() {
    const { pits, stores } = /** @type {Board} */ (this.#now);
    this.#put([...pits.keys(), ...stores.map((_, side) => `s${side}`)]);
  }

  /** @param {Slot[]} slots */
  #put(slots) {
    const { pits, stores, marks } = /** @type {Board} */ (this.#now);
    for (const slot of new Set(slots))
      if (typeof slot === "number") this.wiring.hand.put(slot, pits[slot], marks?.[slot]);
      else this.wiring.hand.put(slot, stores[Number(slot.slice(1))]);
  }

  /** Plays the sound of a move that is not animated. @param {Move} move */
  #sum({ events, again }) {
    const takes = events.some((e) => e.kind === "take" || e.seized);
    const shines = again || events.some((e) => signs.includes(e.kind));
    this.wiring.onSound(takes ? "take" : shines ? "again" : "seed", 1);
  }

  /** Handles the end of the first move of the queue. @returns {void} */
  #ended() {
    this.clock.cancel(this.#timer);
    // its board stays until the server has answered
    if (this.#queue[0].name !== undefined) return this.wiring.onEnd(false);
    this.#queue.shift();
    if (this.#queue.length > 0) return this.#begin();
    this.#rest();
    this.wiring.onEnd(false);
  }

  /** Goes on event by event. */
  #walk() {
    this.clock.cancel(this.#timer);
    if (this.#open) this.#closes(this.#beats[this.#i]);
    const shown = this.#beats[this.#i - 1]?.to ?? 0;
    const { events, again } = this.#queue[0];
    this.#beats = plan(events, { again, every: true, row: this.wiring.row }).beats;
    this.#i = this.#beats.findIndex((beat) => beat.from >= shown && (beat.to > shown || beat.kind === "again"));
    if (this.#i < 0) this.#i = this.#beats.length;
    this.#rate = 1;
  }

  /** Completes the step that is being shown. */
  #skip() {
    this.clock.cancel(this.#timer);
    while (this.#i < this.#stop && this.#i < this.#beats.length) {
      if (!this.#open) this.#opens(this.#beats[this.#i], 0);
      this.#closes(this.#beats[this.#i]);
    }
  }
}
