// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { closest, kept, next, slides, stay } from "./slides.js";

const facts = { stage: "running", boards: 25, ranks: 100, perPage: 20, playing: true, sinceStart: stay };
/** @param {object} [more] */
const shown = (more) => slides({ ...facts, ...more }).map(({ kind, page }) => `${kind} ${page}`);

test("before the start the projector says how to join", () => {
  assert.deepEqual(shown({ stage: "entry", boards: 0, ranks: 0 }), ["join 0"]);
});

test("for the first minutes of a round only its pairings are shown", () => {
  assert.deepEqual(shown({ sinceStart: stay - 1 }), ["pairings 0", "pairings 1"]);
});

test("later the standings and a live board follow", () => {
  assert.deepEqual(shown(), ["pairings 0", "pairings 1", "table 0", "table 1", "table 2", "best 0"]);
  assert.deepEqual(shown({ playing: false, boards: 3, ranks: 6 }), ["pairings 0", "table 0"]);
});

test("at the end the winners and all standings are shown", () => {
  assert.equal(shown({ stage: "over" }).length, 6);
  assert.equal(shown({ stage: "over" })[0], "winners 0");
  assert.deepEqual(shown({ stage: "over", ranks: 0, boards: 2 }), ["pairings 0"]);
});

test("a tournament without boards and standings shows how to join", () => {
  assert.deepEqual(shown({ boards: 0, ranks: 0, playing: false }), ["join 0"]);
});

test("pages turn in a circle, and a page that has gone gives way to the first of its kind", () => {
  const all = slides(facts);
  assert.deepEqual(next(all, null), all[0]);
  assert.deepEqual(next(all, all[5]), all[0]);
  assert.deepEqual(next(all, all[1]), all[2]);
  assert.deepEqual(next(all, { kind: "table", page: 7 }), all[2]);
  assert.deepEqual(kept(all, all[3]), all[3]);
  assert.deepEqual(kept(all, { kind: "join", page: 0 }), all[0]);
});

test("the closest game has the smallest difference of seeds", () => {
  /** @type {Record<string, number[]>} */
  const seeds = { a: [10, 4], b: [7, 8], c: [], d: [9, 8] };
  const of = (/** @type {string} */ room, /** @type {number} */ seat) => seeds[room][seat];
  assert.equal(closest(["a", "b", "c", "d"], of), "b");
  assert.equal(closest(["c", "a"], of), "a");
  assert.equal(closest(["c"], of), "c");
  assert.equal(closest([], of), "");
});
