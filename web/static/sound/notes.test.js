import assert from "node:assert/strict";
import { test } from "node:test";
import { knock, notes, soundOf } from "./notes.js";

test("the knock of a seed rises during the sowing, and is lower in a store", () => {
  const [first, middle, last] = [0, 0.5, 1].map((share) => knock("maple", 1, { share }).hz);
  assert.ok(first < middle && middle < last && last < 2 * first);
  assert.ok(knock("maple", 1, { store: true }).hz < 0.7 * first);
});

test("no two seeds sound alike, and each material has its own sound", () => {
  const made = ["maple", "boat", "plank", "sand", "clay", "stone"];
  const heard = made.flatMap((what) => Array.from({ length: 50 }, (_, n) => Object.values(knock(what, n)).join()));
  assert.equal(new Set(heard).size, heard.length);
  const pitch = (what) => Array.from({ length: 50 }, (_, n) => knock(what, n).hz).reduce((a, b) => a + b) / 50;
  const pitches = made.map(pitch).sort((a, b) => a - b);
  pitches.slice(1).forEach((hz, i) => assert.ok(hz / pitches[i] > 1.1, `${hz} and ${pitches[i]} are one`));
});

test("every sound is short", () => {
  for (const name of ["take", "again", "turn", "low", "start", "end", "friend", "chat", "no"]) {
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
