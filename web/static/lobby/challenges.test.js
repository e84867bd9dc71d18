// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { toRepeat, added, goesBySelf } from "./challenges.js";

const ask = (/** @type {string} */ seek, mine = false, until = 0) => ({
  seek,
  mine,
  until,
  name: "Ada",
  text: "",
  rules: "kalah",
  clock: "none",
});

test("only a new challenge calls the viewer", () => {
  assert.deepEqual(added([ask("a")], [ask("b"), ask("a")]).map((a) => a.seek), ["b"]);
});

test("a challenge that a restarted server has lost is sent again until it expires", () => {
  const before = [ask("a", true, 100), ask("b", true, 50), ask("c", false, 100)];
  assert.deepEqual(toRepeat(before, 60).map((a) => a.seek), ["a"]);
});

test("a tab goes to the game that it has asked for, and never leaves a game", () => {
  assert.equal(goesBySelf("g", "g", false), true);
  assert.equal(goesBySelf("g", "*", false), true);
  assert.equal(goesBySelf("g", "h", false), false);
  assert.equal(goesBySelf("g", "", false), false);
  assert.equal(goesBySelf("g", "g", true), false);
});
