import assert from "node:assert/strict";
import { test } from "node:test";
import { notes, soundOf } from "./notes.js";

test("the click of a seed rises during the sowing", () => {
  const [first, middle, last] = [0, 0.5, 1].map((share) => notes("seed", share)[0][0]);
  assert.ok(first < middle && middle < last && last < 2 * first);
});

test("every sound is short", () => {
  for (const name of ["seed", "take", "again", "turn", "low", "start", "end", "friend", "chat", "no"]) {
    for (const [hz, at, length, loud] of notes(name)) assert.ok(hz >= 100 && at + length < 1 && loud <= 1, name);
  }
});

test("an arrival, the start, the player's turn and the end have sounds", () => {
  const game = (state, turn = 0, sitters = 2) => ({ as: 1, snap: { state, turn, sitters: Array(sitters).fill("p") } });
  assert.equal(soundOf(game("waiting", 0, 1), game("waiting", 0, 2)), "friend");
  assert.equal(soundOf(game("waiting"), game("live")), "start");
  assert.equal(soundOf(game("live", 0), game("live", 1)), "turn");
  assert.equal(soundOf(game("live", 1), game("live", 1)), null);
  assert.equal(soundOf(game("live", 1), game("live", 0)), null);
  assert.equal(soundOf(game("live"), game("over", 1)), "end");
});
