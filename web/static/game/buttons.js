// @ts-check
/**
 * The actions of the page's buttons, also by key and by the move field.
 *
 * @typedef {import("./gamepage.js").Parts} Parts
 */

import { ask } from "../lib/api.js";
import { find } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import { copy, share } from "../lib/share.js";
import { commandOf } from "../model/actions.js";
import { AutoPlay } from "../review/autoplay.js";
import { refusal } from "../speech/refusals.js";
import { speaker } from "../speech/words.js";
import { listKeys } from "./keyhelp.js";

export class Buttons {
  /** @type {Set<string>} the commands without an answer: a second tap on a button must not send its command again */
  #unanswered = new Set();

  /** @param {Parts} parts @param {import("./renderer.js").Renderer} renderer */
  constructor(parts, renderer) {
    this.parts = parts;
    this.renderer = renderer;
    this.autoPlay = new AutoPlay(parts.review, {
      walk: (way) => this.#walk(way),
      moving: () => parts.animation.shown !== null,
    });
  }

  /** @param {string} action @param {HTMLElement} button */
  press(action, button) {
    const { page, link, play, actionBar, waiting, chat, lastTab, review, t } = this.parts;
    const command = commandOf(page.game, action, button.dataset.what);
    lastTab.use();
    if (command) return this.#send(command);
    switch (action) {
      case "keep":
      case "swap":
        return play.send(-1, action);
      case "pass":
        return play.send(-1, "-");
      case "wait":
        actionBar.patient = Date.now() + page.game.ahead + 30_000;
        return this.renderer.draw();
      case "first":
      case "back":
      case "forward":
      case "last":
        return this.#walk(action);
      case "replay":
        return this.autoPlay.toggle();
      case "step":
        return this.#step();
      case "sound":
        prefs.set("muted", prefs.get("muted") === "on" ? "off" : "on");
        return this.renderer.draw();
      case "flip":
        page.flipped = !page.flipped;
        return this.renderer.draw();
      case "watch":
        waiting?.watch();
        return this.renderer.draw();
      case "takeover":
        page.reader = false;
        return link.subscribe({ take: true });
      case "mute":
        chat.mute();
        return this.renderer.draw();
      case "help":
        return this.#help();
      case "hint":
        return void this.parts.hints.ask();
      case "retry":
        return link.retryNow();
      case "copy":
        return void this.#copyLink(button);
      case "copy-moves":
        return void copy(review.text(speaker(t, page.game))).then(
          (done) => done && this.#confirmDone(button, "waiting.copied"),
        );
      case "link-move":
        return void copy(review.link).then((done) => done && this.#confirmDone(button, "share.copied"));
      case "share":
        return this.#share(button);
    }
  }

  /** @param {import("../lib/socket.js").Command} command */
  #send(command) {
    const key = JSON.stringify(command);
    if (this.#unanswered.has(key)) return;
    this.#unanswered.add(key);
    this.parts.link.command(command, () => this.#unanswered.delete(key));
  }

  /** Changes the viewer's name. @param {string} name */
  async rename(name) {
    const { t, page, voice } = this.parts;
    const { ok, body } = await ask("PATCH", "/api/v1/me", { name });
    const { game } = page;
    if (ok) page.game = { ...game, names: { ...game.names, [game.me]: body.name } };
    page.message = ok ? "" : refusal(t, { code: "unavailable", ...body }, { name: t("opponent"), number: String });
    voice.say(page.message || t("waiting.renamed", { name: body.name }));
    this.renderer.draw();
  }

  /**
   * Shows another position; on the way forward, with its move.
   * @param {"first" | "back" | "forward" | "last"} way
   */
  #walk(way) {
    const { page, animation, review } = this.parts;
    const was = review.now;
    animation.end();
    review.step(way);
    const played = this.#played();
    if (way === "forward" && played && review.now > was) animation.replay(page.game, played);
    this.renderer.draw();
  }

  /** Shows one event: of the next move when an earlier position is shown, else of the last move. */
  #step() {
    const { page, animation, review } = this.parts;
    if (animation.shown === null && review.inPast) review.step("forward");
    animation.step(page.game, this.#played());
    this.renderer.draw();
  }

  /** Returns the ply before the position that is shown. Nobody plays again after the last one of a game. */
  #played() {
    const { snap } = this.parts.page.game;
    return this.parts.review.played(snap.state === "live" ? snap.turn : -1);
  }

  #help() {
    find("#help-rules").textContent = find("#rules-text p").textContent;
    listKeys(find("#help-keys"), this.parts.t);
    /** @type {HTMLDialogElement} */ (find("#help")).showModal();
  }

  /** @param {HTMLElement} button */
  #share(button) {
    void share(document.title, button.dataset.link ?? "").then(
      (how) => how === "copied" && this.#confirmDone(button, "share.copied"),
    );
  }

  /** @param {HTMLElement} button */
  async #copyLink(button) {
    const field = /** @type {HTMLInputElement} */ (find("#link"));
    this.#confirmDone(button, (await copy(field.value, field)) ? "waiting.copied" : "waiting.copy-by-hand");
  }

  /** Shows for a moment on a button what it has done. @param {HTMLElement} button @param {string} key */
  #confirmDone(button, key) {
    const label = (button.dataset.label ??= button.textContent ?? "");
    button.textContent = this.parts.t(key);
    this.parts.voice.say(button.textContent);
    setTimeout(() => (button.textContent = label), 3_000);
  }
}
