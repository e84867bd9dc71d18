import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf, possibleActions, pageViewOf } from "./actions.js";

const calm = { now: 1000, reader: false, patient: 0 };

/** A game of two in which South, who looks, is on turn after three moves. */
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

test("who plays can resign, offer a draw and ask for a move back", () => {
  assert.equal(can(game()), "draw resign takeback");
});

test("nobody who watches, plays in another tab or has left can do anything", () => {
  assert.equal(can(game({}, { as: -1 })), "");
  assert.equal(can(game(), { ...calm, reader: true }), "");
  assert.equal(can(game({ left: [0] })), "");
});

test("before both have moved a game is aborted, not resigned", () => {
  assert.equal(can(game({ moves: ["c"] })), "abort takeback");
});

test("what one has offered is not offered again, and rated moves stay", () => {
  assert.equal(can(game({ offers: [{ what: "draw", seat: 0 }] })), "resign takeback");
  assert.equal(can(game({ rated: true })), "draw resign");
});

test("against bots one undoes at once, and gets hints on one's turn", () => {
  const bots = { seats: ["p1", "bot3"] };
  assert.equal(can(game(bots)), "draw hint resign undo");
  assert.equal(can(game({ ...bots, turn: 1 })), "draw resign undo");
  assert.equal(can(game({ ...bots, moves: [] })), "abort hint");
  assert.equal(can(game({ ...bots, state: "setup", phase: "setup", moves: [] })), "abort");
  assert.deepEqual(commandOf(game(bots), "undo"), { kind: "offer", what: "takeback", ply: 3 });
});

test("the choice of a side and a pass are for who is on turn", () => {
  assert.equal(can(game({ state: "setup", phase: "swap", moves: ["=…"] })), "abort keep swap");
  assert.equal(can(game({ state: "setup", phase: "swap", moves: ["=…"], turn: 1 })), "abort");
  assert.equal(can(game({}, { you: { legal: [{ m: "-" }] } })), "draw pass resign takeback");
});

test("an opponent who is gone can be claimed for when his time is over, or waited for", () => {
  const gone = game({ countdown: { seat: 1, until: 5000 } });
  assert.equal(can(gone), "draw resign takeback");
  assert.equal(can(gone, { ...calm, now: 5000 }), "claim claim-draw draw resign takeback wait");
  assert.equal(can(gone, { ...calm, now: 5000, patient: 9000 }), "draw resign takeback");
  assert.equal(can(game({ countdown: { seat: 0, until: 500 } })), "draw resign takeback", "not for oneself");
  assert.equal(
    can(game({ countdown: { seat: 1, until: 500 }, shape: [4, 1, 6] })),
    "claim draw resign takeback wait",
    "of four sides only the win",
  );
});

test("between two rounds one goes on, or gives the match up", () => {
  assert.equal(can(game({ state: "pause", target: 60 })), "next resign-match");
});

test("offering what one has been offered accepts it", () => {
  assert.deepEqual(commandOf(game(), "draw"), { kind: "offer", what: "draw" });
  assert.deepEqual(commandOf(game(), "takeback"), { kind: "offer", what: "takeback", ply: 3 });
  assert.deepEqual(commandOf(game({ offers: [{ what: "draw", seat: 1 }] }), "draw"), { kind: "accept", what: "draw" });
  assert.deepEqual(commandOf(game({ target: 60 }), "resign", "round"), { kind: "resign", what: "round" });
  assert.equal(commandOf(game(), "flip"), null);
});

test("what the page is about depends on who looks", () => {
  const waiting = { state: "waiting", sitters: ["p1"], seats: [] };
  assert.equal(pageViewOf(game(waiting)), "room");
  assert.equal(pageViewOf(game(waiting, { me: "p2", as: -1 })), "offer");
  assert.equal(pageViewOf(game(waiting, { me: "", as: -1 })), "offer");
  assert.equal(pageViewOf(game()), "play");
  assert.equal(pageViewOf(game({}, { as: -1 })), "watch");
  assert.equal(pageViewOf(game({ state: "over" }, { as: -1 })), "over");
});
