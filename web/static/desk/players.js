// @ts-check
/**
 * The list of players, and adding players who have no device.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("../event/state.js").Player} Player
 */

import { isSubstitute } from "../event/news.js";
import { takesPart } from "../event/state.js";
import { find, write } from "../lib/dom.js";
import { confirm, toldBeside } from "./orders.js";
import { appear, button, Rows } from "./rows.js";
import { counts } from "./summary.js";

const page = 60; // rows at first, and with each tap on "Show more"
const atOnce = 10; // names in one request: the server remembers few of a host's requests

export class Players {
  #most = page;

  /** @param {Desk} desk @param {import("./playerdialog.js").PlayerDialog} dialog */
  constructor(desk, dialog) {
    this.desk = desk;
    this.rows = new Rows(find("#player-rows"), {
      key: (/** @type {Player} */ p) => p.n,
      make: (p) => this.#make(p),
      draw: (row, p) => this.#draw(row, p),
    });
    find("#player-rows").addEventListener("click", (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest("button");
      const n = Number(/** @type {HTMLElement | null} */ (b?.closest("[data-player]"))?.dataset.player);
      if (b?.dataset.do === "here") this.#checkIn(n, b);
      else if (b) dialog.open(n);
    });
    find("#find").addEventListener("input", () => this.draw());
    find("#more-players").addEventListener("click", () => {
      this.#most += page;
      this.draw();
    });
    find("#absent").addEventListener("click", () => void desk.orders.send({ kind: "absent" }, find("#absent-told")));
    find("#add").addEventListener("submit", (e) => {
      e.preventDefault();
      void this.#add(/** @type {HTMLFormElement} */ (e.target));
    });
  }

  /** @param {number} n @param {HTMLElement} b */
  #checkIn(n, b) {
    const { id } = this.desk.state().players[n - 1];
    void this.desk.orders.send({ kind: "here", player: id }, toldBeside(b));
  }

  /** Adds the names of the field in parts, each of which is sent until it is answered. @param {HTMLFormElement} form */
  async #add(form) {
    const { t, orders, room, names } = this.desk;
    const field = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("names"));
    const told = /** @type {HTMLElement} */ (form.querySelector("output"));
    const lines = field.value.split("\n").map((l) => l.trim()).filter(Boolean);
    if (lines.length === 0) return;
    field.value = "";
    const from = this.desk.state().players.length + 1;
    let added = 0;
    /** @type {string[]} */
    const refused = [];
    const key = crypto.getRandomValues(new Uint32Array(3)).join("-");
    for (let i = 0; i < lines.length; i += atOnce) {
      const part = lines.slice(i, i + atOnce);
      const form = { names: part.join("\n"), key: `${key}-${i}` };
      const answer = await orders.post(`/t/${room}/players`, form, told);
      if (!answer) {
        field.value = [...lines.slice(i), field.value].filter(Boolean).join("\n"); // the host can try again
        return;
      }
      added += answer.added;
      for (const { name, msg } of answer.refused) refused.push(`${name}: ${msg}`);
    }
    await names(from);
    told.classList.toggle("problem", refused.length > 0);
    if (refused.length === 0) confirm(told, t("added", { n: added }));
    else told.textContent = [t("added", { n: added }), ...refused].join(" ");
  }

  draw() {
    const { desk } = this;
    const state = desk.state();
    const wanted = /** @type {HTMLInputElement} */ (find("#find")).value.trim().toLocaleLowerCase();
    const all = state.players.filter((p) => p.id !== "");
    const fitting = all.filter((p) => desk.name(p.n).toLocaleLowerCase().includes(wanted));
    this.rows.show(fitting.slice(0, this.#most));
    find("#nobody").hidden = all.length > 0;
    appear(find("#find"), all.length > 8);
    const more = find("#more-players");
    appear(more, fitting.length > this.#most, find("#find"));
    write(more, desk.t("players.more", { n: fitting.length - this.#most }));
    write(find("#players-heading"), desk.t("players.n", { n: all.length }));
    const absent = find("#absent");
    const { missing } = counts(state);
    appear(absent, state.stage === "entry" && missing > 0, find("#players-heading"));
    write(absent, desk.t("absent.n", { n: missing }));
  }

  /** @param {Player} p */
  #make(p) {
    const row = document.createElement("li");
    row.dataset.player = String(p.n);
    const { t } = this.desk;
    row.innerHTML = `<span class="figure number"></span><span class="who"><bdi></bdi><small></small></span>`;
    row.append(button(t("here"), { do: "here" }), button("⋯", { do: "open" }), document.createElement("output"));
    return row;
  }

  /** @param {HTMLElement} row @param {Player} p */
  #draw(row, p) {
    const { desk } = this;
    const state = desk.state();
    const name = desk.name(p.n) || "…";
    const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (row.querySelector(selector));
    write(part(".number"), String(p.n));
    write(part("bdi"), name);
    write(part("small"), playerState(desk, p));
    row.toggleAttribute("data-out", Boolean(p.out));
    row.toggleAttribute("data-here", takesPart(p) && Boolean(p.here || p.paper));
    const here = part("[data-do=here]");
    appear(here, state.stage === "entry" && !p.here && !p.paper && !p.out, part("[data-do=open]"));
    part("[data-do=open]").setAttribute("aria-label", desk.t("more.about", { name }));
    here.setAttribute("aria-label", desk.t("here.name", { name }));
  }
}

/** Describes a player's state. @param {Desk} desk @param {Player} p */
export function playerState({ t, state }, p) {
  const { stage, rounds, hosts } = /** @type {import("../event/state.js").State} */ (state());
  const bye = p.byes?.[rounds.length + 1];
  return [
    p.out ? t(isSubstitute(state(), p) ? "is.substitute" : "is.out") : "",
    p.paper ? t("is.paper") : "",
    !p.out && !p.paper && stage === "entry" ? t(p.here ? "is.here" : "is.missing") : "",
    !p.out && p.away ? t("is.away") : "",
    p.joined && !p.out ? t("is.late", { round: p.joined }) : "",
    bye && !p.out ? t(`is.bye.${bye}`, { round: rounds.length + 1 }) : "",
    hosts.includes(p.id) ? t("is.host") : "",
    p.rating && document.documentElement.dataset.kids !== "on" ? String(p.rating) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
