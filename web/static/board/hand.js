// @ts-check
/**
 * Draws a sowing: the hand that carries the seeds, seeds that fall and fly, outlines and words
 * above the board (layer.js). Places are measured once for each move.
 *
 * @typedef {import("./beats.js").Beat} Beat
 * @typedef {import("./sowing.js").Move} Move
 * @typedef {import("../model/trace.js").Event} Event
 * @typedef {import("../model/trace.js").Slot} Slot
 * @typedef {import("./measure.js").Spot} Spot
 */

import { element } from "../lib/dom.js";
import { dots, falls, flight, sprites, stagger } from "./beats.js";
import { dot, removeAfter, ring, seed, word } from "./layer.js";
import { measureSeeds, measureSlots } from "./measure.js";

export class Hand {
  /** @type {Map<Slot, Spot>} */
  #spots = new Map();
  /** @type {ReturnType<typeof measureSeeds>} */
  #seeds = { starts: new Map(), ends: new Map() };
  /** @type {HTMLElement | null} */
  #hand = null;
  #held = 0;
  /** @type {{x: number, y: number}} the place of the hand */
  #at = { x: 0, y: 0 };
  #still = false;
  #laying = false; // seeds are laid out: they come from no other pit
  /** @type {Slot} where the last seed fell */
  #last = 0;
  /** @type {Slot | null} the store of the player who plays again */
  #home = null;
  /** @type {Animation[]} animations of pits that change places */
  #turning = [];

  /**
   * @param {import("./board.js").MancalaBoard} board
   * @param {import("../lib/text.js").T} t
   * @param {{still: () => boolean, speed: () => string, onScore: (side: number, n: number) => void}} wiring
   *   still: the viewer wants no motion
   */
  constructor(board, t, wiring) {
    this.board = board;
    this.t = t;
    this.wiring = wiring;
  }

  /** @param {Move} move */
  begin({ before, events }) {
    this.clear();
    this.#still = this.wiring.still();
    this.#home = events.flatMap((e) => [e.slot, e.to]).reverse().find((slot) => typeof slot === "string") ?? null;
    this.#spots = measureSlots(this.board, before, events);
    if (!this.#still) this.#seeds = measureSeeds(this.board, before, events);
  }

  /** @param {Slot} slot @param {number} n */
  put(slot, n) {
    const added = this.board.put(slot, n);
    if (this.#laying) this.fall(added);
    if (typeof slot === "string") this.wiring.onScore(Number(slot.slice(1)), n);
  }

  /** Lets laid-out seeds fall into their places. @param {HTMLElement[]} seeds */
  fall(seeds) {
    const { ms, gap } = falls(seeds.length, { speed: this.wiring.speed(), reduced: this.wiring.still() });
    if (ms === 0) return;
    seeds.forEach((seed, i) =>
      seed.animate(
        { translate: ["0 -40px", "0 0"], opacity: [0, 1] },
        { duration: ms, delay: i * gap, easing: "ease-out", fill: "backwards" },
      ),
    );
  }

  /** @param {Beat} beat @param {Event[]} events @param {number} ms */
  open(beat, events, ms) {
    this.#laying = beat.kind === "lay";
    if (this.#still) this.#point(events);
    if (beat.kind === "lift") this.#lift(events[0], beat, ms);
    else if (beat.kind === "drop") this.#drop(events, beat, ms);
    else if (beat.kind === "rush") this.#rush(beat);
    else if (beat.kind === "hold") this.#hold(ms);
    else if (beat.kind === "mark") for (const e of events) this.#ring(e.slot, ms + 300, "taken");
    else if (beat.kind === "take" || beat.kind === "sweep" || beat.kind === "give") this.#fly(events, beat, ms);
    else if (beat.kind === "again") this.#again(ms);
    else if (beat.kind === "turn") this.#turn(ms);
  }

  /** @param {Beat} beat @param {Event[]} events */
  close(beat, events) {
    if (beat.kind === "take" || beat.kind === "sweep")
      for (const [slot, n] of total(events)) this.#float(slot, `+${n}`);
  }

  /** Clears the layer, except for words that fade by themselves. */
  clear() {
    for (const el of this.board.layer.querySelectorAll(":scope > :not(.float)")) el.remove();
    this.#hand = null;
    this.#laying = false;
    this.board.hold(0);
    for (const turning of this.#turning.splice(0)) turning.cancel();
    this.#spots = new Map();
    this.#seeds = { starts: new Map(), ends: new Map() };
  }

  /** Numbers the pits, for viewers who want no motion. @param {Event[]} events */
  dots(events) {
    this.begin({ before: { pits: [], stores: [] }, events, again: false });
    for (const [slot, text] of dots(events)) {
      const spot = this.#spots.get(slot);
      if (spot) dot(this.board.layer, spot, text);
    }
  }

  /** @param {Event} e @param {Beat} beat @param {number} ms */
  #lift(e, { lap, from: index }, ms) {
    const spot = this.#spots.get(e.slot);
    if (!spot) return;
    this.#held = e.n;
    const from = this.#hand ? this.#at : { x: spot.x, y: spot.y };
    if (!this.#hand) {
      this.#hand = element("div", { class: "hand" });
      this.#hand.append(element("b", {}), element("span", { class: "lap" }));
      const size = Math.round(Math.max(30, Math.min(46, 0.85 * Math.min(spot.w, spot.h))));
      this.#hand.style.setProperty("--size", `${size}px`);
      this.#hand.style.setProperty("--owner", `var(--p${this.board.cell(e.slot)?.dataset.owner})`);
      this.board.layer.append(this.#hand);
    }
    const to = spot.hand;
    this.#count();
    /** @type {HTMLElement} */ (this.#hand.lastElementChild).textContent =
      lap > 1 ? this.t("motion.lap", { n: lap }) : "";
    this.#move(from, to, ms, "ease-out", lap > 1 ? 1 : 0.6);
    const starts = this.#seeds.starts.get(index) ?? [];
    for (const start of starts) if (start) seed(this.board.layer, start, to, { ms, easing: "ease-in" });
  }

  /** @param {Event[]} events @param {Beat} beat @param {number} ms */
  #drop(events, { from }, ms) {
    const slot = events[events.length - 1].slot;
    const spot = this.#spots.get(slot);
    if (!spot) return;
    this.#last = slot;
    const to = spot.hand;
    if (this.#hand) this.#move(this.#at, to, ms / 2, "ease-in-out");
    this.#held -= events.length;
    this.#count();
    if (this.#still) return;
    const air = flight * ms;
    events.slice(0, sprites).forEach((e, i) => {
      const end = this.#seeds.ends.get(from + i) ?? this.#spots.get(e.slot) ?? to;
      seed(this.board.layer, to, end, { ms: air, delay: ms - air, easing: "ease-out" });
    });
  }

  /** Outlines what an event is about, for viewers who want no motion. @param {Event[]} events */
  #point(events) {
    for (const old of this.board.layer.querySelectorAll(".touched")) old.remove();
    for (const { slot, to } of events) {
      this.#ring(slot, Infinity, "touched");
      if (to !== null) this.#ring(to, Infinity, "touched");
    }
  }

  /**
   * Turns the board round: each pit moves to the place of the same pit of the other side.
   * @param {number} ms
   */
  #turn(ms) {
    if (this.#still) return;
    for (const [slot, from] of this.#spots) {
      const to = this.#spots.get((Number(slot) + this.#spots.size / 2) % this.#spots.size);
      const cell = this.board.cell(slot);
      if (!to || !cell) continue;
      const way = { translate: ["0 0", `${to.x - from.x}px ${to.y - from.y}px`] };
      this.#turning.push(cell.animate(way, { duration: ms, easing: "ease-in-out" }));
    }
  }

  /** The last seed fell into the store: its owner plays on. @param {number} ms */
  #again(ms) {
    if (this.#home === null) return;
    this.#ring(this.#home, ms, "glow");
    this.#float(this.#home, this.t("motion.again"));
  }

  /** @param {Beat} beat */
  #rush({ laps = 0 }) {
    if (!this.#hand) return;
    this.#hand.classList.add("rush");
    /** @type {HTMLElement} */ (this.#hand.lastElementChild).textContent = this.t("motion.rush", { n: laps });
  }

  /** @param {number} ms */
  #hold(ms) {
    this.#ring(this.#last, ms, "landed");
    const hand = this.#hand;
    this.#hand = null;
    this.board.hold(0);
    if (!hand) return;
    if (this.#still) hand.remove();
    else removeAfter(hand, hand.animate({ opacity: [1, 0] }, { duration: Math.min(ms, 150), fill: "forwards" }));
  }

  /**
   * Seeds fly from pits to their destination, or off the board.
   * @param {Event[]} events
   * @param {Beat} beat
   * @param {number} ms
   */
  #fly(events, { from: index }, ms) {
    if (this.#still) return;
    const all = events.flatMap((e, i) => (this.#seeds.starts.get(index + i) ?? []).map((from) => ({ e, from })));
    const share = Math.max(1, all.length / sprites);
    const some = Array.from({ length: Math.min(all.length, sprites) }, (_, i) => all[Math.floor(i * share)]);
    some.forEach(({ e, from }, i) => {
      const start = from ?? this.#spots.get(e.slot);
      const end = e.to === null ? null : this.#spots.get(e.to);
      if (!start) return;
      const how = { ms: ms - (some.length - 1) * stagger, delay: i * stagger, easing: "ease-in-out" };
      if (end) seed(this.board.layer, start, end, how);
      else seed(this.board.layer, start, { x: start.x, y: start.y - 60 }, { ...how, opacity: 0 });
    });
  }

  /** @param {Slot} slot @param {number} ms @param {string} kind */
  #ring(slot, ms, kind) {
    const spot = this.#spots.get(slot);
    if (spot) ring(this.board.layer, spot, ms, kind);
  }

  /** @param {Slot} slot @param {string} text */
  #float(slot, text) {
    const spot = this.#spots.get(slot);
    if (spot) word(this.board.layer, spot, text, this.#still);
  }

  #count() {
    this.board.hold(this.#held);
    if (!this.#hand) return;
    this.#hand.toggleAttribute("data-empty", this.#held <= 0); // the empty hand is transparent above the last seed
    /** @type {HTMLElement} */ (this.#hand.firstElementChild).textContent = this.#held > 0 ? String(this.#held) : "";
  }

  /**
   * @param {{x: number, y: number}} from
   * @param {{x: number, y: number}} to
   * @param {number} ms
   * @param {string} easing
   * @param {number} [size] scale at the beginning
   */
  #move(from, to, ms, easing, size = 1) {
    this.#at = to;
    const [a, b] = [`translate(${from.x}px, ${from.y}px) scale(${size})`, `translate(${to.x}px, ${to.y}px)`];
    const hand = /** @type {HTMLElement} */ (this.#hand);
    hand.style.transform = b;
    if (!this.#still && ms > 0) hand.animate({ transform: [a, b] }, { duration: ms, easing });
  }
}

/** The number of seeds that each slot gets. @param {Event[]} events @returns {Map<Slot, number>} */
function total(events) {
  const got = new Map();
  for (const { to, n } of events) if (to !== null) got.set(to, (got.get(to) ?? 0) + n);
  return got;
}
