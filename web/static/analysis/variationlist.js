// @ts-check
/**
 * The list of the variations that the viewer has tried, each below the line that it leaves.
 *
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./tree.js").Variation} Variation
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { element, find } from "../lib/dom.js";
import { hashOf } from "../model/history.js";
import { mainAt, path, turnTo, variations } from "./tree.js";

export class VariationList {
  #drawn = ""; // the variations in the list on the page, as text
  #count = 0; // buttons in it

  /**
   * @param {import("../lib/text.js").T} t
   * @param {import("./study.js").Study} study
   * @param {Speaker} words
   * @param {(round: number, node: Node) => void} go shows a node
   */
  constructor(t, study, words, go) {
    this.t = t;
    this.study = study;
    this.words = words;
    this.go = go;
  }

  draw() {
    const { trees, round, here } = this.study;
    const tried = trees.flatMap((tree, n) => variations(path(mainAt(tree, Infinity))).map((one) => ({ one, n })));
    const shown = path(here).map(({ made }) => made?.move);
    const key = [...tried.map(({ one, n }) => `${n} ${written(one)}`), round, ...shown].join();
    if (key === this.#drawn) return;
    this.#drawn = key;
    const list = find("#tree");
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && list.contains(active) ? active.dataset.n : undefined;
    find("#tries").hidden = tried.length === 0;
    this.#count = 0;
    list.replaceChildren(...tried.map(({ one, n }) => this.#item(one, n, this.#title(one, n))));
    if (focused !== undefined) /** @type {HTMLElement | null} */ (list.querySelector(`[data-n="${focused}"]`))?.focus();
  }

  /** @param {Variation} one @param {number} round @returns {string} a key of the catalog */
  #title({ from }, round) {
    if (this.study.isSetUp(round)) return "tried.set";
    return from.at === 0 ? "tried.start" : "tried";
  }

  /** @param {Variation} variation @param {number} round @param {string} title @returns {HTMLElement} */
  #item({ from, line, others }, round, title) {
    const move = hashOf({ round, at: turnTo(from) }, this.study.places.length).slice(1);
    const item = element("li", {});
    item.append(element("span", {}, this.t(title, { move })), ...line.map((node) => this.#button(node, round)));
    if (others.length > 0) {
      const below = element("ul", {});
      below.append(...others.map((other) => this.#item(other, round, "tried.or")));
      item.append(below);
    }
    return item;
  }

  /** @param {Node} node @param {number} round */
  #button(node, round) {
    const { seat, move } = /** @type {import("./tree.js").Made} */ (node.made);
    const pit = this.words.short(move, 0);
    const label = this.t("move", { move: turnTo(node), name: this.words.name(seat), pit });
    const attributes = { type: "button", "data-n": this.#count++, "data-seat": seat, "aria-label": label };
    const button = element("button", attributes, pit);
    if (node === this.study.here) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => this.go(round, node));
    return button;
  }
}

/** Returns a variation as text, to tell two lists apart. @param {Variation} variation @returns {string} */
const written = ({ from, line, others }) =>
  `${from.at}: ${line.map(({ made }) => made?.move)} (${others.map(written)})`;
