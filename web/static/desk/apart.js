// @ts-check
/**
 * The players who are kept apart.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./desk.js").Part} Part
 */

import { element, find, write } from "../lib/dom.js";
import { fill } from "./playerdialog.js";
import { button, Rows } from "./rows.js";

/** Makes the part with the pairs of players who may not meet. @param {Desk} desk @returns {Part} */
export function apart(desk) {
  const box = /** @type {HTMLDetailsElement} */ (find("#apart"));
  const form = /** @type {HTMLFormElement} */ (box.querySelector("form"));
  const told = /** @type {HTMLElement} */ (box.querySelector("output"));
  const ids = (/** @type {number[]} */ pair) => pair.map((n) => desk.state().players[n - 1]?.id);
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const fields = new FormData(form);
    const [player, other] = ids([Number(fields.get("player")), Number(fields.get("other"))]);
    await desk.orders.send({ kind: "forbid", player, other }, told);
  });
  const rows = new Rows(find("#apart-rows"), {
    key: (/** @type {[number, number]} */ [a, b]) => a * 10_000 + b,
    make: (pair) => {
      const row = document.createElement("li");
      const take = button(desk.t("apart.remove"));
      take.addEventListener("click", () => {
        const [player, other] = ids(pair);
        void desk.orders.send({ kind: "allow", player, other }, told);
      });
      row.append(element("span", { class: "who" }), take);
      return row;
    },
    draw: (row, [a, b]) => {
      const text = desk.t("apart.pair", { one: desk.name(a), other: desk.name(b) });
      write(/** @type {Element} */ (row.firstElementChild), text);
      row.lastElementChild?.setAttribute("aria-label", `${desk.t("apart.remove")}: ${text}`);
    },
  });
  const draw = () => {
    const { players, forbidden = [] } = desk.state();
    rows.show(forbidden);
    if (!box.open) return;
    const all = players.filter((p) => p.id !== "");
    /** @type {[string, string][]} */
    const options = [["", ""], ...all.map((p) => /** @type {[string, string]} */ ([String(p.n), desk.name(p.n)]))];
    for (const name of ["player", "other"]) fill(/** @type {any} */ (form.elements.namedItem(name)), options);
  };
  box.addEventListener("toggle", draw);
  return { draw };
}
