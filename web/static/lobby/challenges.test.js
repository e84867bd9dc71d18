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

test("only what is new calls somebody", () => {
  assert.deepEqual(added([ask("a")], [ask("b"), ask("a")]).map((a) => a.seek), ["b"]);
});

test("what a new server has forgotten is said again, while it is good", () => {
  const before = [ask("a", true, 100), ask("b", true, 50), ask("c", false, 100)];
  assert.deepEqual(toRepeat(before, 60).map((a) => a.seek), ["a"]);
});

test("a tab goes to the game that it has asked for, and leaves no game", () => {
  assert.equal(goesBySelf("g", "g", false), true);
  assert.equal(goesBySelf("g", "*", false), true);
  assert.equal(goesBySelf("g", "h", false), false);
  assert.equal(goesBySelf("g", "", false), false);
  assert.equal(goesBySelf("g", "g", true), false);
});
