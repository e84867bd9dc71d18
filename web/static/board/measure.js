// @ts-check
/**
 * Measures places on the board's layer when a move begins, before anything is written, so that nothing
 * is measured during the animation.
 *
 * @typedef {import("../model/trace.js").Event} Event
 * @typedef {import("../model/trace.js").Slot} Slot
 * @typedef {{x: number, y: number, w: number, h: number}} Box
 * @typedef {{x: number, y: number, w: number, h: number, round: string, hand: {x: number, y: number},
 *   note: {x: number, y: number}, seeds: Box, turn: number}} Spot
 *   x, y: the middle of a slot; w, h: its size; hand: where the hand is above it, a little aside so
 *   that the number can be read; note: where a note beside the number covers no seed; seeds: where
 *   the middles of seeds can be; turn: degrees by which a hand is turned that comes from this side
 */

/** The places of the slots of a board. Each is measured once, when a move touches it. */
export class Places {
  /** @type {WeakMap<HTMLElement, Spot>} by cell */
  #known = new WeakMap();

  /** @param {import("./board.js").MancalaBoard} board */
  constructor(board) {
    this.board = board;
  }

  /** Forgets what was measured: the board has another size or look. */
  forget() {
    this.#known = new WeakMap();
  }

  /**
   * Returns the places of the slots that a move touches.
   * @param {Event[]} events
   * @returns {Map<Slot, Spot>}
   */
  of(events) {
    const { board } = this;
    const slots = new Set(
      events.some((e) => e.kind === "turn")
        ? Array.from(board.querySelectorAll("[data-pit]"), (_, pit) => pit)
        : events.flatMap((e) => (e.to === null ? [e.slot] : [e.slot, e.to])),
    );
    /** @type {Map<Slot, Spot>} */
    const spots = new Map();
    for (const slot of slots) {
      const parts = board.parts(slot);
      if (!parts) continue;
      const marked = Boolean(parts.cell.dataset.kind); // such a pit can have another shape
      const spot = (!marked && this.#known.get(parts.cell)) || this.#measure(slot, parts);
      if (!marked) this.#known.set(parts.cell, spot);
      spots.set(slot, spot);
    }
    return spots;
  }

  /** @param {Slot} slot @param {import("./cells.js").Parts} parts @returns {Spot} */
  #measure(slot, { bowl, count, seeds }) {
    const origin = this.board.layer.getBoundingClientRect();
    /** @param {Element} el @returns {Box} */
    const middle = (el) => {
      const { left, top, width: w, height: h } = el.getBoundingClientRect();
      return { x: left + w / 2 - origin.left, y: top + h / 2 - origin.top, w, h };
    };
    const { x, y, w, h } = middle(bowl);
    const number = middle(count);
    const [dx, dy] = [x - number.x, y - number.y];
    const aside = (0.22 * Math.min(w, h)) / Math.max(1, Math.hypot(dx, dy));
    const note = typeof slot !== "number" ? { x: 2 * x - number.x, y: 2 * y - number.y } // the other end of a store
      : number.h < number.w ? { x: number.x + Math.min(34, Math.max(14, number.w / 2 - 9)), y: number.y }
      : { x: number.x, y: number.y + Math.min(22, number.h / 2 - 8) };
    const hand = typeof slot === "number" ? { x: x + dx * aside, y: y + dy * aside } : { x, y };
    const turn = Math.round((Math.atan2(dx, -dy) * 2) / Math.PI) * 90;
    return { x, y, w, h, round: getComputedStyle(bowl).borderRadius, hand, note, seeds: middle(seeds), turn };
  }
}
