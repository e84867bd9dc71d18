// @ts-check
/**
 * Announcements to every screen of the tournament.
 *
 * @typedef {import("./desk.js").Desk} Desk
 */

import { find } from "../lib/dom.js";

const kept = 5; // announcements that the desk shows

/** @param {Desk} desk @returns {import("./desk.js").Part} */
export function announcements(desk) {
  const form = /** @type {HTMLFormElement} */ (find("#announce"));
  const field = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text"));
  const told = /** @type {HTMLElement} */ (form.querySelector("output"));
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const text = field.value.replace(/\s+/g, " ").trim();
    if (text === "") return;
    const err = await desk.orders.send({ kind: "announce", text }, told, desk.t("told.sent"));
    if (!err && field.value.replace(/\s+/g, " ").trim() === text) field.value = "";
  });
  addEventListener("announced", (e) => {
    const item = document.createElement("li");
    item.textContent = /** @type {CustomEvent<string>} */ (e).detail;
    const said = find("#announced");
    said.prepend(item);
    while (said.childElementCount > kept) said.lastElementChild?.remove();
  });
  return { draw() {} };
}
