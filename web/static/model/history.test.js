import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, boardAt, hashOf, listing, placeIn, placeOf, rounds, turnAt, turns } from "./history.js";

const ply = (seat, move, pits) => ({ seat, move, trace: [], pits, stores: [0, 0] });
const round = { first: { pits: [1], stores: [0, 0] }, plies: [ply(0, "c", [2]), ply(0, "e", [3]), ply(1, "b", [4])] };

test("the plies of a seat until another seat is on turn make one turn", () => {
  assert.deepEqual(
    turns(round).map((x) => [x.number, x.seat, x.plies.map((p) => p.at)]),
    [[1, 0, [1, 2]], [2, 1, [3]]],
  );
});

test("every ply of a turn has its number", () => {
  assert.deepEqual([0, 1, 2, 3, 9].map((at) => turnAt(round, at)), [0, 1, 1, 2, 2]);
});

test("the board after n plies is that of ply n", () => {
  assert.deepEqual([0, 1, 3, 9].map((n) => boardAt(round, n).pits[0]), [1, 2, 4, 4]);
});

test("an answer without rounds is one round", () => {
  assert.equal(rounds(round).length, 1);
  assert.equal(rounds({ ...round, rounds: [round, round] }).length, 2);
});

test("a place in a game is the fragment of its address", () => {
  assert.deepEqual(placeOf("#12"), { round: null, at: 12 });
  assert.deepEqual(placeOf("#2.0"), { round: 1, at: 0 });
  for (const other of ["", "#", "#main", "#1.2.3", "#-1", "#123456"]) assert.equal(placeOf(other), null, other);
  assert.deepEqual([hashOf({ round: 0, at: 3 }, 1), hashOf({ round: 1, at: 3 }, 2)], ["#3", "#2.3"]);
});

test("the address of a game that is over names a place for the server", () => {
  const address = (from, place, rounds, over) => addressOf(new URL(from), place, rounds, over).href;
  const game = "https://a.example/abc?lang=fr";
  assert.equal(address(game, { round: 0, at: 3 }, 1, true), game + "&ply=3");
  assert.equal(address(game + "&ply=3", { round: 1, at: 4 }, 2, true), game + "&ply=2.4");
  assert.equal(address(game + "#12", { round: 0, at: 3 }, 1, true), game + "&ply=3");
  assert.equal(address(game + "&ply=3#12", null, 1, true), game);
  assert.equal(address(game, { round: 0, at: 3 }, 1, false), game + "#3");
  assert.equal(address("https://a.example/abc?screen#main", null, 1, true), "https://a.example/abc?screen#main");
});

test("the query of a game that goes on is not followed", () => {
  const place = (address, over) => placeIn(new URL("https://a.example/abc" + address), over);
  assert.deepEqual(place("?ply=2.7", true), { round: 1, at: 7 });
  assert.deepEqual(place("?ply=2.7#3", true), { round: null, at: 3 });
  assert.equal(place("?ply=7", false), null);
  assert.deepEqual(place("?ply=7#3", false), { round: null, at: 3 });
  for (const other of ["", "?ply=", "?ply=-1", "?ply=x", "?ply=123456"]) assert.equal(place(other, true), null, other);
});

test("the moves are listed turn by turn", () => {
  assert.equal(listing(round, ({ move }) => String(move.charCodeAt(0) - 96)), "1. 3+ 5  2. 2");
});
