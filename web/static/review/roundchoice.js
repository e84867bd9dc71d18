// @ts-check
/**
 * The rounds of a match, to choose the one whose moves are shown. The page has one place or more for them.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("./review.js").Review} Review
 */

/** @type {() => NodeListOf<HTMLElement>} */
const places = () => document.querySelectorAll(".rounds");

export class RoundChoice {
  /** @param {T} t @param {Review} review */
  constructor(t, review) {
    this.t = t;
    this.review = review;
    for (const place of places()) {
      place.addEventListener("click", (e) => {
        const button = /** @type {HTMLElement} */ (e.target).closest("[data-round]");
        if (button) review.choose(Number(button.getAttribute("data-round")));
      });
    }
  }

  draw() {
    const { count, place: shown } = this.review;
    for (const place of places()) {
      place.hidden = count < 2;
      // the same buttons keep the keyboard focus
      if (place.childElementCount !== count) place.replaceChildren(...Array.from({ length: count }, this.#button));
      [...place.children].forEach((button, i) => {
        if (i === shown.n) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      });
    }
  }

  /** @param {unknown} _ @param {number} i */
  #button = (_, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.round = String(i);
    button.textContent = this.t("moves.round", { n: i + 1 });
    return button;
  };
}
