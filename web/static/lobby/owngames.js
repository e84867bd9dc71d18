// @ts-check
/**
 * The viewer's games on the home page, and in its title the number of games that wait for the
 * viewer. The server draws them; nothing moves under a pointer or the focus.
 */

import { held } from "../lib/attention.js";
import { textOf } from "../lib/language.js";
import { badge } from "../lib/title.js";

const parts = ["#resume", "#mine"];
const near = [...parts, "#seeks-area"].join(); // the seeks move when the lists above them grow
const look = 1_000; // ms between attempts to show a new list

export const showsOwnGames = document.querySelector("#mine") !== null;

/** @type {Document | null} to be shown as soon as it may be */
let next = null;
let due = false; // the games have changed since the last request
let asking = false;

/** Fetches the viewer's games: they have changed. A server that is down reports them when it is back. */
export async function refreshOwnGames() {
  due = true;
  if (asking) return;
  asking = true;
  while (due) {
    due = false;
    const text = await textOf("/mine");
    if (text) show(new DOMParser().parseFromString(text, "text/html"));
  }
  asking = false;
}

/** @param {Document} page */
function show(page) {
  badge(Number(/** @type {HTMLElement} */ (page.querySelector("#mine")).dataset.due));
  next = page;
  settle();
}

function settle() {
  if (!next || [...document.querySelectorAll(near)].some((part) => held(part))) return;
  for (const part of parts)
    document.querySelector(part)?.replaceWith(/** @type {Element} */ (next.querySelector(part)));
  next = null;
}

if (showsOwnGames) setInterval(settle, look);
