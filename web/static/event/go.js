// @ts-check
/** Takes a player to their game. */

import { callAttention } from "../lib/title.js";

let called = ""; // the game to which the player was called while the tab was hidden

const key = "event-game"; // the last game of a tournament whose page this browser has shown to its player

/** Notes that the player has come to a game: no other page takes them there. @param {string} room */
export function hasCome(room) {
  try {
    localStorage.setItem(key, room);
  } catch {
    // without storage, every page takes the player to the game
  }
}

/** Reports whether the player has come to a game. @param {string} room */
export function cameTo(room) {
  try {
    return localStorage.getItem(key) === room;
  } catch {
    return false;
  }
}

/**
 * Goes to a game. A tab that is hidden calls the player by its title and a sound, and goes when they
 * look.
 * @param {string} room
 * @param {string} text
 * @param {() => void} call makes the sound
 */
export function goTo(room, text, call) {
  if (called === room) return;
  called = room;
  call();
  if (!document.hidden) return location.assign(`/${room}`);
  callAttention(text);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && called) location.assign(`/${called}`);
});
