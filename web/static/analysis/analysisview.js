// @ts-check
/**
 * Draws the page: the board at the node that is shown, names and scores, the status line, buttons,
 * the story of the game and the list of variations.
 *
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./analysis.js").Parts} Parts
 */

import { viewOf } from "../board/view.js";
import { find } from "../lib/dom.js";
import { inLanguage } from "../lib/language.js";
import { pitOf, sideOf } from "../model/shape.js";
import { worthTo } from "../review/storydata.js";
import { speaker } from "../speech/words.js";
import { bestLine, moveVerdict, worthsOfPits } from "./findings.js";
import { branchPoint, path, turnTo } from "./tree.js";

export class AnalysisView {
  /** @param {Parts} parts @param {import("./variationlist.js").VariationList} variations */
  constructor(parts, variations) {
    this.parts = parts;
    this.variations = variations;
  }

  /** Draws everything. If the focused button is gone, the focus moves to the board. */
  draw() {
    const focused = document.activeElement;
    this.#board();
    this.#buttons();
    this.#findings();
    this.variations.draw();
    const gone = focused instanceof HTMLElement && focused !== document.body && focused.closest("[hidden]");
    if (gone) this.parts.input.enter();
  }

  /** Says what the move that led to a node was worth. @param {Node} node */
  verdict(node) {
    const { own, words, study } = this.parts;
    const { made } = node;
    if (!made) return "";
    const at = turnTo(node);
    const found = study.foundBefore(node);
    const name = words.name(made.seat);
    const short = (/** @type {string} */ move) => words.short(move, 0);
    return found ? moveVerdict(own, at, name, short, found) : own("move", { move: at, name, pit: short(made.move) });
  }

  /** Returns the text of the status line. */
  status() {
    const { t, own, words, study, puzzles } = this.parts;
    const { here } = study;
    if (study.message) return study.message;
    if (here.phase === "over") return [this.verdict(here), own("over")].filter(Boolean).join(" ");
    const found = puzzles.asks ? undefined : study.foundAt(here);
    const next = found
      ? bestLine(own, (move) => words.short(move, 0), found)
      : speaker(t, study.gameAt(here)).turnText();
    return [this.verdict(here), next].filter(Boolean).join(" ");
  }

  #board() {
    const { t, study, board, input, animation } = this.parts;
    const { here, sides, flipped } = study;
    const now = study.gameAt(here);
    const moving = animation.shown;
    const view = { ...viewOf(t, now, speaker(t, now), { conn: "on", moving }), choices: this.#choices() };
    view.bottom = (view.bottom + (flipped ? sides / 2 : 0)) % sides;
    board.draw(view, moving ? null : (here.made?.trace ?? null));
    input.follow({ ...view, as: here.turn }); // digits play the pits of the seat on turn
    this.#worths(moving === null);
    this.#strips(view.bottom, view.stores);
    find("#status").textContent = this.status();
  }

  /** Writes on the pits what their moves are worth, and rings the best one. @param {boolean} still */
  #worths(still) {
    const { board, study, words, puzzles } = this.parts;
    const found = still && !puzzles.asks ? study.foundAt(study.here) : undefined;
    const worths = found ? worthsOfPits(words.shape, found) : new Map();
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (board.querySelectorAll("[data-pit]"))) {
      const worth = worths.get(Number(cell.dataset.pit));
      cell.toggleAttribute("data-hint", worth?.best ?? false);
      if (worth) cell.dataset.worth = worth.text;
      else delete cell.dataset.worth;
    }
  }

  /** Returns the legal moves of each pit. @returns {Map<number, string[]>} */
  #choices() {
    const { explorer, study, words } = this.parts;
    const { position, turn } = study.here;
    /** @type {Map<number, string[]>} */
    const map = new Map();
    for (const { m } of explorer.known(position) ?? []) {
      const pit = pitOf(words.shape, sideOf(words.shape, turn), m);
      if (pit !== null) map.set(pit, [...(map.get(pit) ?? []), m]);
    }
    return map;
  }

  /** Puts names and scores beside their sides. @param {number} bottom @param {number[]} stores */
  #strips(bottom, stores) {
    const { study, words } = this.parts;
    const { phase, turn } = study.here;
    for (const strip of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".seat"))) {
      const seat = Number(strip.dataset.seat);
      const side = sideOf(words.shape, seat);
      const home = find(`.seats[data-place=${side === bottom ? "bottom" : "top"}]`);
      if (strip.parentElement !== home) home.append(strip);
      Object.assign(strip.dataset, { side: String(side), turn: phase !== "over" && turn === seat ? "1" : "0" });
      /** @type {HTMLElement} */ (strip.querySelector(".score")).textContent = String(stores[side]);
      /** @type {HTMLElement} */ (strip.querySelector(".clock")).hidden = true;
    }
  }

  #buttons() {
    const { own, study, puzzles } = this.parts;
    const { here } = study;
    const over = here.phase === "over";
    const found = study.foundAt(here);
    const tried = path(here).length - 1 - branchPoint(here).at;
    const counted = { move: turnTo(here), of: turnTo(study.end()) };
    const place = here.main ? own("here", counted) : own("here.tried", { n: tried });
    find("#at").textContent = study.isSetUp() ? own("set.short") : place;
    find("[data-action=main]").hidden = here.main && !study.isSetUp();
    find("[data-action=look]").hidden = over || puzzles.asks || found !== undefined;
    find("[data-action=best]").hidden = over || puzzles.asks || !found?.best?.length;
  }

  /** Marks the move in the table of findings, and draws the story. */
  #findings() {
    const { study, story, words } = this.parts;
    const { here, rounds, round, sides, findings } = study;
    for (const link of document.querySelectorAll(".analysed a[href]")) link.toggleAttribute("aria-current", false);
    const link = here.main ? document.querySelector(`.analysed th a[href="${study.hash}"]`) : null;
    link?.setAttribute("aria-current", "true");
    if (!rounds[round] || study.isSetUp()) return;
    study.storyRound = round;
    const worths = findings ? worthTo([...findings.plies, findings.end], Math.max(0, words.mine), sides) : [];
    story.draw({ round: rounds[round], at: branchPoint(here).at, worths }, words);
  }

  /**
   * Takes what the server writes about the analysis into this page.
   * @returns {Promise<boolean>} whether it came
   */
  async fetchFindings() {
    const answer = await fetch(inLanguage(location.pathname)).catch(() => null);
    if (!answer?.ok) return false;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    find("#edit").before(...fresh.querySelectorAll(".analysed"));
    const links = fresh.querySelector("#findings > .row-of:last-child");
    if (links) find("#findings > .row-of:last-child").replaceWith(links);
    return true;
  }
}
