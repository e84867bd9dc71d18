// @ts-check
/**
 * What somebody can do in a game besides sowing. Pure: it reads the snapshot, the
 * server has the last word.
 *
 * @typedef {import("./state.js").Game} Game
 * @typedef {import("./state.js").Snap} Snap
 */

import { againstBots } from "./bots.js";

/** What the page is about (web/gamepage.go, viewOf). @param {Game} game */
export function pageViewOf({ snap, as, me }) {
  if (snap.state === "waiting") return me !== "" && (me === snap.creator || snap.sitters.includes(me)) ? "room" : "offer";
  return snap.state === "over" ? "over" : as >= 0 ? "play" : "watch";
}

/** The open offers of others, or of this seat. @param {Snap} snap @param {number} as @param {string} what @param {boolean} mine */
const offered = (snap, as, what, mine) => snap.offers.some((o) => o.what === what && (o.seat === as) === mine);

/**
 * The buttons of the bar that do something now.
 * @param {Game} game
 * @param {{now: number, reader: boolean, patient: number}} how now is the server's; reader: another tab
 *   plays; patient: until when an opponent who could be claimed for is waited for all the same
 * @returns {Set<string>} by their data-action
 */
export function possibleActions({ snap, as, you }, { now, reader, patient }) {
  /** @type {Set<string>} */
  const can = new Set();
  if (as < 0 || reader || snap.left?.includes(as)) return can;
  const pause = snap.state === "pause";
  const playing = snap.state === "live" || snap.state === "setup";
  if (!playing && !pause) return can;
  const put = (/** @type {string} */ action, /** @type {boolean} */ on) => on && can.add(action);
  const turn = playing && snap.turn === as;
  const early = playing && snap.moves.length < 2 && snap.round <= 1;
  const live = snap.state === "live";
  const claim = playing && snap.countdown !== undefined && snap.countdown.seat !== as && now >= snap.countdown.until && now >= patient;
  put("keep", turn && snap.phase === "swap");
  put("swap", turn && snap.phase === "swap");
  put("pass", turn && you?.legal?.length === 1 && you.legal[0].m === "-");
  put("next", pause);
  put("claim", claim);
  put("claim-draw", claim && snap.shape[0] === 2); // of four sides one can only be put out of the game
  put("wait", claim);
  put("abort", early);
  put("resign", playing && !early);
  put("resign-match", snap.target > 0 && (pause || (playing && !early)));
  put("draw", live && !early && !offered(snap, as, "draw", true));
  const bots = againstBots(snap, as);
  put("takeback", live && !bots && snap.moves.length > 0 && !snap.rated && !offered(snap, as, "takeback", true));
  put("undo", bots && playing && snap.moves.length > 0);
  put("hint", bots && turn && snap.phase !== "setup");
  return can;
}

/**
 * The command of a button; null if it is not one for the server.
 * @param {Game} game
 * @param {string} action
 * @param {string} [what] the offer that a button belongs to, or what is resigned
 * @returns {{kind: string, [more: string]: any} | null}
 */
export function commandOf({ snap, as }, action, what) {
  switch (action) {
    case "resign":
      return what ? { kind: "resign", what } : { kind: "resign" };
    case "resign-match":
      return { kind: "resign", what: "match" };
    case "draw":
    case "takeback":
    case "rematch":
      if (offered(snap, as, action, false)) return { kind: "accept", what: action };
      return { kind: "offer", what: action, ...(action === "takeback" ? { ply: snap.ply } : {}) };
    case "undo":
      return { kind: "offer", what: "takeback", ply: snap.ply };
    case "accept":
    case "decline":
      return { kind: action, what };
    case "claim":
      return { kind: "claim", what: "win" };
    case "claim-draw":
      return { kind: "claim", what: "draw" };
    case "abort":
    case "stand":
    case "next":
    case "youngest":
      return { kind: action };
    default:
      return null;
  }
}
