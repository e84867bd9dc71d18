// @ts-check
/**
 * The bundle of a game without a server: the page of a game (game/gamepage.js), which gets its frames from the
 * engine in this browser. The form loads it when a game begins (device.js).
 *
 * @typedef {import("./session.js").Reply} Reply
 */

import { optional } from "../game/optionalparts.js";
import { find } from "../lib/dom.js";
import { translator } from "../lib/text.js";
import { open } from "../local/engine.js";
import { refusal } from "../speech/refusals.js";
import { DeviceLink } from "./link.js";
import { seat } from "./seating.js";
import { answerHere } from "./server.js";
import { Session } from "./session.js";

/** @type {Session} */
let session;
/** @type {DeviceLink | null} */
let link = null;

optional.Link = class extends DeviceLink {
  /** @param {import("../lib/socket.js").Wiring} wiring */
  constructor(wiring) {
    super(wiring, session, seat);
    link = this;
  }
};

/**
 * Begins a game, or goes on with the one that is kept, and returns the reply.
 * @param {import("./store.js").Store} store
 * @param {Record<string, any> | null} choice null: the kept game
 */
export function ask(store, choice) {
  if (!session) answerHere((session = new Session(open, store)));
  return choice ? session.begin(choice) : session.goOn();
}

/** Shows the game that a reply brings. @param {Reply} reply */
export async function show(reply) {
  const [frame] = reply.frames ?? [];
  seat(frame);
  if (!link) {
    find("#snap").textContent = JSON.stringify(frame);
    await import("../game/gamepage.js");
    delete reply.frames; // the page has begun with them
  }
  // The constructor of the page's link has set it meanwhile.
  /** @type {DeviceLink} */ (/** @type {unknown} */ (link)).next(reply);
}

/** Leaves the game to another tab, which plays from now on. */
export function leave() {
  link?.leave();
}

/** Returns the game as text, or "" if the engine has failed. */
export async function record() {
  const { text = "" } = await session.ask({ do: "record" }).catch(() => /** @type {Reply} */ ({}));
  return text;
}

/** Returns in words why a game cannot be played. @param {NonNullable<Reply["error"]>} error @param {string} usual */
export async function problem(error, usual) {
  const { lang, dataset } = document.documentElement;
  const texts = await fetch(dataset.messages ?? "").then((r) => r.json()).catch(() => ({}));
  const said = refusal(translator(texts, lang || "en"), { msg: usual, ...error }, { name: "", number: String });
  return [said, error.detail?.control, error.detail?.reason].filter(Boolean).join(" ");
}
