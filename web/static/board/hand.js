// @ts-check
/**
 * Draws a sowing: the hand that carries the seeds (palm.js), seeds that fall and settle, outlines
 * and words above the board (layer.js). Places are measured once.
 *
 * @typedef {import("./beats.js").Beat} Beat
 * @typedef {import("./sowing.js").Move} Move
 * @typedef {import("../model/trace.js").Event} Event
 * @typedef {import("../model/trace.js").Slot} Slot
 * @typedef {import("./measure.js").Spot} Spot
 * @typedef {{x: number, y: number, tint?: number}} Point
 */

import { element } from "../lib/dom.js";
import { dots, falls, gains, gathering, reach, sprites } from "./beats.js";
import { countUp } from "./countup.js";
import { dot, fly, lie, rain, ring, word } from "./layer.js";
import { Places } from "./measure.js";
import { arc, fall, frame, Palm } from "./palm.js";
import { place } from "./seeds.js";

export class Hand {
  /** @type {Map<Slot, Spot>} */
  #spots = new Map();
  #palm = /** @type {Palm | null} */ (null);
  #held = 0;
  /** @type {HTMLElement[]} the seeds that fall in a beat; each beat uses them again */
  #falling = [];
  #still = false;
  #width = 1; // px of the board
  #laying = false; // seeds are laid out: they come from no other pit
  #first = /** @type {Slot} */ (0); // the slot from which the hand came
  #last = /** @type {Slot} */ (0); // the slot in which the last seed fell
  #home = /** @type {Slot | null} */ (null); // the store of the player who plays again
  /** @type {Animation[]} animations of pits that change places */
  #turning = [];
  /** @type {Map<Slot, () => void>} functions that end the counts of the stores, each at its last number */
  #counting = new Map();

  /**
   * @param {import("./board.js").MancalaBoard} board
   * @param {import("../lib/text.js").T} t
   * @param {{still: () => boolean, speed: () => string}} wiring
   *   still: the viewer wants no motion
   */
  constructor(board, t, wiring) {
    this.board = board;
    this.t = t;
    this.wiring = wiring;
    this.places = new Places(board);
  }

  /** @param {Pick<Move, "events">} move */
  begin({ events }) {
    const spots = this.places.of(events); // before anything is written: writing first costs a layout
    const width = this.board.offsetWidth || 1;
    this.clear();
    const begins = events.find(({ kind }) => kind === "enter" || kind === "lift"); // in a pit of the player who moves
    this.#first = begins?.to ?? begins?.slot ?? this.#first;
    this.#home = events.flatMap((e) => [e.slot, e.to]).reverse().find((slot) => typeof slot === "string") ?? null;
    [this.#spots, this.#width, this.#still] = [spots, width, this.wiring.still()];
  }

  /** @param {Slot} slot @param {number} n @param {string} [marks] of a pit */
  put(slot, n, marks) {
    const added = this.board.put(slot, n, marks);
    if (this.#laying) this.fall(added);
  }

  /** Lets laid-out seeds fall into their places. @param {HTMLElement[]} seeds */
  fall(seeds) {
    rain(seeds, falls(seeds.length, { speed: this.wiring.speed(), reduced: this.wiring.still() }));
  }

  /** @param {Beat} beat @param {Event[]} events @param {number} ms */
  open(beat, events, ms) {
    this.#laying = beat.kind === "lay";
    if (this.#still) this.#point(events);
    if (beat.kind === "lift") this.#lift(events[0], beat, ms);
    else if (beat.kind === "drop") this.#drop(events, ms);
    else if (beat.kind === "rush") this.#rush(events, beat.laps ?? 0, ms);
    else if (beat.kind === "hold") this.#hold(ms);
    else if (beat.kind === "mark") for (const e of events) this.#ring(e.slot, ms + 200, "taken");
    else if (beat.kind === "take" || beat.kind === "sweep") this.#gather(events, ms);
    else if (beat.kind === "give" || beat.kind === "pass" || beat.kind === "enter") this.#give(events[0], ms);
    else if (beat.kind === "again") this.#glow(this.#home, "motion.again");
    else if (beat.kind === "turn") this.#turn(ms);
    else if (beat.kind === "claim" || beat.kind === "unhouse" || beat.kind === "block")
      this.#glow(events[0].slot, `motion.${beat.kind}`);
  }

  /** @param {Beat} beat @param {Event[]} events */
  close({ kind, ms }, events) {
    if (kind === "drop" && !this.#still) for (const { slot } of events) this.board.settle(slot, 1.5 * ms);
    const emptied = kind === "take" || kind === "sweep";
    if (emptied) this.#palm?.open(200);
    if (emptied) this.#palm = null;
    else if (kind !== "pass") return;
    for (const [slot, n] of gains(events)) {
      this.#float(slot, `+${n}`);
      if (!this.#still) this.#count(slot, n);
    }
  }

  /** Returns the side on which a slot sounds: from -0.7, left, to 0.7. @param {Slot} slot */
  panOf(slot) {
    return 1.4 * ((this.#spots.get(slot)?.x ?? 0.5 * this.#width) / this.#width - 0.5);
  }

  /** Clears the layer, except for words that fade by themselves. */
  clear() {
    for (const el of this.board.layer.querySelectorAll(":scope > :not(.float)")) el.remove();
    [this.#palm, this.#laying, this.#held, this.#falling] = [null, false, 0, []];
    this.board.hold(0);
    for (const turning of this.#turning.splice(0)) turning.cancel();
    for (const end of this.#counting.values()) end();
    this.#counting.clear();
    this.#spots = new Map();
  }

  /** Numbers the pits, for viewers who want no motion. @param {Event[]} events */
  dots(events) {
    this.begin({ events });
    for (const [slot, text] of dots(events)) dot(this.board.layer, this.#spots.get(slot), text);
  }

  /** Moves the hand to a pit, where it takes the seeds. @param {Event} e @param {Beat} beat @param {number} ms */
  #lift(e, { lap }, ms) {
    const spot = this.#spots.get(e.slot);
    if (!spot) return;
    const palm = (this.#palm ??= this.#reach(spot));
    const seeds = this.#lying(e.slot, Math.min(e.n, sprites));
    palm.go(spot.hand, this.#still ? 0 : ms / 2);
    palm.fill(seeds.map(({ tint }) => tint), this.#still ? 0 : ms);
    palm.say(lap > 1 ? this.t("motion.lap", { n: lap }) : "");
    this.#carries(this.#held + e.n);
    if (!this.#still) lie(this.board.layer, seeds, ms, spot.hand);
  }

  /** Moves the hand to a pit, and lets one seed or several fall. @param {Event[]} events @param {number} ms */
  #drop(events, ms) {
    const { slot } = events[events.length - 1];
    const spot = this.#spots.get(slot);
    if (!spot) return;
    this.#last = slot;
    const way = this.#still ? 0 : reach * ms;
    this.#palm?.go(spot.hand, way);
    this.#carries(this.#held - events.length, way);
    if (this.#still) return;
    events.slice(0, sprites).forEach((e, i) => {
      const end = this.#seed(e.slot, Number(this.board.cell(e.slot)?.dataset.count));
      if (!end) return;
      const seed = (this.#falling[i] ??= this.board.layer.appendChild(element("i", {})));
      seed.className = `seed falling t${end.tint}`;
      seed.animate(fall(spot.hand, end, reach), Math.max(1, ms));
    });
  }

  /** Shows laps as one: the hand goes to their end. @param {Event[]} events @param {number} n @param {number} ms */
  #rush(events, n, ms) {
    const spot = this.#spots.get(events[events.length - 1].slot);
    if (spot) this.#palm?.go(spot.hand, reach * ms);
    this.#palm?.beat(this.t("motion.rush", { n }), ms);
  }

  /** Outlines what an event is about, for viewers who want no motion. @param {Event[]} events */
  #point(events) {
    for (const old of this.board.layer.querySelectorAll(".touched")) old.remove();
    for (const { slot, to } of events) {
      for (const at of [slot, to]) if (at !== null) this.#ring(at, Infinity, "touched");
    }
  }

  /** Turns the board round: each pit moves to the place of the other side's. @param {number} ms */
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

  /** Shows a ring and a word where something good happened. @param {Slot | null} slot @param {string} word */
  #glow(slot, word) {
    if (slot === null) return;
    this.#ring(slot, 700, "glow"); // one breath
    this.#float(slot, this.t(word));
  }

  /** Opens the hand: the last seed lies. @param {number} ms */
  #hold(ms) {
    this.#ring(this.#last, ms, "landed");
    this.#palm?.open(this.#still ? 0 : ms);
    this.#palm = null;
    this.board.hold(0);
  }

  /**
   * Moves a hand from pit to pit. It takes their seeds, and carries all of them in one movement to the store, or off
   * the board. Seeds that go to their own side are taken by its hand, whichever player moved.
   * @param {Event[]} events
   * @param {number} ms
   */
  #gather(events, ms) {
    const from = events.filter((e) => e.n > 0 && this.#spots.has(e.slot));
    if (this.#still || from.length === 0) return;
    const first = /** @type {Spot} */ (this.#spots.get(from[0].slot));
    const [{ share }, home] = [gathering(from.length), from[0].to];
    if (home === `s${this.board.cell(from[0].slot)?.dataset.owner}`) this.#first = from[0].slot;
    const end = (home !== null && this.#spots.get(home)) || { x: first.x, y: first.y - 90 };
    const above = from.map(({ slot }) => /** @type {Spot} */ (this.#spots.get(slot)).hand);
    const last = above[above.length - 1];
    const high = { x: (last.x + end.x) / 2, y: (last.y + end.y) / 2 - 28 };
    const stops = [...above, last, high]; // the places of the hand, in time order
    const times = [...above.map((_, k) => (share * (k + 1)) / (from.length + 1)), share, (share + 1) / 2];
    const way = (/** @type {number} */ k, x = 0, y = 0) =>
      stops.slice(k).map((at, i) => ({
        ...frame({ x: at.x + x, y: at.y + y }, at === high ? 1.2 : 1),
        offset: times[k + i],
        opacity: 1,
      }));
    this.#palm = this.#reach(first);
    const seeds = { n: from.reduce((sum, e) => sum + e.n, 0), share };
    this.#palm.follow([{ ...frame(first.hand, 1.3), opacity: 0 }, ...way(0), frame(end, 0.9)], ms, seeds);
    const each = Math.max(1, Math.floor(sprites / from.length));
    const { layer } = this.board;
    let lands = home === null ? 0 : Number(this.board.cell(home)?.dataset.count);
    from.forEach(({ slot, n }, k) => {
      const seeds = this.#lying(slot, Math.min(n, sprites));
      lie(layer, seeds.splice(k < sprites ? each : 0), times[k] * ms);
      seeds.forEach((start, i) => {
        const aim = home === null ? null : this.#seed(home, lands++);
        const held = way(k, 9 * Math.cos(5 * k + 2.4 * i), 6 * Math.sin(5 * k + 2.4 * i)); // in the palm
        const ways = [frame(start), { ...frame(start), offset: times[k] * 0.6 }, ...held];
        fly(layer, start.tint, [...ways, { ...frame(aim ?? end), opacity: aim ? 1 : 0 }], { ms, easing: "linear" });
      });
    });
  }

  /** Moves seeds from a slot to a pit, or to a store while the hand waits. @param {Event} e @param {number} ms */
  #give(e, ms) {
    if (this.#still || e.to === null) return;
    let lands = Number(this.board.cell(e.to)?.dataset.count);
    for (const start of this.#lying(e.slot, Math.min(e.n, sprites))) {
      const end = this.#seed(e.to, lands++);
      if (end) fly(this.board.layer, start.tint, arc(start, end), { ms, easing: "ease-in-out" });
    }
  }

  /** Makes a hand above a place. @param {Spot} spot */
  #reach({ hand, w, h }) {
    const size = Math.round(Math.max(34, Math.min(84, 0.86 * Math.min(w, h))));
    const { turn = 0 } = this.#spots.get(this.#first) ?? {};
    const owner = `var(--p${this.board.cell(this.#first)?.dataset.owner ?? 0})`;
    return new Palm(this.board.layer, hand, { size, owner, turn });
  }

  /** Returns the place and the tint of seed i of a slot. @param {Slot} slot @param {number} i */
  #seed(slot, i) {
    const spot = this.#spots.get(slot);
    if (!spot) return null;
    const { x, y, tint } = this.board.seedAt(slot, i);
    return { x: spot.seeds.x + (x * spot.seeds.w) / 2, y: spot.seeds.y + (y * spot.seeds.h) / 2, tint };
  }

  /** Returns the places and the tints of the first seeds of a slot. @param {Slot} slot @param {number} n */
  #lying(slot, n) {
    return Array.from({ length: n }, (_, i) => this.#seed(slot, i)).flatMap((seed) => seed ?? []);
  }

  /** Lets the number of a store run up that has got seeds. @param {Slot} slot @param {number} n seeds */
  #count(slot, n) {
    const cell = this.board.cell(slot);
    const number = /** @type {HTMLElement | null | undefined} */ (cell?.querySelector(".count"));
    const after = Number(cell?.dataset.count);
    if (typeof slot !== "string" || !number) return;
    this.#counting.get(slot)?.(); // two counts at once would write the smaller number last
    this.#counting.set(slot, countUp(after - n, after, (now) => (number.dataset.n = String(now))));
  }

  /** @param {Slot} slot @param {number} ms @param {string} kind */
  #ring(slot, ms, kind) {
    ring(this.board.layer, this.#spots.get(slot), ms, kind);
  }

  /** @param {Slot} slot @param {string} text */
  #float(slot, text) {
    word(this.board.layer, this.#spots.get(slot), text, this.#still);
  }

  /** @param {number} n seeds in the hand @param {number} [ms] after which the others have left it */
  #carries(n, ms = 0) {
    this.#held = n;
    this.board.hold(n);
    this.#palm?.hold(n, ms);
  }
}
