// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  absence,
  boardState,
  breakText,
  counts,
  games,
  mark,
  missed,
  phaseOf,
  points,
  standingsKey,
  takesResult,
  unreached,
} from "./summary.js";

/** @param {object} more @returns {any} */
const state = (more = {}) => ({
  settings: { format: "swiss", rounds: 3, ...more.settings },
  stage: "entry",
  hosts: ["h"],
  rounds: [],
  players: [
    { n: 1, id: "a", here: true },
    { n: 2, id: "b" },
    { n: 3, id: "c", paper: true },
    { n: 4, id: "d", out: true },
    { n: 5, id: "" , out: true },
  ],
  ...more.state,
});

test("before the start a player without a device is here, and one who has not checked in is missing", () => {
  assert.deepEqual(counts(state()), { here: 2, missing: 1, out: 1, late: 0, playing: 0, finished: 0 });
});

test("after the start of a round, who has neither checked in nor played is missing", () => {
  const players = [1, 2, 3, 4, 5].map((n) => ({ n, id: `p${n}`, here: n === 1, joined: n === 5 ? 2 : undefined }));
  const count = (/** @type {string} */ result) => {
    const rounds = [[{ n: 1, first: 1, second: 2 }, { n: 2, first: 3, second: 4, result }]];
    const { here, missing } = counts(state({ state: { stage: "running", players, rounds } }));
    return [here, missing];
  };
  assert.deepEqual(count("draw"), [4, 1]);
  assert.deepEqual(count("neither"), [2, 3]);
});

test("a substitute is no late player, and has not withdrawn", () => {
  const players = [{ n: 1, id: "a", joined: 2 }, { n: 2, id: "b", joined: 2, out: true }];
  const all = counts(state({ settings: { format: "knockout", rounds: 0 }, state: { stage: "running", players } }));
  assert.deepEqual([all.late, all.out], [1, 0]);
});

test("in an arena a player without an open page is missing", () => {
  const players = [{ n: 1, id: "a" }, { n: 2, id: "b", away: true }];
  const all = counts(state({ settings: { format: "arena" }, state: { stage: "running", players, rounds: [[]] } }));
  assert.equal(all.here, 1);
  assert.equal(all.missing, 1);
});

test("a bye is no board that is played", () => {
  const played = { n: 2, first: 3, second: 4, result: "draw" };
  const rounds = [[{ n: 1, first: 1, second: 2 }, played, { n: 3, first: 5, result: "bye" }]];
  const { playing, finished } = counts(state({ state: { stage: "running", rounds } }));
  assert.deepEqual([playing, finished], [1, 1]);
});

test("the phase says what the host can do next", () => {
  const open = [{ n: 1, first: 1, second: 2 }];
  const over = [{ n: 1, first: 1, second: 2, result: "first" }];
  const phase = (/** @type {object} */ s, /** @type {object} */ settings = {}) =>
    phaseOf(state({ settings, state: { stage: "running", ...s } }), 1000);
  assert.equal(phaseOf(state(), 0), "entry");
  assert.equal(phase({ rounds: [open] }), "playing");
  assert.equal(phase({ rounds: [over] }), "between");
  assert.equal(phase({ rounds: [over, over, over] }), "last");
  assert.equal(phase({ rounds: [open], due: 5 }, { format: "arena" }), "waves");
  assert.equal(phase({ rounds: [open] }, { format: "class" }), "stopped");
  assert.equal(phase({ rounds: [open], due: 5, ends: 999 }, { format: "arena" }), "timed-out");
  assert.equal(phase({ stage: "over", rounds: [over] }), "over");
});

test("a result can be set when no game of the board is being played", () => {
  const board = { n: 1, first: 1, second: 2 };
  const cases = [
    [{ ...board, paper: true }, "paper", true],
    [{ ...board, games: [{ room: "r" }] }, "opening", false],
    [{ ...board, games: [{ room: "r", opened: true }] }, "running", false],
    [{ ...board, games: [{ room: "r", opened: true, result: "void" }] }, "void", true],
    [{ ...board, result: "draw", games: [{ room: "r", opened: true, result: "draw" }] }, "over", true],
    [{ n: 1, first: 1, result: "bye" }, "bye", false],
  ];
  for (const [b, how, sets] of cases) {
    assert.equal(boardState(/** @type {any} */ (b)), how);
    assert.equal(takesResult(/** @type {any} */ (b)), sets, String(how));
  }
});

test("the standings are asked for again after a result, a withdrawal, a new player and the end", () => {
  const players = [{ n: 1, id: "a" }, { n: 2, id: "b" }];
  const board = { n: 1, first: 1, second: 2 };
  const key = (/** @type {object} */ s = {}) =>
    standingsKey(state({ state: { stage: "running", players, rounds: [[board]], ...s } }));
  const keys = [
    key(),
    key({ rounds: [[{ ...board, result: "draw" }]] }),
    key({ players: [players[0], { ...players[1], out: true }] }),
    key({ players: [...players, { n: 3, id: "c" }] }),
    key({ stage: "over" }),
  ];
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(key({ players: [{ ...players[0], here: true }, players[1]] }), keys[0]);
});

test("points, tie-breaks and results are written as people write them", () => {
  assert.deepEqual([0, 5, 10, 25].map((n) => points(n, "en")), ["0", "0.5", "1", "2.5"]);
  assert.deepEqual([0, 5, 10, 25].map((n) => points(n, "fr")), ["0", "0,5", "1", "2,5"]);
  assert.equal(breakText(1250, "BH", "fr"), "12,5");
  assert.equal(mark("draw"), "½ – ½");
  assert.equal(mark(undefined), "–");
});

test("a direct encounter that separates nobody is empty", () => {
  const all = [breakText(0, "DE", "en"), breakText(200, "DE", "en"), breakText(0, "BH", "en")];
  assert.deepEqual(all, ["", "2", "0"]);
});

test("a result without a game is told from one that was played", () => {
  const of = (/** @type {string | undefined} */ result) => absence({ n: 1, first: 1, result });
  assert.deepEqual(["first-unplayed", "second-unplayed", "neither"].map(of), [true, true, true]);
  assert.deepEqual(["first", "draw", undefined].map(of), [false, false, false]);
});

test("a host can pause the games that run, and resume those that are paused", () => {
  const before = { room: "r0", result: "draw", paused: true };
  const game = (/** @type {number} */ n, paused = false) =>
    ({ n, first: 1, second: 2, games: [before, { room: "r", opened: true, paused }] });
  const of = (/** @type {any[]} */ ...boards) => games(state({ state: { stage: "running", rounds: [boards] } }));
  assert.deepEqual(of(game(1), game(2)), { running: 2, paused: 0 });
  assert.deepEqual(of(game(1, true), game(2)), { running: 1, paused: 1 });
  assert.deepEqual(of(game(1, true), { n: 2, first: 3, result: "bye" }), { running: 0, paused: 1 });
  assert.deepEqual(of({ ...game(1, true), result: "draw" }), { running: 0, paused: 0 });
});

test("a player who did not come is told apart from the one who waited", () => {
  const of = (/** @type {string} */ result) => [1, 2].map((n) => missed([{ n: 1, first: 1, second: 2, result }], n));
  assert.deepEqual(of("first-unplayed"), [false, true]);
  assert.deepEqual(of("second-unplayed"), [true, false]);
  assert.deepEqual(of("neither"), [true, true]);
  assert.deepEqual(of("first"), [false, false]);
});

test("the boards that orders of this round have not reached are told once, in their order", () => {
  const acts = [
    { n: 1, act: "pause", round: 2, boards: 9, left: [7, 3] },
    { n: 2, act: "add", round: 2, boards: 9, left: [3] },
    { n: 3, act: "add", round: 1, board: 5, left: [5] },
    { n: 4, act: "add", round: 2, board: 8 },
  ];
  assert.deepEqual(unreached(state({ state: { rounds: [[], []], acts, left: [1] } })), [1, 3, 7]);
});
