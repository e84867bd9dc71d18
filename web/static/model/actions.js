// @ts-check
/**
 * The actions of a player besides sowing. Pure: they follow from the snapshot; the server decides.
 *
 * @typedef {import("./state.js").Game} Game
 * @typedef {import("./state.js").Snap} Snap
 */

import { againstBots } from "./bots.js";
import { seatOf } from "./state.js";

/** Returns what the page is about (viewOf in web/pages/gamepage.go says the same). @param {Game} game */
export function pageViewOf({ snap, as, me }) {
  if (snap.state === "waiting")
    return me !== "" && (me === snap.creator || snap.sitters.includes(me)) ? "room" : "offer";
  return snap.state === "over" ? "over" : as >= 0 ? "play" : "watch";
}

/**
 * Reports whether an offer is open: one of this seat, or one of the others.
 * @param {Snap} snap
 * @param {number} as
 * @param {string} what
 * @param {boolean} mine
 */
const offered = (snap, as, what, mine) => snap.offers.some((o) => o.what === what && (o.seat === as) === mine);

/**
 * Returns the buttons of the action bar that do something now.
 * @param {Game} game
 * @param {{now: number, reader: boolean, patient: number}} how now: by the server's clock; reader:
 *   another tab plays; patient: until when the player goes on waiting for an absent opponent
 * @returns {Set<string>} values of data-action
 */
export function possibleActions({ snap, as, you, all = false }, { now, reader, patient }) {
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
  const claim =
    playing &&
    snap.countdown !== undefined &&
    snap.countdown.seat !== as &&
    now >= snap.countdown.until &&
    now >= patient;
  put("keep", turn && snap.phase === "swap");
  put("swap", turn && snap.phase === "swap");
  put("pass", turn && you?.legal?.length === 1 && you.legal[0].m === "-");
  put("next", pause);
  put("claim", claim);
  put("claim-draw", claim && snap.shape[0] === 2); // with four sides, a player can only be put out of the game
  put("wait", claim);
  put("abort", early && !snap.event);
  put("resign", playing && (!early || snap.event !== undefined));
  put("resign-match", snap.target > 0 && (pause || (playing && !early)));
  put("draw", live && !early && !offered(snap, as, "draw", true));
  const bots = againstBots(snap, as);
  // at one screen, nobody has to be asked
  const moved = snap.moves.length > 0;
  put("takeback", live && !bots && !all && moved && !snap.rated && !offered(snap, as, "takeback", true));
  put("undo", (bots || all) && playing && moved);
  put("hint", bots && turn && snap.phase !== "setup");
  return can;
}

/**
 * Returns the command of a button; null for a button that sends none.
 * @param {Game} game
 * @param {string} action
 * @param {string} [what] the offer that the button belongs to, or what the player resigns
 * @returns {{kind: string, [more: string]: any} | null}
 */
export function commandOf(game, action, what) {
  const command = plain(game, action, what);
  // a takeback is for the player of the last move
  return command && { ...command, ...seatOf(game, action === "undo" ? game.snap.last?.seat : game.as) };
}

/**
 * Returns the command of a button without its seat.
 * @param {Game} game
 * @param {string} action
 * @param {string} [what]
 * @returns {{kind: string, [more: string]: any} | null}
 */
function plain({ snap, as }, action, what) {
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
