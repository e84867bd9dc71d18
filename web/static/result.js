// @ts-check
/**
 * After the game: who won and why, what to do next, and the story of the game as
 * bars.
 *
 * @typedef {import("./text.js").T} T
 * @typedef {import("./state.js").Game} Game
 * @typedef {ReturnType<typeof import("./words.js").speaker>} Speaker
 */

/** @param {string} selector @returns {HTMLElement} */
const at = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
/** @param {string} selector @param {boolean} visible */
const show = (selector, visible) => (at(selector).hidden = !visible);

export class ResultPanel {
  /** @param {T} t */
  constructor(t) {
    this.t = t;
  }

  /** @param {Game} game @param {Speaker} words */
  draw({ snap, as }, words) {
    const { t } = this;
    const over = snap.state === "over";
    show("#result", over);
    if (!over) return;
    at("#headline").textContent = words.headline();
    at("#reason").textContent = words.reason();
    const figures = (snap.rounds ?? []).map((r, i) => t("result.round", { n: i + 1, score: words.score(r.scores) }));
    const receipt = as < 0 ? null : /** @type {{given?: number} | undefined} */ (snap.result?.receipt?.[as]);
    if (receipt?.given && receipt.given >= 50) figures.push(t("result.lag", { time: (receipt.given / 1000).toFixed(1) }));
    at("#figures").textContent = figures.join(" · ");
    const asked = snap.offers.some((o) => o.what === "rematch" && o.seat === as);
    show("#result [data-action=rematch]", as >= 0 && !snap.rematch && !asked && snap.result?.reason !== "expired");
    const link = /** @type {HTMLAnchorElement} */ (at("#result [data-action=rematch-open]"));
    link.hidden = !snap.rematch;
    if (snap.rematch) link.href = `/${snap.rematch}`;
  }
}
