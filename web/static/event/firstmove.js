// @ts-check
/**
 * The deadline for a first move in a game of a tournament, in words: the player who misses it loses. The
 * player hears it too.
 *
 * @typedef {import("../model/state.js").Game} Game
 */

import { find } from "../lib/dom.js";
import { firstMoveDue } from "../model/clock.js";
import { until } from "./follow.js";

const longestRound = 28 * 86_400_000; // ms
const marks = [10_000, 30_000, 60_000]; // ms at which the player is warned aloud

export class FirstMove {
  #left = 0; // ms at the last look

  /** @param {import("../lib/text.js").T} t @param {(text: string) => void} shout says a text at once */
  constructor(t, shout) {
    this.t = t;
    this.shout = shout;
  }

  /** Returns what is said beside the status, or "". @param {Game} game @param {number} now by the server's clock */
  said({ snap, as, names }, now) {
    const comes = snap.state === "live" && !snap.countdown && firstMoveDue(snap, now);
    const own = comes && snap.turn === as;
    if (!comes && !snap.countdown && (snap.noShow ?? 0) > longestRound)
      find("#due").hidden = true; // the end of the round decides
    find("#due").classList.toggle("loses", comes);
    find("#due").classList.toggle("own", own);
    const left = comes ? snap.due - now : 0;
    const mark = marks.find((m) => left <= m && this.#left > m);
    this.#left = left;
    if (own && mark) this.shout(this.t("come.warn", { n: mark / 1000 }));
    const values = { name: names[snap.seats[snap.turn]] ?? "", time: until(left) };
    return comes ? this.t(own ? "come" : "come.other", values) : "";
  }
}
