// @ts-check
/** The script of every page but a game's: what forms and links cannot do. */

import { find } from "../lib/dom.js";
import "../lib/prefsforms.js";
import { playHero } from "../lobby/hero.js";
import { lobby } from "../lobby/lobby.js";
import { listenToLobby } from "../lobby/listen.js";
import { storeWhenInstalled } from "../offline/localcopy.js";
import { install, wait } from "../offline/offline.js";
import { steppers } from "../lib/steppers.js";
import { translator } from "../lib/text.js";
import "../people/following.js";
import { SmallBoards } from "../watch/smallboards.js";

steppers();
void playHero();
const quiet = listenToLobby();
const pause = /** @type {HTMLElement | null} */ (document.querySelector("[data-seconds]")); // asks to wait
// The worker's requests would make the visitor wait longer.
if (!pause) {
  install(() => {
    /** @type {HTMLElement} */ (document.querySelector("#updated")).hidden = false;
  });
  storeWhenInstalled();
}

const playing = /** @type {HTMLElement | null} */ (document.querySelector("[data-playing]"));
if (playing) new SmallBoards(playing, lobby?.link ?? quiet);

const kept = /** @type {HTMLElement | null} */ (document.querySelector("#kept"));
if (kept) void wait(kept, /** @type {HTMLElement} */ (document.querySelector("#lessons")));

// Another language loads the settings page again. The focus returns to the language, if the browser
// allows storage.
const tab = (() => {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
})();
document.addEventListener("input", (e) => {
  const { name, value } = /** @type {HTMLInputElement} */ (e.target);
  if (name === "language" && value !== document.documentElement.lang) tab?.setItem(name, "new");
});
// The address names the game from which the viewer has come. So the way back stays when the page is loaded again.
const game = /** @type {HTMLInputElement | null} */ (document.querySelector("form[data-prefs] [name=game]"));
if (game && !location.search) history.replaceState(history.state, "", `?game=${game.value}`);
if (tab?.getItem("language")) {
  tab.removeItem("language");
  /** @type {HTMLElement | null} */ (document.querySelector("form[data-prefs] [name=language]:checked"))?.focus();
}

// A page that asks to wait counts the seconds.
if (pause) {
  const text = translator(JSON.parse(find("#wait-texts").textContent ?? "{}"), document.documentElement.lang);
  let left = Number(pause.dataset.seconds);
  const timer = setInterval(() => {
    left--;
    pause.textContent = left > 0 ? text("help", { n: left }) : text("now");
    if (left === 0) clearInterval(timer);
  }, 1000);
}

// After a viewer has deleted their data, the server's answer clears this device's storage; over
// plain http it cannot, so the page does.
document.querySelector("#forget")?.addEventListener("submit", () => localStorage.clear());
