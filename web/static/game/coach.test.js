import assert from "node:assert/strict";
import { test } from "node:test";
import { game as gameOf, kalah } from "../model/fixture.test.js";
import { coach } from "./coach.js";

/** @param {number} turn @param {number | null} last the seat of the last move @param {string} [canonical] */
const game = (turn, last, canonical = kalah) =>
  gameOf({ turn, canonical, last: last === null ? undefined : { seat: last } });

test("a first game has three hints: pits, direction, store", () => {
  assert.deepEqual(coach(game(0, null), 0), { hint: "pits", seen: 0 });
  assert.deepEqual(coach(game(1, 0), 0), { hint: "way", seen: 1 }, "the player has sown");
  assert.deepEqual(coach(game(0, 1), 1), { hint: "again", seen: 2 }, "it is the player's turn again");
  assert.deepEqual(coach(game(1, 0), 2), { hint: "", seen: 2 }, "no hint meanwhile");
  assert.deepEqual(coach(game(0, 0), 2), { hint: "", seen: 3 }, "the player has played again");
});

test("a player who moves second gets no hint before their turn", () => {
  assert.deepEqual(coach(game(1, null), 0), { hint: "", seen: 0 });
  assert.deepEqual(coach(game(0, 1), 0), { hint: "pits", seen: 0 });
});

test("games without extra turns have two hints", () => {
  assert.deepEqual(coach(game(0, 1, "capture=count"), 1), { hint: "", seen: 3 });
});

test("games whose players choose the direction do not explain it", () => {
  assert.deepEqual(coach(game(0, null, "direction=choice"), 0), { hint: "pits", seen: 0 });
  assert.deepEqual(coach(game(1, 0, "direction=choice"), 0), { hint: "", seen: 3 });
  const stores = "direction=choice store=true capture=cross again=store";
  assert.deepEqual(coach(game(1, 0, stores), 0), { hint: "", seen: 2 });
  assert.deepEqual(coach(game(0, 1, stores), 2), { hint: "again", seen: 2 });
});

test("watchers and experienced players get no hints", () => {
  assert.equal(coach({ ...game(0, null), as: -1 }, 0).hint, "");
  assert.equal(coach(game(0, null), 3).hint, "");
});
