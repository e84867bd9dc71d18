// @ts-check
/**
 * One's own games on the home page, and in its title how many of them wait for one,
 * as they change. The server draws them; nothing moves under a pointer or the focus.
 */

import { badge } from "../lib/title.js";

const parts = ["#resume", "#mine"];
const held = [...parts, "#seeks-area"].map((part) => `${part}:is(:hover, :focus-within)`).join();
const look = 1_000; // ms until it is seen again whether the list may change

export const showsOwnGames = document.querySelector("#mine") !== null;

/** @type {Document | null} what is to be shown, once it may be */
let next = null;
let due = false; // they stand otherwise than was asked for
let asking = false;

/** They stand otherwise. What the server cannot tell now is told when it is back. */
export async function refreshOwnGames() {
  due = true;
  if (asking) return;
  asking = true;
  while (due) {
    due = false;
    const text = await fetch("/mine").then((r) => (r.ok ? r.text() : ""), () => "");
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
  if (!next || document.querySelector(held)) return;
  for (const part of parts) document.querySelector(part)?.replaceWith(/** @type {Element} */ (next.querySelector(part)));
  next = null;
}

if (showsOwnGames) setInterval(settle, look);
