// @ts-check
/**
 * Keys of the board and commands of the move field. They ask for information, or do what a button
 * does. Answers are spoken; the move field also shows them.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../board/keys.js").TextCommand} TextCommand
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("../speech/voice.js").Voice} Voice
 */

import { answers } from "../speech/answers.js";
import { forbids, going, sideOf, signOf } from "../model/shape.js";

const free = ["flip", "back", "forward", "step", "help"]; // harmless commands: they need no visible button
const bare = ["repeat", "faster", "slower"]; // commands without a button
/** @type {Record<string, string>} keys that move a replay, and the buttons that do the same */
const ends = { start: "first", end: "last" };
const speeds = ["slow", "normal", "fast", "instant"];

/** @param {string} action @returns {HTMLElement | null} the action's button, if it can be pressed */
function button(action) {
  const found = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`[data-action=${action}]`)]);
  return found.find((b) => b.checkVisibility()) ?? null;
}

export class Shortcuts {
  #asked = ""; // a command that must be given twice

  /**
   * @param {T} t
   * @param {{play: Play, voice: Voice, prefs: {get: (name: string) => string, set: (name: string,
   *   value: string) => void}, now: () => import("./play.js").Now, board: () => import("../model/trace.js").Board,
   *   sown: () => import("../speech/words.js").Ply | undefined,
   *   tap: (pit: number, move?: string, way?: string) => void,
   *   press: (action: string, button: HTMLElement) => void}} wiring
   *   board: the position that is shown; sown: the move that led to it
   */
  constructor(t, wiring) {
    this.t = t;
    this.wiring = wiring;
  }

  /** Handles a key of the board. @param {string} what @param {number | null} pit the focused pit */
  key(what, pit) {
    const said = this.#answer(what, pit);
    if (said !== null) return this.wiring.voice.say(said);
    if (what === "repeat") return this.wiring.voice.repeat();
    if (what === "cancel") return void this.wiring.play.cancel();
    if (what === "faster" || what === "slower") return this.#pace(what === "faster" ? 1 : -1);
    if (Object.hasOwn(ends, what)) return this.wiring.press(ends[what], document.body);
    if (free.includes(what)) this.wiring.press(what, button(what) ?? document.body);
    const offered = ["hint", "undo"].includes(what) && button(what);
    if (offered) this.wiring.press(what, offered);
  }

  /**
   * Carries out a command of the move field and returns its answer.
   * @param {TextCommand} order
   * @param {string} text
   * @returns {string}
   */
  run(order, text) {
    const { t, wiring } = this;
    const asked = this.#asked;
    this.#asked = "";
    if (order.kind === "nothing") return this.#shout(t("field.nothing", { text }));
    if (order.kind === "pit") return this.#sow(order.number, order.way);
    const said = this.#answer(order.what, null);
    if (said !== null) {
      wiring.voice.say(said);
      return said;
    }
    if (free.includes(order.what) || bare.includes(order.what)) {
      this.key(order.what, null);
      return "";
    }
    const pressed = button(order.what);
    if (!pressed) return this.#shout(t("field.not-now"));
    if (pressed.dataset.confirm && asked !== order.what) {
      this.#asked = order.what;
      return this.#shout(t("field.sure", { text }));
    }
    wiring.press(order.what, pressed);
    return "";
  }

  /** @param {number} number @param {string} way */
  #sow(number, way) {
    const { t, wiring } = this;
    const { game, words } = wiring.now();
    const { shape } = words;
    const seat = Math.max(0, game.as);
    if (number < 1 || number > shape.pits) return this.#shout(t("field.no-pit", { pit: number }));
    const pit = sideOf(shape, seat) * shape.pits + number - 1;
    const moves = wiring.play.choices().get(pit) ?? wiring.play.plannable().get(pit) ?? [];
    const sign = signOf(shape, pit, way);
    const move = way ? going(moves, sign) : moves.length === 1 ? moves[0] : undefined;
    if (!move && moves.length > 1) {
      const texts = moves.map((m) => words.short(m, seat));
      return this.#shout(t("field.way", { pit: number, moves: words.list(texts, "or") }));
    }
    wiring.tap(pit, move, forbids(shape, moves, sign) ? sign : "");
    return "";
  }

  /** Answers a question; null if the command is not a question. @param {string} what @param {number | null} pit */
  #answer(what, pit) {
    const { t, wiring } = this;
    const { game, words } = wiring.now();
    const say = answers(game, words);
    switch (what) {
      case "preview":
        return pit === null ? this.#playable(say) : wiring.play.explain(pit);
      case "last":
        return say.lastMove(wiring.sown());
      case "board":
        return say.boardText(wiring.board());
      case "score":
        return say.score();
      case "clocks":
        return say.clocks(Date.now() + game.ahead);
      case "playable":
        return this.#playable(say);
      default:
        return null;
    }
  }

  /** @param {ReturnType<typeof answers>} say */
  #playable(say) {
    return this.wiring.play.sent ? this.t("sending") : say.playable();
  }

  /** @param {1 | -1} by */
  #pace(by) {
    const { prefs, voice } = this.wiring;
    const at = Math.max(0, speeds.indexOf(prefs.get("speed") || "normal"));
    const speed = speeds[Math.min(speeds.length - 1, Math.max(0, at + by))];
    prefs.set("speed", speed);
    voice.say(this.t(`speed.${speed}`));
  }

  /** @param {string} text */
  #shout(text) {
    this.wiring.voice.shout(text);
    return text;
  }
}
