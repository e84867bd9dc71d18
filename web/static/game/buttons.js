// @ts-check
/**
 * What the buttons of the page do, and the keys and words that stand for them.
 *
 * @typedef {import("./game.js").Parts} Parts
 */

import { find } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import { copy, share } from "../lib/share.js";
import { commandOf } from "../model/actions.js";
import { refusal } from "../speech/refusals.js";
import { speaker } from "../speech/words.js";
import { listKeys } from "./keyhelp.js";

export class Acts {
  /** @param {Parts} parts @param {import("./renderer.js").Scene} scene */
  constructor(parts, scene) {
    this.parts = parts;
    this.scene = scene;
  }

  /** @param {string} action @param {HTMLElement} button */
  act(action, button) {
    const { here, link, play, panels, waiting, chat, tab, review, t } = this.parts;
    const command = commandOf(here.game, action, button.dataset.what);
    tab.use();
    if (command) return link.command(command);
    switch (action) {
      case "keep":
      case "swap":
        return play.send(-1, action);
      case "pass":
        return play.send(-1, "-");
      case "wait":
        panels.patient = Date.now() + here.game.ahead + 30_000;
        return this.scene.draw();
      case "first":
      case "back":
      case "forward":
      case "last":
        return this.#walk(action);
      case "step":
        return this.#step();
      case "sound":
        prefs.set("muted", prefs.get("muted") === "on" ? "off" : "on");
        return this.scene.draw();
      case "flip":
        here.flipped = !here.flipped;
        return this.scene.draw();
      case "watch":
        waiting.watch();
        return this.scene.draw();
      case "takeover":
        here.reader = false;
        return link.subscribe({ take: true });
      case "mute":
        chat.mute();
        return this.scene.draw();
      case "help":
        return this.#help();
      case "hint":
        return void this.parts.hints.ask();
      case "retry":
        return link.retryNow();
      case "copy":
        return void this.#copyLink(button);
      case "copy-moves":
        return void copy(review.text(speaker(t, here.game))).then((done) => done && this.#noticed(button, "waiting.copied"));
      case "share-move":
        return this.#share(button, review.link);
      case "share":
        return this.#share(button, /** @type {HTMLInputElement} */ (find("#link")).value);
    }
  }

  /** Be called something else. @param {string} name */
  async rename(name) {
    const { t, here, voice } = this.parts;
    const answer = await fetch("/api/v1/me", { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ name }) }).catch(() => null);
    const body = await answer?.json().catch(() => null);
    const { game } = here;
    if (answer?.ok) here.game = { ...game, names: { ...game.names, [game.me]: body.name } };
    here.message = answer?.ok ? "" : refusal(t, body?.error ?? body ?? { code: "unavailable" }, { name: t("opponent"), number: String });
    voice.say(here.message || t("waiting.renamed", { name: body.name }));
    this.scene.draw();
  }

  /** Look at another position; forward, one sees the move. @param {"first" | "back" | "forward" | "last"} way */
  #walk(way) {
    const { here, motion, review } = this.parts;
    const was = review.now;
    motion.end();
    review.step(way);
    const played = review.played(here.game.snap.turn);
    if (way === "forward" && played && review.now > was) motion.replay(here.game, played);
    this.scene.draw();
  }

  /** One event further: in the past the next move, else the last one again. */
  #step() {
    const { here, motion, review } = this.parts;
    if (motion.shown === null && review.away) review.step("forward");
    motion.step(here.game, review.played(here.game.snap.turn));
    this.scene.draw();
  }

  #help() {
    find("#help-rules").textContent = find("#rules-text p").textContent;
    listKeys(find("#help-keys"), this.parts.t);
    /** @type {HTMLDialogElement} */ (find("#help")).showModal();
  }

  /** @param {HTMLElement} button @param {string} address */
  #share(button, address) {
    void share(document.title, address).then((how) => how === "copied" && this.#noticed(button, "share.copied"));
  }

  /** @param {HTMLElement} button */
  async #copyLink(button) {
    const field = /** @type {HTMLInputElement} */ (find("#link"));
    this.#noticed(button, (await copy(field.value, field)) ? "waiting.copied" : "waiting.copy-by-hand");
  }

  /** A button that says for a moment what it has done. @param {HTMLElement} button @param {string} key */
  #noticed(button, key) {
    const label = (button.dataset.label ??= button.textContent ?? "");
    button.textContent = this.parts.t(key);
    this.parts.voice.say(button.textContent);
    setTimeout(() => (button.textContent = label), 3_000);
  }
}
