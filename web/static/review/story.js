// @ts-check
/**
 * The story of a finished game: a bar for each move, up or down by the lead. A slider lies over the
 * bars: a tap, a finger or an arrow key jumps to a move. A table holds the same figures.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/history.js").Round} Round
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { element, intoView } from "../lib/dom.js";
import { turnAt } from "../model/history.js";
import { sideOf } from "../model/shape.js";
import { bars, capture, chain, lead, leads, relay } from "./storydata.js";

const height = 96; // of the picture, in CSS px

export class Story {
  #drawn = ""; // the data of the picture, as text
  /** @type {HTMLInputElement} */
  #slider;

  /** @param {T} t @param {HTMLElement} place @param {(at: number) => void} go goes to a move */
  constructor(t, place, go) {
    this.t = t;
    this.place = place;
    const slider = element("input", { type: "range", min: 0, "aria-label": t("story.slider") });
    this.#slider = /** @type {HTMLInputElement} */ (slider);
    this.#slider.addEventListener("input", () => go(Number(this.#slider.value)));
    place.addEventListener("click", (e) => {
      const button = /** @type {HTMLElement} */ (e.target).closest("[data-at]");
      if (!button) return;
      go(Number(button.getAttribute("data-at")));
      intoView(".table");
    });
  }

  /**
   * @param {{round: Round | null, at: number, worths?: (number | null)[]}} shown
   *   worths: what the game was worth to the same side, if known
   * @param {Speaker} words
   */
  draw({ round, at, worths = [] }, words) {
    this.place.hidden = !round || round.plies.length < 2; // fewer moves make no story: the game was aborted
    if (!round || this.place.hidden) return;
    const side = Math.max(0, words.mine);
    const ahead = leads(round, side, words.owns);
    const key = [
      round.plies.length,
      round.plies.at(-1)?.move,
      ...ahead,
      ...round.plies.map((p) => words.name(p.seat)),
      worths.length,
    ].join();
    if (key !== this.#drawn) this.#make(round, ahead, side, words, worths);
    this.#drawn = key;
    this.#slider.value = String(at);
    this.#slider.setAttribute("aria-valuetext", this.#value(round, ahead, at, side, words));
    this.place.style.setProperty("--at", String((at + 0.5) / (round.plies.length + 1)));
  }

  /** @param {Round} round @param {number[]} ahead @param {number} at @param {number} side @param {Speaker} words */
  #value(round, ahead, at, side, words) {
    const move = at === 0 ? this.t("story.start") : words.listEntry(turnAt(round, at), round.plies[at - 1]);
    return `${move}. ${this.#lead(ahead[at], side, words)}`;
  }

  /** Says who leads: "You are 4 ahead". @param {number} n @param {number} side @param {Speaker} words */
  #lead(n, side, words) {
    if (n === 0) return this.t("story.even");
    if (words.mine >= 0) return this.t(n > 0 ? "story.ahead.you" : "story.behind.you", { n: Math.abs(n) });
    const name = words.shape.sides === 2 && n < 0 ? words.sideName(1 - side) : words.sideName(side);
    return this.t(n > 0 || words.shape.sides === 2 ? "story.ahead" : "story.behind", { name, n: Math.abs(n) });
  }

  /**
   * @param {Round} round
   * @param {number[]} ahead
   * @param {number} side
   * @param {Speaker} words
   * @param {(number | null)[]} worths
   */
  #make(round, ahead, side, words, worths) {
    const { t } = this;
    const n = round.plies.length;
    this.#slider.max = String(n);
    const picture = svg("svg", {
      viewBox: `-0.5 0 ${n + 1} ${height}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    const { zero, bars: list, line } = bars(ahead, height, worths);
    const width = Math.min(0.8, n / 12);
    picture.append(
      ...list.map((bar) =>
        svg("rect", {
          x: bar.x - width / 2,
          width,
          y: bar.y,
          height: bar.height,
          class: bar.ahead ? "ahead" : "behind",
        }),
      ),
    );
    picture.append(svg("line", { x1: -0.5, x2: n + 0.5, y1: zero, y2: zero, class: "zero" }));
    if (line) picture.append(svg("polyline", { points: line, class: "worth" }));
    const chart = element("div", { class: "chart", dir: "ltr", "data-side": side });
    chart.style.setProperty("--bars", String(n + 1));
    chart.append(picture, element("span", { class: "mark" }), this.#slider);
    const heading = element(
      "h3",
      {},
      t(words.mine >= 0 ? "story.heading.you" : "story.heading", { name: words.sideName(side) }),
    );
    const legend = element("p", { class: "hint legend" }, t(words.seats > 2 ? "story.line.four" : "story.line"));
    this.place.replaceChildren(
      heading,
      chart,
      ...(line ? [legend] : []),
      this.#peaks(round, words),
      this.#table(round, ahead, side, words, worths),
    );
  }

  /** Returns the list of moves that stood out, with links to them. @param {Round} round @param {Speaker} words */
  #peaks(round, words) {
    const list = element("ul", { class: "peaks" });
    const marks = { lead: lead(round, words.owns), capture: capture(round), chain: chain(round), relay: relay(round) };
    for (const [key, mark] of Object.entries(marks)) {
      if (!mark) continue;
      const item = element("li", {});
      const { shape, mine } = words;
      const own = sideOf(shape, mark.seat) === mine && shape.partners === 1;
      const name = own ? this.t("story.you") : key === "lead" ? words.sideName(mark.seat) : words.name(mark.seat);
      item.append(
        element(
          "button",
          { type: "button", class: "link", "data-at": mark.at },
          this.t(`story.${key}`, { n: mark.n, name, move: turnAt(round, mark.at) }),
        ),
      );
      list.append(item);
    }
    return list;
  }

  /**
   * Makes the table when it is opened: a long match has many rows.
   * @param {Round} round
   * @param {number[]} ahead
   * @param {number} side
   * @param {Speaker} words
   * @param {(number | null)[]} worths
   */
  #table(round, ahead, side, words, worths) {
    const details = /** @type {HTMLDetailsElement} */ (element("details", {}));
    details.append(element("summary", {}, this.t("story.table")));
    details.addEventListener("toggle", () => {
      if (!details.open || details.childElementCount > 1) return;
      const table = element("table", {});
      const row = (/** @type {string} */ tag, /** @type {string[]} */ ...cells) => {
        const tr = element("tr", {});
        tr.append(
          ...cells.map((text, i) =>
            tag === "td" && i > 0
              ? element(tag, {}, text)
              : element("th", { scope: tag === "th" ? "col" : "row" }, text),
          ),
        );
        return tr;
      };
      const said = (/** @type {number | null} */ n) => (n === null ? "" : this.#lead(Math.round(n), side, words));
      const worth = (/** @type {number} */ i) => (worths.length > 0 ? [said(worths[i])] : []);
      table.append(
        row(
          "th",
          this.t("story.column.move"),
          this.t("story.column.lead"),
          ...(worths.length > 0 ? [this.t("story.column.worth")] : []),
        ),
      );
      table.append(
        ...round.plies.map((ply, i) =>
          row("td", words.listEntry(turnAt(round, i + 1), ply), this.#lead(ahead[i + 1], side, words), ...worth(i + 1)),
        ),
      );
      details.append(table);
    });
    return details;
  }
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function svg(tag, attributes) {
  const el = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  return el;
}
