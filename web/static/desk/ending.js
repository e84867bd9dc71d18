// @ts-check
/**
 * The standings: while the tournament runs after each round, and at the end with the podium.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {{place: number, n: number, points: number, breaks: number[]}} Row
 */

import { element, find } from "../lib/dom.js";
import { breakText, points, standingsKey } from "./summary.js";

const pause = 1_000; // ms: several results come together

export class Ending {
  #asked = "";
  #timer = 0;
  #over = false;

  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    find("#ending").addEventListener("toggle", () => this.draw());
  }

  draw() {
    const { state } = this.desk;
    const { stage, rounds, settings } = state();
    const some = rounds.length > 0 && settings.format !== "class";
    const box = /** @type {HTMLDetailsElement} */ (find("#ending"));
    box.hidden = !some;
    if (stage === "over" && !this.#over) box.open = true;
    this.#over = stage === "over";
    for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#ending [data-for=table]")))
      link.hidden = !["swiss", "roundrobin", "doubleround"].includes(settings.format);
    const asks = standingsKey(state());
    if (!some || !box.open || asks === this.#asked) return;
    this.#asked = asks;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#ask(), pause);
  }

  async #ask() {
    const r = await fetch(`/api/v1/tournaments/${this.desk.room}/standings`).catch(() => null);
    const answer = r?.ok ? await r.json().catch(() => null) : null;
    if (answer) this.#show(answer.rows, answer.breaks);
    else this.#asked = ""; // the next change asks again
  }

  /** @param {Row[]} rows @param {string[]} breaks codes of the tie-breaks */
  #show(rows, breaks) {
    const { t, name, state, room } = this.desk;
    const { stage, settings } = state();
    const shown = breaks
      .map((code, i) => ({ code, i }))
      .filter(({ code, i }) => code !== "DE" || rows.some((row) => row.breaks[i] !== 0)); // or it separates nobody
    const knockout = settings.format === "knockout";
    const head = element("tr", {});
    head.append(element("th", { scope: "col", class: "n" }, t("place")), element("th", { scope: "col" }, t("player")));
    if (!knockout) head.append(element("th", { scope: "col", class: "n" }, t("points")));
    for (const { code } of shown) {
      const th = element("th", { scope: "col", class: "n" });
      th.append(element("abbr", { title: t(`break.${code}`) }, t(`break.short.${code}`)));
      head.append(th);
    }
    find("#standings thead").replaceChildren(head);
    find("#standings tbody").replaceChildren(
      ...rows.map((row) => {
        const tr = element("tr", { "data-player": row.n });
        tr.append(element("td", { class: "n" }, row.place));
        const who = element("th", { scope: "row", class: "who" });
        who.append(element("a", { href: `/t/${room}/p/${row.n}`, target: "_blank" }, name(row.n))); // says why
        tr.append(who);
        if (!knockout) tr.append(element("td", { class: "n" }, points(row.points)));
        tr.append(...shown.map(({ code, i }) => element("td", { class: "n" }, breakText(row.breaks[i], code))));
        return tr;
      }),
    );
    const podium = find("#podium");
    podium.hidden = stage !== "over" || rows.length === 0;
    podium.replaceChildren(
      ...rows.filter((row) => row.place <= 3).slice(0, 6).map((row) => {
        const li = element("li", { "data-place": row.place });
        li.append(element("b", { class: "figure" }, row.place), element("bdi", {}, name(row.n)));
        if (!knockout) li.append(element("small", {}, t("points.n", { n: points(row.points) })));
        return li;
      }),
    );
  }
}
