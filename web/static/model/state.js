// @ts-check
/**
 * A game as this page knows it, folded from the frames of the protocol. Pure. A frame that does not
 * fit asks for a new snapshot; it never leaves a wrong board.
 *
 * @typedef {import("./trace.js").Step} Step
 * @typedef {{what: string, seat: number}} Offer
 * @typedef {{seat: number, move: string, trace: Step[]}} Ply
 * @typedef {{reason: string, scores: number[], winners: number[], ply: number, receipt?: object[]}} Result
 * @typedef {{before: number, after: number, provisional?: boolean}} RatingChange
 * @typedef {{state: string, creator: string, rules: string, options: string, title: string, canonical: string,
 *   shape: number[], pits: number[], stores: number[], marks?: import("./trace.js").Marks,
 *   phase: string, turn: number, ply: number, sum: string,
 *   clockText: string, clock: number[], run: number, due: number, start: string, forOthers: boolean,
 *   sitters: string[], seats: string[], left?: number[], moves: string[], first?: string, last?: Ply,
 *   offers: Offer[], countdown?: {seat: number, until: number}, outage?: boolean, round: number, gains: number[],
 *   target: number, rounds?: Result[], result?: Result, rematch?: string, rated?: boolean,
 *   ratings?: RatingChange[], assists?: boolean, chat?: string, listed?: boolean, delay?: number,
 *   youngest?: string, event?: {room: string, round: number, board: number, game: number}, noShow?: number,
 *   paused?: number}} Snap event: the tournament of the game; paused: since when its host has stopped it
 * @typedef {{m: string, trace?: Step[], sum?: {laps: number, sown: number, last: number, took: number},
 *   again?: boolean, end?: boolean}} Legal
 * @typedef {{legal?: Legal[]}} You what only this seat receives
 * @typedef {{seq: number, legal: Legal[]}} Seen the legal moves that a watcher was told, as of
 *   seq
 * @typedef {{room: string, seq: number, as: number, me: string, ahead: number, snap: Snap,
 *   names: Record<string, string>, ratings: Record<string, string>, you: You | null, seen?: Seen | null,
 *   outage?: boolean, all?: boolean}} Game
 *   as: the seat for which this viewer acts, or -1; all: this viewer acts for the player on turn, since all of
 *   them sit at this screen; me: this viewer's player id, if known; ahead: ms by which the
 *   server's clock is ahead of this device's; outage: the service has a problem, and clocks are paused
 * @typedef {import("../lib/socket.js").Frame & {seq?: number, as?: number, me?: string, now?: number,
 *   snap?: Snap, sum?: string, names?: Record<string, string>, deleted?: string[],
 *   ratings?: Record<string, string>, you?: You,
 *   ev?: Record<string, any>}} Frame
 * @typedef {{game: Game, resync?: boolean, news?: "move" | "state" | "none", before?: Snap}} Folded
 */

import { apply, expand } from "./trace.js";

/**
 * Returns the FNV-1a hash (32 bit) of the position's first two fields as text.
 * @param {Pick<Snap, "shape" | "pits" | "stores" | "marks">} snap
 */
export function checksum({ shape, pits, stores, marks = {} }) {
  const [sides, , row] = shape;
  const texts = pits.map((n, pit) => (marks[pit] === "x" ? "x" : n + (marks[pit] ?? "")));
  const text =
    Array.from({ length: sides }, (_, k) => texts.slice(k * row, (k + 1) * row).join(",")).join("/") +
    " " +
    stores.join("/");
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * Returns a game from a snapshot.
 * @param {Frame} frame
 * @param {number} now by our clock
 * @param {Game | null} [old] what was known before: names and the viewer's seat outlive a snapshot
 * @returns {Game}
 */
export function open(frame, now, old = null) {
  const snap = /** @type {Snap} */ (frame.snap);
  return seated({
    room: frame.room ?? old?.room ?? "",
    seq: frame.seq ?? 0,
    as: frame.as ?? old?.as ?? -1,
    me: frame.me ?? old?.me ?? "",
    ahead: frame.now === undefined ? (old?.ahead ?? 0) : frame.now - now,
    snap: {
      ...snap,
      moves: snap.moves ?? [],
      offers: snap.offers ?? [],
      sitters: snap.sitters ?? [],
      seats: snap.seats ?? [],
    },
    names: { ...old?.names, ...frame.names },
    ratings: { ...old?.ratings, ...frame.ratings },
    you: frame.you ?? null,
  });
}

/**
 * Gives the seat on turn to a viewer at whose screen the others sit: their IDs tell (match/seatmate.go).
 * @param {Game} game
 * @returns {Game}
 */
function seated(game) {
  const { snap, me } = game;
  const all = me !== "" && snap.seats.some((player) => player.startsWith(`q${me.slice(1)}.`));
  return all ? { ...game, as: snap.turn, all } : game;
}

/** Returns the seat that texts call "you", or -1: at one screen, all players have names. @param {Game} game */
export const ownOf = ({ as, all }) => (all ? -1 : as);

/**
 * Names the seat of a command, unless it is the viewer's.
 * @param {Game} game
 * @param {number} [seat]
 */
export const seatOf = ({ as, all, snap, me }, seat = as) => (all && snap.seats[seat] !== me ? { as: seat } : {});

/**
 * Returns the game after a frame. resync: the frame does not fit, and a snapshot is needed; news:
 * what there is to show; before: the snapshot before a move.
 * @param {Game} game
 * @param {Frame} frame
 * @param {number} now by our clock
 * @returns {Folded}
 */
export function fold(game, frame, now) {
  const folded = next(game, frame, now);
  return { ...folded, game: seated(folded.game) };
}

/** @param {Game} game @param {Frame} frame @param {number} now @returns {Folded} */
function next(game, frame, now) {
  switch (frame.t) {
    case "snap":
      return { game: open(frame, now, game), news: "state" };
    case "sync": // the end of a subscription's answer: its last number, and what only this seat receives
      if (frame.seq !== game.seq) return { game, resync: true };
      // the same number, and another board: a failover has put other entries in the place of ours
      if (frame.sum && frame.sum !== game.snap.sum) return { game, resync: true };
      return {
        game: {
          ...game,
          as: frame.as ?? game.as,
          me: frame.me ?? game.me,
          ahead: frame.now === undefined ? game.ahead : frame.now - now,
          you: frame.you ?? null,
          outage: false,
        },
        news: "state",
      };
    case "as":
      return { game: { ...game, as: frame.as ?? -1, you: null }, news: "state" };
    case "names":
      return {
        game: { ...game, names: { ...game.names, ...frame.names }, ratings: { ...game.ratings, ...frame.ratings } },
        news: "state",
      };
    case "legal":
      return { game: { ...game, seen: { seq: frame.seq ?? 0, legal: frame.legal ?? [] } }, news: "state" };
    case "ev":
      return entry(game, frame);
    default:
      return { game, news: "none" };
  }
}

/**
 * @param {Game} game
 * @param {Frame} frame
 * @returns {Folded}
 */
function entry(game, frame) {
  const seq = frame.seq ?? 0;
  if (seq <= game.seq) return { game, news: "none" }; // a repeated frame
  if (seq !== game.seq + 1) return { game, resync: true };
  const ev = frame.ev;
  if (!ev) return { game: { ...game, seq }, news: "none" };
  const before = game.snap;
  let snap = before;
  if (ev.k === "move") {
    const moved = play(snap, ev);
    if (!moved) return { game, resync: true };
    snap = moved;
  }
  snap = assign(snap, ev.set ?? {});
  // Whatever changed the board, it must now equal the server's.
  if (snap.pits !== before.pits && checksum(snap) !== snap.sum) return { game, resync: true };
  const fresh = ev.k === "move" || snap.ply !== before.ply || snap.turn !== before.turn || snap.state !== before.state;
  return {
    game: {
      ...game,
      seq,
      snap,
      names: { ...game.names, ...frame.names },
      you: frame.you ?? (fresh ? null : game.you),
      // an answer may be ahead of the state that it is about
      seen: fresh && seq > (game.seen?.seq ?? 0) ? null : game.seen,
    },
    news: ev.k === "move" ? "move" : "state",
    before,
  };
}

/**
 * @param {Snap} snap
 * @param {Record<string, any>} ev
 * @returns {Snap | null} null: the move does not fit this board
 */
function play(snap, ev) {
  if (ev.ply !== snap.ply + 1) return null;
  try {
    const board = apply(snap, expand(ev.trace));
    if ([...board.pits, ...board.stores].some((n) => !(n >= 0))) return null;
    return {
      ...snap,
      ...board,
      turn: ev.turn ?? snap.turn,
      ply: ev.ply,
      sum: ev.sum ?? snap.sum,
      clock: ev.clock ?? snap.clock,
      run: ev.run ?? 0,
      moves: [...snap.moves, ev.move],
      last: { seat: ev.seat, move: ev.move, trace: ev.trace },
    };
  } catch {
    return null;
  }
}

/** @param {Snap} snap @param {Record<string, any>} set @returns {Snap} */
function assign(snap, set) {
  /** @type {Record<string, any>} */
  const next = { ...snap };
  for (const [key, value] of Object.entries(set)) {
    if (value === null) delete next[key];
    else next[key] = value;
  }
  next.offers ??= [];
  next.moves ??= [];
  next.sitters ??= [];
  next.seats ??= [];
  return /** @type {Snap} */ (next);
}
