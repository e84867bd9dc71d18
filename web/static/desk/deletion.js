// @ts-check
/**
 * Deleting the tournament.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./desk.js").Part} Part
 */

import { find, write } from "../lib/dom.js";

/** Makes the part that deletes the tournament. A dialog says what is lost. @param {Desk} desk @returns {Part} */
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
