// @ts-check
/**
 * The hand that carries seeds over the board: an open palm, its fingers to the middle of the board,
 * with some of the seeds in it and their number beside it. It is drawn, not loaded.
 *
 * @typedef {{x: number, y: number}} Point
 */

import { element } from "../lib/dom.js";
import { removeAfter } from "./layer.js";

const fingers = "M16 36C12 28 11 22 13 15M26 31C24 20 24 14 26 7M37 31C38 21 39 14 41 8M47 37C50 28 51 23 54 18";
const palm = "M24 70C16 60 12 50 15 38C18 30 44 28 48 38C50 50 46 58 42 70ZM17 54C9 50 6 44 3 38";
const shape = document.createElement("template");
shape.innerHTML = `<svg viewBox="0 0 64 64"><path d="${fingers}"/><path d="${palm}"/>
  <ellipse cx="31" cy="45" rx="14" ry="12"/></svg><i></i><b></b><span class="lap"></span>`;
const most = 7; // seeds that are visible in the palm
const golden = 2.4; // radians

export class Palm {
  /** @type {Point} */
  at;
  #leave = () => {}; // lets the seeds go that are leaving it

  /**
   * @param {HTMLElement} layer
   * @param {Point} at
   * @param {{size: number, owner: string, turn: number}} how owner: a colour; turn: degrees
   */
  constructor(layer, at, { size, owner, turn }) {
    this.at = at;
    this.el = element("div", { class: "hand" });
    this.el.append(shape.content.cloneNode(true));
    this.el.style.cssText = `--size:${size}px;--owner:${owner};--turn-hand:${turn}deg`;
    this.el.style.transform = `translate(${at.x}px,${at.y}px)`;
    layer.append(this.el);
  }

  /** @param {string} selector @returns {HTMLElement} */
  #part(selector) {
    return /** @type {HTMLElement} */ (this.el.querySelector(selector));
  }

  /** Puts more seeds into the palm. @param {number[]} tints @param {number} ms after which they lie there */
  fill(tints, ms) {
    this.#leave();
    const heap = this.#part("i");
    const held = heap.children.length;
    const seeds = tints.slice(0, most - held).map((tint, i) => {
      const seed = element("i", { class: `seed t${tint}` });
      const k = held + i;
      const far = 22 * Math.sqrt((k + 0.3) / most);
      seed.style.cssText = `left:${50 + far * Math.cos(k * golden)}%;top:${68 + far * Math.sin(k * golden)}%`;
      return seed;
    });
    heap.append(...seeds);
    // An empty hand shows all of them by one animation.
    if (ms > 0) for (const el of held === 0 ? [heap] : seeds) el.animate({ opacity: [0, 0, 1] }, ms);
  }

  /** Shows how many seeds it holds. @param {number} n @param {number} ms after which the others have left it */
  hold(n, ms) {
    this.#leave();
    const number = this.#part("b");
    const gone = [...this.#part("i").children].slice(Math.max(0, n));
    const leave = () => {
      for (const seed of gone) seed.remove();
      rewrite(number, n > 0 ? String(n) : "");
      this.#leave = () => {};
    };
    this.#leave = leave;
    if (ms > 0) setTimeout(() => this.#leave === leave && leave(), ms);
    else leave();
  }

  /** @param {string} text */
  say(text) {
    rewrite(this.#part(".lap"), text);
  }

  /** Shows a text that beats once: several laps pass as one. @param {string} text @param {number} ms */
  beat(text, ms) {
    this.say(text);
    this.#part(".lap").animate({ scale: [1.3, 1] }, { duration: ms, easing: "ease-out" });
  }

  /**
   * Moves the hand along an arc: it rises on the way.
   * @param {Point} to
   * @param {number} ms 0: it is there at once
   */
  go(to, ms) {
    const from = this.at;
    this.at = to;
    this.el.animate(arc(from, to), { duration: ms, easing: "ease-in-out", fill: "forwards" });
  }

  /**
   * Goes a way of its own, on which it gathers seeds.
   * @param {Keyframe[]} frames
   * @param {number} ms
   * @param {{n: number, share: number}} seeds how many, and the part of the time until it has all of them
   */
  follow(frames, ms, { n, share }) {
    this.el.animate(frames, { duration: ms, fill: "forwards" });
    const number = this.#part("b");
    rewrite(number, String(n));
    number.animate([{ opacity: 0 }, { opacity: 0, offset: share }, { opacity: 1, offset: share }, { opacity: 1 }], ms);
  }

  /** Opens the hand, which then is gone. @param {number} ms 0: at once */
  open(ms) {
    this.el.classList.add("open");
    if (ms > 0) removeAfter(this.el, this.el.animate({ opacity: [1, 1, 0] }, { duration: ms, fill: "forwards" }));
    else this.el.remove();
  }
}

/**
 * Changes a text in its node: with another node, the browser would style the element again.
 * @param {HTMLElement} el
 * @param {string} text
 */
function rewrite(el, text) {
  if (el.firstChild) el.firstChild.nodeValue = text;
  else el.textContent = text;
}

/**
 * Returns the frames of a way through the air: what moves is nearer to the eye in the middle.
 * @param {Point} from
 * @param {Point} to
 * @returns {Keyframe[]}
 */
export function arc(from, to) {
  const rise = Math.min(28, 0.2 * Math.hypot(to.x - from.x, to.y - from.y));
  return [frame(from), frame({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - rise }, 1 + rise / 150), frame(to)];
}

/** @param {Point} at @param {number} [scale] @returns {Keyframe} */
export const frame = ({ x, y }, scale = 1) => ({ transform: `translate(${x}px,${y}px) scale(${scale})` });

/**
 * Returns the frames of a seed that falls from the hand. It is not seen before the hand has come, and not after it has
 * landed.
 * @param {Point} from
 * @param {Point} to
 * @param {number} comes the part of the time after which the hand is there
 * @returns {Keyframe[]}
 */
export function fall(from, to, comes) {
  const held = frame(from, 1.25);
  const hidden = { ...held, opacity: 0 };
  const seen = { ...held, opacity: 1, offset: comes, easing: "ease-in" };
  return [hidden, { ...hidden, offset: comes }, seen, { ...frame(to), opacity: 1 }];
}
