// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { basis, boardOf, opponentOf, same, swap } from "./pairs.js";

/** @typedef {import("./pairs.js").Pairing} Pairing */

const pairings = /** @type {Pairing[]} */ ([[1, 2], [3, 4], [5, 0]]);

test("two players of different boards change places", () => {
  assert.deepEqual(swap(pairings, 2, 3), [[1, 3], [2, 4], [5, 0]]);
  assert.deepEqual(pairings, [[1, 2], [3, 4], [5, 0]]);
});

test("players of one board change who moves first", () => {
  assert.deepEqual(swap(pairings, 1, 2), [[2, 1], [3, 4], [5, 0]]);
});

test("a player who is swapped with the one who has the bye gets the bye", () => {
  assert.deepEqual(swap(pairings, 5, 1), [[5, 2], [3, 4], [1, 0]]);
});

test("swapping twice gives the same pairings", () => {
  assert.ok(same(swap(swap(pairings, 1, 4), 1, 4), pairings));
  assert.ok(!same(swap(pairings, 1, 4), pairings));
  assert.ok(!same(pairings.slice(1), pairings));
});

test("a player's board and opponent are found", () => {
  assert.equal(boardOf(pairings, 4), 2);
  assert.equal(boardOf(pairings, 9), 0);
  assert.equal(opponentOf(pairings, 4), 3);
  assert.equal(opponentOf(pairings, 5), 0);
});

test("pairings depend on who takes part and what was played, and on nothing else", () => {
  /** @type {any} */
  const state = {
    settings: { format: "swiss", rounds: 3, name: "Cup" },
    players: [{ n: 1, id: "a" }, { n: 2, id: "b" }],
    rounds: [[{ n: 1, first: 1, second: 2, result: "first" }]],
  };
  const before = basis(state);
  const changed = (/** @type {object} */ more) => basis({ ...state, ...more }) !== before;
  assert.ok(changed({ players: [{ n: 1, id: "a", out: true }, { n: 2, id: "b" }] }));
  assert.ok(changed({ players: [{ n: 1, id: "a", byes: { 2: "half" } }, { n: 2, id: "b" }] }));
  assert.ok(changed({ forbidden: [[1, 2]] }));
  assert.ok(changed({ rounds: [[{ n: 1, first: 1, second: 2, result: "draw" }]] }));
  assert.ok(!changed({ settings: { ...state.settings, name: "Another" }, due: 7 }));
  assert.ok(!changed({ players: [{ n: 1, id: "a", here: true }, { n: 2, id: "b" }] }));
});
