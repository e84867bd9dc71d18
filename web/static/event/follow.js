// @ts-check
/**
 * A player's way through a tournament: when the next round starts, and which board is theirs now. It
 * keeps less than state.js, for pages that show something else. Pure.
 *
 * @typedef {import("./state.js").Board} Board
 * @typedef {import("./state.js").Frame} Frame
 * @typedef {{room: string, seq?: number, ahead: number, mine: number, players: number, waves: boolean,
 *   stage: string, due: number, ends: number, days?: number, round: number, own?: Board,
 *   announced?: import("./state.js").Announced}} Way
 *   mine: the player's number, or 0; days: that a round lasts, or 0; players: how many there were; waves: players
 *   are paired as they become free; own: the player's last board in the round
 */

import { opens } from "./opened.js";
import { boardOf, running } from "./state.js";

/**
 * Returns the way after a frame of the tournament's room. Without seq, it needs a new snapshot.
 * @param {Way} way
 * @param {Frame} frame
 * @param {number} now by our clock
 * @returns {Way}
 */
export function follow(way, frame, now) {
  if (frame.t === "snap") {
    const { stage, due = 0, ends = 0, rounds, announced, settings } = frame.snap;
    const days = settings?.days ?? 0;
    const start = { ...way, seq: frame.seq, stage, due, ends, days, announced, round: 0, own: undefined };
    if (frame.now !== undefined) start.ahead = frame.now - now;
    return boards(start, rounds?.length ?? 0, rounds?.at(-1) ?? []);
  }
  if (frame.t === "sync") return frame.seq === way.seq ? way : { ...way, seq: undefined };
  if (frame.t !== "ev" || way.seq === undefined || (frame.seq ?? 0) <= way.seq) return way;
  const { change: c, opened } = frame.ev ?? {};
  if ((!c && !opened) || frame.seq !== way.seq + 1) return { ...way, seq: undefined };
  if (!c) {
    const mine = opened?.round === way.round && way.own && opened.boards.includes(way.own.n);
    return { ...way, seq: frame.seq, own: mine ? opens(way.own) : way.own };
  }
  const next = { ...way, seq: frame.seq, due: c.due ?? way.due, ends: c.ends ?? way.ends, stage: c.stage ?? way.stage };
  if (c.settings) next.days = c.settings.days ?? 0;
  if (c.text) next.announced = { text: c.text, at: frame.ev?.at ?? 0 };
  if (c.drop) return { ...next, round: c.drop - 1, own: undefined };
  return boards(next, c.round ?? 0, c.boards ?? []);
}

/**
 * @param {Way} way
 * @param {number} round whose boards follow
 * @param {Board[]} list
 * @returns {Way}
 */
function boards(way, round, list) {
  if (round < way.round) return way; // a result of an earlier round is corrected
  const next = round > way.round ? { ...way, round, own: undefined } : way;
  const own = way.mine > 0 ? boardOf(list, way.mine) : undefined;
  return !own || own.n < (next.own?.n ?? 0) ? next : { ...next, own };
}

/** Returns the room of the player's game while it is played, or "". @param {Way} way */
export const gameOf = ({ own }) => running(own)?.room ?? "";

/** Reports whether a host has stopped the pairing of an arena or a class. @param {Way} way @param {number} time */
export const stopped = ({ waves, stage, due, ends }, time) =>
  waves && stage === "running" && due === 0 && (ends === 0 || ends > time);

/**
 * Returns a text that changes with what a player should hear after their game in a room, or "": there
 * is nothing to say yet.
 * @param {Way} way
 * @param {string} room
 * @param {number} time by the server's clock
 */
export function newsOf({ stage, round, own, mine, waves, due, ends }, room, time) {
  if (mine === 0) return "";
  if (stage !== "running") return stage;
  const timeUp = ends > 0 && ends <= time;
  if (waves && own?.result) return `free ${timeUp ? "late" : due > 0}`;
  if (own?.games?.some((g) => g.room === room)) return "";
  return `${round} ${own?.n} ${own?.result}`;
}

/**
 * Returns what a host's result of the game in a room is for the player, or "": no host has set it, or it
 * is not the player's game.
 * @param {Way} way
 * @param {string} room
 * @returns {"" | "win" | "lose" | "draw" | "neither"}
 */
export function hostsResult({ own, mine }, room) {
  if (mine === 0 || !own?.byHost || !own.result || !own.games?.some((g) => g.room === room)) return "";
  if (own.result === "draw" || own.result === "neither") return own.result;
  return own.result.startsWith("first") === (own.first === mine) ? "win" : "lose";
}

/**
 * Returns the time until something in the form 2:10, or 1:02:10.
 * @param {number} ms
 */
export function until(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const minutes = Math.floor(s / 60);
  return s >= 3600
    ? `${Math.floor(s / 3600)}:${two(minutes % 60)}:${two(s % 60)}`
    : `${minutes}:${two(s % 60)}`;
}
