import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf, possibleActions, pageViewOf } from "./actions.js";

const calm = { now: 1000, reader: false, patient: 0 };

/** A game of two players. The viewer is South, and on turn after three moves. */
function game(snap = {}, more = {}) {
  const whole = {
    state: "live",
    phase: "play",
    turn: 0,
    ply: 3,
    moves: ["c", "a", "f"],
    offers: [],
    seats: ["p1", "p2"],
    sitters: ["p1", "p2"],
    creator: "p1",
    shape: [2, 1, 6],
    round: 1,
    target: 0,
    ...snap,
  };
  return { as: 0, me: "p1", you: { legal: [{ m: "a" }] }, snap: whole, ...more };
}

/** @param {any} g @param {any} [how] */
const can = (g, how = calm) => [...possibleActions(g, how)].sort().join(" ");

test("a player can resign, offer a draw and ask for a takeback", () => {
  assert.equal(can(game()), "draw resign takeback");
});

test("a watcher, a tab that only reads and a player who has left have no actions", () => {
  assert.equal(can(game({}, { as: -1 })), "");
  assert.equal(can(game(), { ...calm, reader: true }), "");
  assert.equal(can(game({ left: [0] })), "");
});

test("a game of a tournament cannot be aborted, and can be resigned from the start", () => {
  const event = { room: "cup1", round: 1, board: 1, game: 1 };
  assert.equal(can(game({ event, ply: 0, moves: [] })), "resign");
});

test("before both players have moved a game can be aborted, not resigned", () => {
  assert.equal(can(game({ moves: ["c"] })), "abort takeback");
});

test("an open offer cannot be repeated, and rated games have no takebacks", () => {
  assert.equal(can(game({ offers: [{ what: "draw", seat: 0 }] })), "resign takeback");
  assert.equal(can(game({ rated: true })), "draw resign");
});

test("against bots a player can undo at once, and gets hints on their turn", () => {
  const bots = { seats: ["p1", "bot3"] };
  assert.equal(can(game(bots)), "draw hint resign undo");
  assert.equal(can(game({ ...bots, turn: 1 })), "draw resign undo");
  assert.equal(can(game({ ...bots, moves: [] })), "abort hint");
  assert.equal(can(game({ ...bots, state: "setup", phase: "setup", moves: [] })), "abort");
  assert.deepEqual(commandOf(game(bots), "undo"), { kind: "offer", what: "takeback", ply: 3 });
});

test("only the seat on turn can choose a side or pass", () => {
  assert.equal(can(game({ state: "setup", phase: "swap", moves: ["=…"] })), "abort keep swap");
  assert.equal(can(game({ state: "setup", phase: "swap", moves: ["=…"], turn: 1 })), "abort");
  assert.equal(can(game({}, { you: { legal: [{ m: "-" }] } })), "draw pass resign takeback");
});

test("when an absent opponent's time is over, the player can claim or go on waiting", () => {
  const gone = game({ countdown: { seat: 1, until: 5000 } });
  assert.equal(can(gone), "draw resign takeback");
  assert.equal(can(gone, { ...calm, now: 5000 }), "claim claim-draw draw resign takeback wait");
  assert.equal(can(gone, { ...calm, now: 5000, patient: 9000 }), "draw resign takeback");
  assert.equal(can(game({ countdown: { seat: 0, until: 500 } })), "draw resign takeback", "not for an own absence");
  assert.equal(
    can(game({ countdown: { seat: 1, until: 500 }, shape: [4, 1, 6] })),
    "claim draw resign takeback wait",
    "with four sides only the win",
  );
});

test("between two rounds a player can go on or resign the match", () => {
  assert.equal(can(game({ state: "pause", target: 60 })), "next resign-match");
});

test("offering the same as the opponent accepts their offer", () => {
  assert.deepEqual(commandOf(game(), "draw"), { kind: "offer", what: "draw" });
  assert.deepEqual(commandOf(game(), "takeback"), { kind: "offer", what: "takeback", ply: 3 });
  assert.deepEqual(commandOf(game({ offers: [{ what: "draw", seat: 1 }] }), "draw"), { kind: "accept", what: "draw" });
  assert.deepEqual(commandOf(game({ target: 60 }), "resign", "round"), { kind: "resign", what: "round" });
  assert.equal(commandOf(game(), "flip"), null);
});

test("the kind of page depends on the viewer", () => {
  const waiting = { state: "waiting", sitters: ["p1"], seats: [] };
  assert.equal(pageViewOf(game(waiting)), "room");
  assert.equal(pageViewOf(game(waiting, { me: "p2", as: -1 })), "offer");
  assert.equal(pageViewOf(game(waiting, { me: "", as: -1 })), "offer");
  assert.equal(pageViewOf(game()), "play");
  assert.equal(pageViewOf(game({}, { as: -1 })), "watch");
  assert.equal(pageViewOf(game({ state: "over" }, { as: -1 })), "over");
});

test("players at one screen undo a move without asking, whoever made it", () => {
  const seats = ["pada", "qada.ben"];
  const both = (turn, seat) =>
    game({ turn, seats, last: { seat, move: "a", trace: [] } }, { as: turn, me: "pada", all: true });
  assert.equal(can(both(1, 0)), "draw resign undo");
  assert.deepEqual(commandOf(both(1, 0), "undo"), { kind: "offer", what: "takeback", ply: 3 });
  assert.deepEqual(commandOf(both(0, 1), "undo"), { kind: "offer", what: "takeback", ply: 3, as: 1 });
  assert.deepEqual(commandOf(both(1, 0), "resign"), { kind: "resign", as: 1 });
});
