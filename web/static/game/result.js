// @ts-check
/**
 * The panel after the game: the result and its reason, the next steps, and the story of the game.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { find, show, write } from "../lib/dom.js";
import { inLanguage } from "../lib/language.js";
import { prefs } from "../lib/prefs.js";
import { listed, western } from "../lib/text.js";
import { isBot } from "../model/bots.js";
import { ownOf } from "../model/state.js";
import { AnalysisRequest } from "../review/analysisrequest.js";
import { Story } from "../review/story.js";
import { worthTo } from "../review/storydata.js";

/** Offers a guest an account, after the first game on this device only. */
function offerAccount() {
  const offer = /** @type {HTMLElement | null} */ (document.querySelector("#upgrade"));
  if (!offer) return; // the viewer has an account
  try {
    const told = localStorage.getItem("upgrade") ?? location.pathname;
    localStorage.setItem("upgrade", told);
    offer.hidden = told !== location.pathname;
  } catch {
    // without storage nothing is offered
  }
}

export class ResultPanel {
  #offered = false; // the offer has been handled
  #told = false; // the story has been drawn
  /** The worth of the game after each ply, by round: a seat, and the value to it. @type {number[][][]} */
  #worths = JSON.parse(document.querySelector("#worths")?.textContent ?? "[]");

  /** @param {T} t @param {import("../review/review.js").Review} review */
  constructor(t, review) {
    this.t = t;
    this.review = review;
    new AnalysisRequest(review.room, () => this.#looked());
    this.story = new Story(t, find("#after"), (n) => review.go(n, true));
  }

  /** @param {Game} game @param {Speaker} words */
  draw(game, words) {
    const { snap, as } = game;
    const own = ownOf(game);
    const { t } = this;
    const over = snap.state === "over";
    show("#result", over);
    if (!over) return;
    write(find("#headline"), words.headline());
    const said = [words.closeness(), words.reason(), this.#praise(game, words.mine)];
    write(find("#reason"), said.filter(Boolean).join(" "));
    show("#rating", snap.rated === true);
    const ratings = (snap.ratings ?? [])
      .map((r, seat) => ({ own: seat === as, text: this.#rating(seat === as ? null : words.name(seat), r) }))
      .sort((a, b) => Number(b.own) - Number(a.own))
      .map(({ text }) => text);
    write(find("#rating"), ratings.join("\n"));
    const figures = (snap.rounds ?? []).map((r, i) => t("result.round", { n: i + 1, score: words.score(r.scores) }));
    write(
      find("#lag"),
      (snap.result?.receipt ?? []).map((lag, seat) => this.#receipt(words.name(seat), lag)).join(" "),
    );
    write(find("#figures"), figures.join(" · "));
    show("#figures", figures.length > 0);
    const asked = snap.offers.some((o) => o.what === "rematch" && o.seat === as);
    const again = /** @type {HTMLButtonElement} */ (find("#result [data-action=rematch]"));
    const event = document.querySelector("#event-way") !== null; // a tournament decides who plays whom
    again.hidden = as < 0 || event || Boolean(snap.rematch) || snap.result?.reason === "expired";
    again.disabled = asked; // it keeps its place, so that nothing moves
    show("#result [data-action=new]", !event || as < 0);
    const link = /** @type {HTMLAnchorElement} */ (find("#result [data-action=rematch-open]"));
    show(link, Boolean(snap.rematch));
    if (snap.rematch) link.href = `/${snap.rematch}`;
    if (as < 0) {
      const next = /** @type {HTMLAnchorElement} */ (find("#result [data-action=new]"));
      next.href = "/watch";
      write(next, t("action.watch-next"));
    }
    const challenge = /** @type {HTMLAnchorElement} */ (find("#result [data-action=challenge]"));
    challenge.hidden = own < 0 || event || snap.seats.length !== 2 || isBot(snap.seats[1 - as]);
    if (!challenge.hidden) challenge.href = `/challenge?player=${snap.seats[1 - as]}`;
    const worths = this.#worths[this.review.place.n]?.map(([seat, value]) => ({ seat, value }));
    this.#told ||= this.review.settled; // the moves that have just come are listed before their story is drawn
    this.story.draw(
      {
        ...this.review.place,
        ...(!this.#told && { round: null }),
        worths: worths && worthTo(worths, Math.max(0, words.mine), words.shape.sides),
      },
      words,
    );
    // One button leads to the analysis: it makes one, and later it is the link to it. An aborted game has none.
    const story = !find("#after").hidden && snap.result?.reason !== "aborted";
    show("#asking", story && this.#worths.length === 0);
    show("#result [data-action=analyse]", story && this.#worths.length > 0);
    const played = as >= 0 && story;
    if (played && !this.#offered) offerAccount();
    this.#offered ||= played;
  }

  /** Takes what the server writes about the finished analysis into this page. */
  async #looked() {
    const answer = await fetch(inLanguage(`/${this.review.room}`)).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.#worths = JSON.parse(page.querySelector("#worths")?.textContent ?? "[]");
    find("#asking").before(...page.querySelectorAll("#result p:has([data-action=turned])"));
    this.review.changed();
  }

  /**
   * Returns a sentence that praises a child, won or lost; at one screen both.
   * @param {Game} game
   * @param {number} side
   */
  #praise({ snap: { result, seats }, as }, side) {
    if (as < 0 || seats.length === 0 || prefs.get("kids") !== "on") return "";
    return this.t(result?.winners.includes(side) ? "praise.won" : "praise.played");
  }

  /**
   * Returns a sentence such as "Your rating: 1510 +8".
   * @param {string | null} name null: the viewer's own
   * @param {import("../model/state.js").RatingChange} r
   */
  #rating(name, { before, after, provisional }) {
    const change = after < before ? `\u2212${before - after}` : `+${after - before}`;
    const rating = this.t(provisional ? "rating.provisional" : "rating", { n: after });
    return name === null
      ? this.t("result.rating.you", { rating, change })
      : this.t("result.rating", { name, rating, change });
  }

  /**
   * Says how much time the network cost a player, how much of it was given back, and what the service would have
   * cost, by cause. A server of the release before tells no causes.
   * @param {string} name
   * @param {{measured?: number, given?: number, left?: number, credited?: number, causes?: Record<string, number>}} lag
   */
  #receipt(name, { measured = 0, given = 0, left = 0, credited = 0, causes = { outage: 0 } }) {
    const { lang } = document.documentElement;
    const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    const seconds = (/** @type {number} */ ms) => (ms / 1e3).toLocaleString(western(lang), tenths);
    const lag = this.t("result.lag", { name, measured: seconds(measured), given: seconds(given), left: seconds(left) });
    if (!credited) return lag;
    const why = Object.keys(causes).map((c) => this.t("result.cause." + c));
    return lag + " " + this.t("result.credited", { name, n: seconds(credited), why: listed(this.t, why) });
  }
}
