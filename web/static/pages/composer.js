// @ts-check
/** The script of the composer: every change of the form is shown at once, by the server's own page. */

import { inLanguage } from "../lib/language.js";
import "./page.js";

const place = /** @type {HTMLElement} */ (document.querySelector("#composer"));
/** @type {AbortController | undefined} */ let asking; // for the last change; an earlier one no longer matters
let again = 0; // the timer of the last change, if the server would not show it yet

/** Shows the page of an answer in place of this one. The focus stays. @param {Document} page */
function show(page) {
  const next = /** @type {HTMLElement | null} */ (page.querySelector("#composer"));
  if (!next) return false;
  const said = /** @type {HTMLElement} */ (next.querySelector("#said"));
  const focus = document.activeElement?.id;
  for (const name of ["link", "hash"]) place.dataset[name] = next.dataset[name];
  for (const part of [".begin", ".sides"])
    /** @type {Element} */ (place.querySelector(part)).replaceWith(/** @type {Element} */ (next.querySelector(part)));
  /** @type {Element} */ (place.querySelector("#said")).replaceChildren(...said.childNodes); // stays, to be read aloud
  history.replaceState(null, "", inLanguage(place.dataset.link ?? ""));
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  return true;
}

/** Shows and says the words of a page that refuses a change for now. The form stays. @param {Document} page */
function tell(page) {
  const words = Array.from(page.querySelectorAll(".error h1, .error .lead"), (part) => part.textContent);
  const panel = document.createElement("p");
  panel.className = "panel problem";
  panel.textContent = words.join(" ");
  /** @type {Element} */ (place.querySelector("#said")).replaceChildren(panel);
}

/**
 * Asks for a page and shows it. A server that has no time for it says when to ask again. If there is no answer, the
 * browser goes there itself.
 * @param {string} address
 */
async function go(address) {
  asking?.abort();
  clearTimeout(again);
  asking = new AbortController();
  const { signal } = asking;
  place.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(inLanguage(address), { signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const seconds = Number(answer.headers.get("Retry-After"));
    if (signal.aborted) return;
    place.removeAttribute("aria-busy"); // before the words, which screen readers read aloud
    if (!answer.ok && seconds > 0) {
      tell(page);
      again = window.setTimeout(() => void go(address), seconds * 1000);
    } else if (!(answer.ok && show(page))) location.assign(inLanguage(address));
  } catch (e) {
    if (!signal.aborted) location.assign(inLanguage(address));
  }
}

/** @param {HTMLFormElement} form */
const addressOf = (form) =>
  `${form.action}?${new URLSearchParams(/** @type {[string, string][]} */ (Array.from(new FormData(form))))}`;

place.addEventListener("change", (e) => {
  const form = /** @type {HTMLInputElement} */ (e.target).form;
  if (form?.id === "compose" && form.reportValidity()) void go(addressOf(form));
});
place.addEventListener("submit", (e) => {
  const form = /** @type {HTMLFormElement} */ (e.target);
  if (form.method !== "get") return;
  e.preventDefault();
  void go(addressOf(form));
});
place.addEventListener("click", (e) => {
  const target = /** @type {Element} */ (e.target);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest(".why a, .contents a"));
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  void go(link.href);
});
