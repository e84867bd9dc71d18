// @ts-check
/**
 * The lay-out of an Egyptian game: a draft that one player fills pit by pit. The draft is pure. It
 * shows mistakes early; the server decides.
 *
 * @typedef {import("../model/shape.js").Shape} Shape
 * @typedef {{pits: number[], total: number, paired: boolean, shape: Shape}} Draft
 */

import { facing, numberOf, option, shapeOf } from "../model/shape.js";

/**
 * Returns an empty draft for the rules of a game.
 * @param {{shape: number[], canonical: string}} rules
 * @returns {Draft}
 */
export function draftOf(rules) {
  const shape = shapeOf(rules);
  return {
    pits: Array(shape.sides * shape.pits).fill(0),
    total: Number(option(rules.canonical, "total") ?? 0),
    paired: option(rules.canonical, "opening") === "paired",
    shape,
  };
}

/** Reports whether a player lays out the seeds by these rules. @param {string} canonical */
export const laidOut = (canonical) => (option(canonical, "opening") ?? "fixed") !== "fixed";

/** Returns the seeds that are still in the hand. @param {Draft} draft */
export const left = (draft) => draft.total - draft.pits.reduce((a, b) => a + b, 0);

/**
 * Reports whether a pit must stay empty: a corner, where pits are filled in pairs.
 * @param {Draft} draft
 * @param {number} pit
 */
export const locked = ({ paired, shape }, pit) =>
  paired && (pit % shape.pits === 0 || pit % shape.pits === shape.pits - 1);

/**
 * Returns the draft with a pit set to n, or as near to it as the seeds allow. In paired openings
 * the opposite pit fills and empties with it.
 * @param {Draft} draft
 * @param {number} pit
 * @param {number} n
 * @returns {Draft}
 */
export function put(draft, pit, n) {
  if (locked(draft, pit)) return draft;
  const pits = [...draft.pits];
  const across = facing(draft.shape, pit);
  let free = left(draft) + pits[pit];
  let want = Math.max(0, Math.trunc(n) || 0);
  if (draft.paired && want === 0) pits[across] = 0;
  if (draft.paired && want > 0 && pits[across] === 0) {
    if (free < 2) return draft; // a pair needs one seed in each pit
    pits[across] = Math.min(want, Math.floor(free / 2));
    free -= pits[across];
  }
  pits[pit] = Math.min(want, free);
  return { ...draft, pits };
}

/**
 * Deals the rest of the seeds at random, and never evenly.
 * @param {Draft} draft
 * @param {() => number} random from 0 to below 1
 * @returns {Draft}
 */
export function deal(draft, random) {
  const open = draft.pits.map((_, pit) => pit).filter((pit) => !locked(draft, pit));
  let next = draft;
  for (const pit of open) if (draft.paired && next.pits[pit] === 0 && left(next) >= 2) next = put(next, pit, 1);
  const pits = [...next.pits];
  // Squaring prefers some pits, so that the deal looks like a player's.
  const weights = open.map(() => random() ** 2 + 0.05);
  const sum = weights.reduce((a, b) => a + b, 0);
  for (let n = left(next); n > 0; n--) {
    let at = random() * sum;
    const i = weights.findIndex((w) => (at -= w) < 0);
    pits[open[Math.max(0, i)]]++;
  }
  if (!draft.paired && pits.every((n) => n === pits[0])) {
    pits[0]--;
    pits[1]++;
  }
  return { ...next, pits };
}

/** Says what the draft still lacks: a key of the catalog, or "". @param {Draft} draft */
export function problem(draft) {
  if (left(draft) > 0) return "layout.left";
  if (!draft.paired && draft.pits.every((n) => n === draft.pits[0])) return "layout.even";
  return "";
}

/** Returns the draft as a move. @param {Draft} draft */
export function move({ pits, shape }) {
  return (
    "=" +
    Array.from({ length: shape.sides }, (_, k) => pits.slice(k * shape.pits, (k + 1) * shape.pits).join(".")).join("/")
  );
}

/** The panel under the board in which a player fills the draft. */
export class LayoutPanel {
  #key = "mancala.layout";
  #told = -1000; // the time at which the opponents were last told the progress
  #telling = 0;

  /**
   * @param {HTMLElement} root
   * @param {{t: import("../lib/text.js").T, changed: () => void, done: (move: string) => void, tell: (n: number,
   *   of: number, pits: number[]) => void}} wiring
   */
  constructor(root, wiring) {
    this.root = root;
    this.wiring = wiring;
    /** @type {Draft | null} */
    this.draft = null;
    this.pit = -1;
    if (!root) return; // the page of a finished game
    root.addEventListener("click", (e) => {
      const action = /** @type {HTMLElement} */ (e.target).closest("[data-action]")?.getAttribute("data-action");
      if (action) this.#act(action);
    });
    this.#field.addEventListener("change", () => this.set(this.pit, Number(this.#field.value)));
  }

  get #field() {
    return /** @type {HTMLInputElement} */ (this.root.querySelector("[name=seeds]"));
  }

  /**
   * Begins a new draft, unless one for these rules is being filled.
   * @param {{shape: number[], canonical: string, rules: string}} rules
   */
  begin(rules) {
    if (this.draft) return;
    this.draft = draftOf(rules);
    this.#key = `mancala.layout.${rules.rules}.${this.draft.pits.length}.${this.draft.total}`;
    this.pit = this.draft.paired ? 1 : 0;
    this.show();
  }

  /** Chooses a pit by a tap on the board, and puts one seed into it. @param {number} pit */
  tap(pit) {
    if (this.draft && !locked(this.draft, pit)) this.set(pit, this.draft.pits[pit] + 1);
  }

  /** @param {number} pit @param {number} n */
  set(pit, n) {
    if (!this.draft) return;
    this.pit = pit;
    this.draft = put(this.draft, pit, n);
    this.show();
  }

  show() {
    const { draft, root } = this;
    const { t } = this.wiring;
    if (!draft) return;
    const at = (/** @type {string} */ name) =>
      /** @type {HTMLElement} */ (root.querySelector(`[data-slot-of=${name}]`));
    const key = Math.floor(this.pit / draft.shape.pits) === this.side ? "layout.pit.your" : "layout.pit.other";
    at("pit").textContent = t(key, { pit: numberOf(draft.shape, this.pit), name: this.other });
    this.#field.value = String(draft.pits[this.pit]);
    this.#field.setAttribute("aria-label", at("pit").textContent ?? "");
    /** @type {HTMLButtonElement} */ (root.querySelector("[data-action=layout-done]")).disabled = problem(draft) !== "";
    /** @type {HTMLButtonElement} */ (root.querySelector("[data-action=layout-same]")).hidden = !this.#remembered();
    this.#tell();
    this.wiring.changed();
  }

  /** Tells the opponents the progress: at most once a second, and always the last state. */
  #tell() {
    clearTimeout(this.#telling);
    const wait = this.#told + 1000 - performance.now();
    if (wait > 0) {
      this.#telling = window.setTimeout(() => this.#tell(), wait);
      return;
    }
    if (!this.draft) return; // the draft was handed in meanwhile
    this.#told = performance.now();
    this.wiring.tell(this.draft.total - left(this.draft), this.draft.total, this.draft.pits);
  }

  /** Returns the progress of the draft, for the status line. */
  get status() {
    return this.draft ? this.wiring.t(problem(this.draft) || "layout.ready", { n: left(this.draft) }) : "";
  }

  /** The side that fills the draft, and the opponent's name. */
  side = 0;
  other = "";

  /** Sets both: names come a moment after the start. @param {number} side @param {string} other */
  seats(side, other) {
    if (this.side === side && this.other === other) return;
    [this.side, this.other] = [side, other];
    this.show();
  }

  /** @returns {number[] | null} */
  #remembered() {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? "null");
    } catch {
      return null; // the storage may be forbidden: then nothing is remembered
    }
  }

  /** @param {string} action */
  #act(action) {
    const { draft } = this;
    if (!draft) return;
    if (action === "layout-more") return this.set(this.pit, draft.pits[this.pit] + 1);
    if (action === "layout-less") return this.set(this.pit, draft.pits[this.pit] - 1);
    if (action === "layout-clear") this.draft = { ...draft, pits: draft.pits.map(() => 0) };
    if (action === "layout-deal") this.draft = deal(draft, Math.random);
    if (action === "layout-same") this.draft = { ...draft, pits: this.#remembered() ?? draft.pits };
    if (action === "layout-done" && problem(draft) === "") {
      try {
        localStorage.setItem(this.#key, JSON.stringify(draft.pits));
      } catch {
        // see #remembered
      }
      clearTimeout(this.#telling); // the board is about to change
      return this.wiring.done(move(draft));
    }
    this.show();
  }
}
