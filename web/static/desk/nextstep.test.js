// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { stepsOf } from "./nextstep.js";

/** @param {string} format @param {number} rounds that are over @returns {any} */
const between = (format, rounds) => ({
  settings: { format, rounds: 3 },
  stage: "running",
  players: [1, 2, 3, 4].map((n) => ({ n, id: `p${n}` })),
  start: [1, 2, 3, 4],
  rounds: Array.from({ length: rounds }, () => [{ n: 1, first: 1, second: 2, result: "first" }]),
});

test("between two rounds a host can finish in every format", () => {
  for (const format of ["swiss", "roundrobin", "doubleround", "knockout"])
    assert.deepEqual(stepsOf(between(format, 1), 0), ["plan", "finish"], format);
  assert.deepEqual(stepsOf({ ...between("knockout", 1), due: 5 }, 0), ["plan", "wait", "finish"]);
});

test("a host cannot finish while a board of the round is played", () => {
  const state = between("roundrobin", 2);
  state.rounds[1][0].result = undefined;
  assert.deepEqual(stepsOf(state, 0), []);
});

test("after the last round a host finishes first, and adds a round to a Swiss", () => {
  assert.deepEqual(stepsOf(between("roundrobin", 3), 0), ["finish"]);
  assert.deepEqual(stepsOf(between("swiss", 3), 0), ["finish", "more"]);
});
