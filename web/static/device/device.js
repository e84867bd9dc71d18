// @ts-check
/**
 * The bundle of the page of a game without a server: its form. What plays is loaded when a game begins
 * (localplay.js). A game that was kept goes on at once.
 *
 * @typedef {import("./session.js").Reply} Reply
 */

import { find } from "../lib/dom.js";
import { copy } from "../lib/share.js";
import { steppers } from "../lib/steppers.js";
import { translator } from "../lib/text.js";
import { storeLocal } from "../offline/localcopy.js";
import { install } from "../offline/offline.js";
import { choiceIn, fitGames } from "./choice.js";
import { Store } from "./store.js";

const game = find("#game");
const choose = find("#choose");
const form = /** @type {HTMLFormElement} */ (choose.querySelector("form"));
const go = /** @type {HTMLButtonElement} */ (choose.querySelector("[data-action=begin]"));
const resume = /** @type {HTMLButtonElement} */ (choose.querySelector("[data-action=resume]"));
const t = translator(
  /** @type {Record<string, string>} */ ({ ...choose.dataset }),
  document.documentElement.lang || "en",
);
const store = new Store(storage());
/** @type {typeof import("./localplay.js") | null} */
let player = null;
/**
 * The kept game that the form does not offer: it is over, or this release cannot read it.
 * @type {import("./store.js").Kept | null}
 */
let closed = null;

/** Returns the browser's storage, or null where it is forbidden. */
function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** @param {string} text @param {boolean} [busy] */
function say(text, busy = false) {
  const said = find("#choose-said");
  said.textContent = text;
  said.hidden = text === "";
  go.disabled = resume.disabled = busy;
}

/** Shows the form or the game. @param {boolean} chooses */
function show(chooses) {
  game.toggleAttribute("data-choosing", chooses);
  resume.hidden = !store.kept || store.kept === closed;
  scrollTo({ top: 0, behavior: "instant" });
}

/**
 * Begins a game or goes on with the kept one, or says what is wrong.
 * @param {Record<string, any> | null} choice null: the kept game
 */
async function play(choice) {
  say(t("loading"), true);
  /** @type {Reply | null} */
  let reply = null;
  try {
    player ??= /** @type {typeof import("./localplay.js")} */ (await import(choose.dataset.play ?? ""));
    reply = await player.ask(store, choice);
  } catch {
    // It could not be loaded, or has ended.
  }
  if (player && reply?.frames?.length) {
    say("");
    show(false);
    void storeLocal(); // from now on it opens without a network
    return player.show(reply);
  }
  const broken = reply?.error?.code === "bad-game";
  // A tab of a newer release may have kept it, so only the next game replaces it.
  if (broken) closed = store.kept;
  show(true);
  if (!player || !reply?.error) say(t("failed"));
  else say(broken ? t("broken") : await player.problem(reply.error, t("refused")));
}

form.addEventListener("submit", (e) => {
  e.preventDefault();
  void play(choiceIn(form, t));
});
resume.addEventListener("click", () => play(null));
form.addEventListener("change", () => fitGames(form));
document.addEventListener("click", async (e) => {
  const button = /** @type {HTMLElement | null} */ (
    /** @type {HTMLElement} */ (e.target).closest("[data-action=new], [data-device]")
  );
  if (!button) return;
  if (button.dataset.action === "new") {
    e.preventDefault();
    closed = store.kept;
    show(true);
    return find("#choose h2").focus();
  }
  const text = (await player?.record()) ?? "";
  if (button.dataset.device === "save") return save(text);
  if (!(await copy(text))) return;
  button.dataset.label ??= button.textContent ?? "";
  find("#say").textContent = button.textContent = t("copied");
  setTimeout(() => (button.textContent = button.dataset.label ?? ""), 3_000);
});
addEventListener("storage", (e) => store.elsewhere(e) && player?.leave());

/** @param {string} text */
function save(text) {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href, download: "mancala.txt" }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

steppers();
fitGames(form);
install(() => (find("#updated").hidden = false));
void storeLocal(); // people open this page to play without a network later
if (store.kept) void play(null);
else show(true);
