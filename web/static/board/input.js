// @ts-check
/**
 * Mouse, finger and keys on the board: choosing a pit and a direction, previews, moving the focus.
 * The board draws; this module listens and fires events. play.js decides what a tap means.
 *
 * @typedef {import("./board.js").MancalaBoard} MancalaBoard
 * @typedef {import("./board.js").View} View
 * @typedef {import("../model/trace.js").Slot} Slot
 * @typedef {{previewOf: (pit: number, move: string) => import("./previewoverlay.js").OverlayContent | null,
 *   requestMoves: () => void, needsConfirmation: (how: {side: number, pointed: boolean}) => boolean,
 *   singleKeys: () => boolean, replays: () => boolean}} Wiring
 *   previewOf: what to show of a move before it is made; requestMoves: the viewer looks at a pit;
 *   needsConfirmation: whether a tap must be followed by a second one; replays: whether the arrow
 *   keys step through the moves
 */

import { slotOf } from "./board.js";
import { DirectionChoice } from "./directions.js";
import { forbids, going } from "../model/shape.js";
import { addSeed, digit, isHeld, keys, steps } from "./keys.js";
import { neighbour } from "./navigate.js";
import { Pointers } from "./pointers.js";
import { PreviewOverlay } from "./previewoverlay.js";

const doubleTap = 400; // ms in which a second tap on the same pit is the end of a double tap

/**
 * The board fires these events: `sow`, CustomEvent<{pit: number, move?: string, way?: string}>: without a move,
 * the pit cannot be played, or not this way; `ask`, CustomEvent<{pit: number, move: string}>: a tap that needs a
 * second one; `key`, CustomEvent<{what: string, pit: number | null}>: a key's command, and the
 * focused pit.
 */
export class Input {
  /** @type {View | null} */
  #view = null;
  /** @type {Slot | null} the cell that Tab leads to */
  #focus = null;
  /** @type {number | null} the pit that the next tap plays */
  #armed = null;
  /** @type {number | null} the pit that was just played: the second tap of a double tap must not plan it */
  #played = null;
  #playedAt = 0; // by the clock of events
  /** @type {{pit: number, way?: string} | null} the move that the viewer looks at */
  #lookedAt = null;
  #walked = false; // the focus came to its cell by keys

  /** @param {MancalaBoard} board @param {Wiring} wiring */
  constructor(board, wiring) {
    this.board = board;
    this.wiring = wiring;
    this.overlay = new PreviewOverlay(board);
    this.directions = new DirectionChoice(board, {
      chosen: (pit, way) => this.#sow(pit, going(this.#optionsOf(pit), way)),
      lookedAt: (pit, way) => this.#look({ pit, way }),
    });
    new Pointers(board, {
      rest: (pit) => this.#armed === null && this.directions.pit === null && this.#look(pit === null ? null : { pit }),
      hold: (pit, finger) => this.#held(pit, finger),
      repeat: (pit) => this.#sow(pit, addSeed),
      release: () => this.#look(null),
      draw: (pit, way) => this.#drawn(pit, way),
    });
    board.addEventListener("click", (e) => this.#clicked(e));
    board.addEventListener("keydown", (e) => this.#pressed(e));
    document.addEventListener("keydown", (e) => this.#pressedElsewhere(e));
    board.addEventListener("focusin", (e) => this.#focused(/** @type {HTMLElement} */ (e.target)));
    board.addEventListener("focusout", () => this.#armed === null && this.#look(null));
    document.addEventListener("pointerdown", (e) => {
      const pit = slotOf(/** @type {Element} */ (e.target).closest("[data-pit]"));
      if (this.#armed !== null && pit !== this.#armed) this.#arm(null);
    });
  }

  /** Follows what the board shows now. @param {View} view */
  follow(view) {
    const old = this.#view;
    const moved = old !== null && (old.ply !== view.ply || old.state !== view.state);
    this.#view = view;
    const options = [...view.choices.values(), ...(view.plannable?.values() ?? [])];
    const ways = view.shape.sow === "choice" && options.length > 0;
    this.board.toggleAttribute("data-ways", ways || options.some((moves) => moves.length > 1));
    if (this.directions.pit !== null && (moved || this.#optionsOf(this.directions.pit).length < 2))
      this.directions.close();
    if (this.#armed !== null && (moved || !view.choices.has(this.#armed))) this.#arm(null);
    if (this.#played !== null && view.choices.has(this.#played)) this.#played = null; // it can be played again
    this.#look(this.#lookedAt);
    for (const cell of this.#cells()) cell.toggleAttribute("data-only", slotOf(cell) === view.only);
    // Tab leads to the viewer's first pit, later to the last focused cell.
    if (this.#focus === null || !this.board.cell(this.#focus)) this.#focus = view.bottom * view.shape.pits;
    this.#roam(this.board.cell(this.#focus));
  }

  /** Puts the focus back where it was on the board. */
  enter() {
    if (this.#focus !== null) this.board.cell(this.#focus)?.focus();
  }

  /** Chooses a pit, as a tap on it does. @param {number} pit @param {boolean} [pointed] by mouse or finger */
  tap(pit, pointed = false) {
    const view = this.#view;
    if (!view) return;
    if (this.#optionsOf(pit).length > 1) {
      this.#arm(null);
      if (this.directions.pit === pit) return this.directions.close();
      return this.directions.open(pit, this.#optionsOf(pit), view.wayName);
    }
    this.directions.close();
    const [move] = this.#moves(pit);
    const asks = () => this.wiring.needsConfirmation({ side: this.#side(pit), pointed });
    if (move && move !== addSeed && this.#armed !== pit && asks()) {
      this.#arm(pit);
      this.#played = null;
      return void this.board.dispatchEvent(new CustomEvent("ask", { detail: { pit, move } }));
    }
    this.#sow(pit, move);
  }

  /** @param {number} pit */
  #moves(pit) {
    return this.#view?.choices.get(pit) ?? [];
  }

  /** Returns the moves to choose from: legal ones, else those that can be planned. @param {number} pit */
  #optionsOf(pit) {
    return this.#view?.choices.get(pit) ?? this.#view?.plannable?.get(pit) ?? [];
  }

  /** @param {number} pit @param {string} [move] @param {string} [way] asked for, and forbidden by the rules */
  #sow(pit, move, way) {
    this.#arm(null);
    this.#played = move && move !== addSeed && this.#moves(pit).includes(move) ? pit : null;
    this.#playedAt = performance.now();
    if (this.#played !== null) this.overlay.hide(); // the move is shown there
    this.board.dispatchEvent(new CustomEvent("sow", { detail: { pit, move, way } }));
  }

  /** Makes the next tap on a pit play it; null for no pit. @param {number | null} pit */
  #arm(pit) {
    if (this.#armed !== null) this.board.cell(this.#armed)?.removeAttribute("data-armed");
    const had = this.#armed !== null;
    this.#armed = pit;
    if (pit !== null) this.board.cell(pit)?.setAttribute("data-armed", "");
    if (pit !== null || had) this.#look(pit === null ? null : { pit });
  }

  /**
   * Previews a move, if its effect is known and the viewer wants previews. Reports whether it did.
   * @param {{pit: number, way?: string} | null} look
   */
  #look(look) {
    this.#lookedAt = look;
    if (look) this.wiring.requestMoves();
    const moves = look ? (this.#view?.watchable?.get(look.pit) ?? this.#moves(look.pit)) : [];
    const only = moves.length === 1 ? moves[0] : undefined;
    const move = look?.way !== undefined ? going(moves, look.way) : only;
    const quiet = this.board.dataset.anim !== "running";
    const content = look && move && move !== addSeed && quiet ? this.wiring.previewOf(look.pit, move) : null;
    if (look && content) this.overlay.show(look.pit, content);
    else this.overlay.hide();
    return content !== null;
  }

  /** @param {number} pit */
  #side(pit) {
    const box = this.board.cell(pit)?.getBoundingClientRect();
    return box ? Math.min(box.width, box.height) : 0;
  }

  /** @param {MouseEvent} e */
  #clicked(e) {
    const pit = slotOf(/** @type {Element} */ (e.target).closest("[data-pit]"));
    const soon = e.detail > 1 || (e.detail > 0 && e.timeStamp - this.#playedAt < doubleTap);
    if (typeof pit === "number" && !(soon && pit === this.#played)) this.tap(pit, e.detail > 0);
  }

  /**
   * Handles a long press: seeds run into a pit that is being laid out; a finger sees the preview.
   * @param {number} pit
   * @param {boolean} finger
   */
  #held(pit, finger) {
    const moves = this.#moves(pit);
    if (moves[0] === addSeed) {
      this.#sow(pit, addSeed);
      return "repeat";
    }
    if (!finger) return "no";
    // a watcher's preview may come with an answer of the server
    if (this.#look({ pit }) || this.#view?.watchable) return "once";
    this.#look(null);
    return "no";
  }

  /**
   * Handles the stroke of a finger along the row: it chooses the direction.
   * @param {number} pit
   * @param {"up" | "down" | "left" | "right"} stroke
   */
  #drawn(pit, stroke) {
    const index = (this.board.dataset.orient === "v" ? ["up", "down"] : ["left", "right"]).indexOf(stroke);
    const [moves, shape] = [this.#optionsOf(pit), this.#view?.shape];
    const way = this.directions.along(pit)[index];
    const forbidden = shape && way && this.board.hasAttribute("data-ways") && forbids(shape, moves, way);
    if (!way || moves.length === 0 || (moves.length < 2 && !forbidden)) return false; // as a tap
    this.directions.close();
    this.#sow(pit, going(moves, way), way);
    return true;
  }

  /** @param {HTMLElement} target */
  #focused(target) {
    this.#walked = target.matches(":focus-visible");
    this.#roam(target);
    const pit = slotOf(target);
    if (this.#armed !== null && pit !== this.#armed) this.#arm(null);
    if (this.#armed === null && typeof pit === "number" && target.matches(":focus-visible")) this.#look({ pit });
  }

  /** Makes one cell the only tab stop. @param {HTMLElement | null} cell */
  #roam(cell) {
    const slot = slotOf(cell);
    if (slot === null) return;
    this.#focus = slot;
    // To write the index of the focused cell costs a layout, also if it stays the same.
    for (const el of this.#cells()) if ((el.tabIndex === 0) !== (el === cell)) el.tabIndex = el === cell ? 0 : -1;
  }

  #cells() {
    return /** @type {HTMLElement[]} */ ([...this.board.querySelectorAll("[data-pit], [data-store]")]);
  }

  /** @param {KeyboardEvent} e */
  #pressed(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const target = /** @type {HTMLElement} */ (e.target);
    const chooses = e.key === "Enter" || e.key === " ";
    if (chooses && isHeld(e, this.#moves(Number(slotOf(target) ?? -1)))) return e.preventDefault();
    if (this.directions.pressed(e)) return e.preventDefault();
    if (!this.#walked && this.#steps(e)) return;
    if (this.#command(e, slotOf(target))) return;
    if (e.key.startsWith("Arrow")) neighbour(target, this.#cells(), /** @type {any} */ (e.key.slice(5)))?.focus();
    else if (e.key === "Home" || e.key === "End") {
      const pits = target.closest("[role=row]")?.querySelectorAll("[data-pit]");
      if (pits) /** @type {HTMLElement} */ (pits[e.key === "Home" ? 0 : pits.length - 1]).focus();
    } else return; // Enter and Space belong to the button
    e.preventDefault();
  }

  /** Keys work on the whole page. Fields, dialogs and lists that scroll keep theirs. @param {KeyboardEvent} e */
  #pressedElsewhere(e) {
    const { target } = e;
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || !(target instanceof Element)) return;
    if (this.board.contains(target) || target.closest("input, select, textarea, dialog, ol[tabindex]")) return;
    if (e.key === "Escape" && document.querySelector(":popover-open")) return; // it closes the sheet
    if (!this.#steps(e)) this.#command(e, null);
  }

  /** Steps through a replay. @param {KeyboardEvent} e @returns {boolean} whether the key does that now */
  #steps(e) {
    if (!Object.hasOwn(steps, e.key) || !this.wiring.replays()) return false;
    this.#tell(steps[e.key], null);
    e.preventDefault();
    return true;
  }

  /**
   * Does what a single key stands for.
   * @param {KeyboardEvent} e
   * @param {Slot | null} slot the focused cell
   * @returns {boolean} whether the key stands for something
   */
  #command(e, slot) {
    const single = this.wiring.singleKeys();
    const number = single ? digit(e.key) : null;
    const what = e.key === "Escape" ? "cancel" : single && Object.hasOwn(keys, e.key) ? keys[e.key] : "";
    if (number === null && !what) return false;
    if (what === "cancel") this.#arm(null);
    if (number !== null) this.#number(number, e);
    else this.#tell(what, slot);
    e.preventDefault();
    return true;
  }

  /** @param {string} what @param {Slot | null} slot */
  #tell(what, slot) {
    this.board.dispatchEvent(new CustomEvent("key", { detail: { what, pit: typeof slot === "number" ? slot : null } }));
  }

  /** Plays one of the viewer's pits by its number. @param {number} n @param {KeyboardEvent} e */
  #number(n, e) {
    const view = this.#view;
    if (!view || n > view.shape.pits) return;
    const side = view.as < 0 ? view.bottom : view.as % view.shape.sides;
    const pit = side * view.shape.pits + n - 1;
    if (isHeld(e, this.#moves(pit))) return;
    this.board.cell(pit)?.focus();
    this.tap(pit);
  }
}
