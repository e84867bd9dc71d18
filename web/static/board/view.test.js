import assert from "node:assert/strict";
import { test } from "node:test";
import { english as t, game as gameOf } from "../model/fixture.test.js";
import { speaker } from "../speech/words.js";
import { viewOf } from "./view.js";

test("the middle of a ring tells of the position that is shown", () => {
  const plies = ["a", "b"].map((move, seat) => ({ seat, move, trace: [["lift", 0, 4], ["sow", "1-4"]] }));
  const result = { winners: [0], scores: [3, 1], reason: "resign" };
  const over = gameOf({ moves: ["a", "b"], state: "over", last: plies[1], result }, { as: 0 });
  const words = speaker(t, over);
  const told = (/** @type {any} */ past) => viewOf(t, over, words, { conn: "on", moving: null, past }).told();
  const past = { pits: over.snap.pits, stores: over.snap.stores };
  assert.deepEqual(told({ ...past, ply: null, counted: { n: 0, of: 2 } }), ["You are looking at move 0 of 2.", ""]);
  const first = told({ ...past, ply: plies[0], counted: { n: 1, of: 2 } });
  assert.equal(first[0], "You are looking at move 1 of 2.");
  assert.match(first[1], /1/);
  assert.deepEqual(told(null)[0], "The game is over.");
});
