// @ts-check
/**
 * The parts beside the lists: players who are kept apart, the log, and deleting the tournament.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./desk.js").Part} Part
 */

import { element, find, write } from "../lib/dom.js";
import { western } from "../lib/text.js";
import { fill } from "./playerdialog.js";
import { button, Rows } from "./rows.js";

/** @param {string} id @returns {{form: HTMLFormElement, told: HTMLElement}} */
const formIn = (id) => ({
  form: /** @type {HTMLFormElement} */ (find(`${id} form`)),
  told: /** @type {HTMLElement} */ (find(`${id} output`)),
});

/** Pairs of players who may not meet. @param {Desk} desk @returns {Part} */
export function apart(desk) {
  const box = /** @type {HTMLDetailsElement} */ (find("#apart"));
  const { form, told } = formIn("#apart");
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

/** The log: each act with its author. @param {Desk} desk @returns {Part} */
export function log(desk) {
  const box = /** @type {HTMLDetailsElement} */ (find("#log"));
  const told = /** @type {HTMLElement} */ (box.querySelector("output"));
  const time = new Intl.DateTimeFormat(western(desk.t.lang), { dateStyle: "short", timeStyle: "medium" });
  const ask = async () => {
    if (!box.open) return;
    const answer = await desk.orders.post(`/t/${desk.room}/log`, {}, told, { get: true });
    find("#log-rows").replaceChildren(
      ...(answer?.lines ?? []).map((/** @type {Record<string, any>} */ line) => {
        const row = element("li", { "data-kind": line.kind });
        row.append(element("time", { datetime: new Date(line.at).toISOString() }, time.format(line.at)));
        row.append(" ", line.by ? desk.t("log.by", { name: line.by, what: line.words }) : line.words);
        if (line.reason) row.append(` (${line.reason})`);
        return row;
      }),
    );
  };
  box.addEventListener("toggle", ask);
  find("#log-again").addEventListener("click", ask);
  return { draw() {} };
}

/** The deletion of the tournament. A dialog says what is lost. @param {Desk} desk @returns {Part} */
export function deletion(desk) {
  const dialog = /** @type {HTMLDialogElement} */ (find("#deletion"));
  const told = /** @type {HTMLElement} */ (dialog.querySelector("output"));
  find("#delete-ask").addEventListener("click", () => {
    told.textContent = "";
    dialog.showModal();
  });
  find("#delete-go").addEventListener("click", () => void desk.orders.send({ kind: "delete" }, told));
  return {
    draw() {
      const { settings, players } = desk.state();
      write(find("#deletion-name"), desk.t("delete.name", { name: settings.name }));
      write(find("#deletion-what"), desk.t("delete.what", { n: players.filter((p) => p.id !== "").length }));
    },
  };
}
