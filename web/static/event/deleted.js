// @ts-check
import { element, find } from "../lib/dom.js";

/**
 * Replaces the page of a tournament that a host has deleted, so that no names stay on the screen.
 * @param {string} text
 * @param {string} list the text of the link to all tournaments
 */
export function showDeleted(text, list) {
  document.title = text;
  const box = element("div", { class: "home", id: "deleted" });
  const back = element("p", {});
  back.append(element("a", { class: "button", href: "/t" }, list));
  box.append(element("h1", { tabindex: -1 }, text), back);
  find("#main").replaceChildren(box);
  box.querySelector("h1")?.focus(); // read out
}
