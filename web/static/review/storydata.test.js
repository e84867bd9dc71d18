import assert from "node:assert/strict";
import { test } from "node:test";
import { bars, capture, chain, lead, leads, relay, worthTo } from "./storydata.js";

/** A round of two sides with six pits each: the stores after each ply and what it did. @param {any[]} plies */
const round = (...plies) => ({
  first: { pits: [], stores: [0, 0] },
  plies: plies.map(([seat, stores, ...trace]) => ({ seat, stores, move: "a", pits: [], trace })),
});

const game = round(
  [0, [1, 0], ["lift", 2, 4], ["sow", "3-5", "s0"]],
  [0, [6, 0], ["lift", 0, 2], ["sow", 1, 2], ["take", 2, 1, "s0"], ["take", 9, 4, "s0"]],
  [1, [6, 1], ["lift", 8, 4], ["sow", "9-11", "s1"]],
  [1, [6, 2], ["lift", 11, 1], ["sow", "s1"]],
  [1, [6, 7], ["lift", 6, 1], ["sow", 7], ["take", 7, 1, "s1"], ["take", 4, 4, "s1"]],
  [0, [7, 7], ["lift", 5, 2], ["sow", "s0", 6], ["lift", 6, 3], ["sow", "7-9"]],
);

test("the lead of a side is known from the start on", () => {
  assert.deepEqual(leads(game, 0), [0, 1, 6, 5, 4, -1, 0]);
  assert.deepEqual(leads(game, 1), [0, -1, -6, -5, -4, 1, 0].map((n) => n || 0));
});

test("with four sides the lead is over the best of the others", () => {
  const four = {
    first: { pits: [], stores: [0, 0, 0, 0] },
    plies: [{ seat: 0, move: "a", trace: [], pits: [], stores: [5, 2, 7, 1] }],
  };
  assert.deepEqual(leads(four, 0), [0, -2]);
  assert.deepEqual(leads(four, 2), [0, 2]);
});

test("the turn of a game is the move from which on the leader of its end leads", () => {
  assert.equal(lead(game), null, "nobody leads at the end");
  const turned = round([0, [2, 0]], [1, [2, 3]], [0, [4, 3]], [1, [4, 4]], [1, [4, 6]], [0, [5, 6]]);
  assert.deepEqual(lead(turned), { at: 5, seat: 1, n: 1 });
  assert.deepEqual(lead(round([0, [1, 0]], [1, [1, 0]])), { at: 1, seat: 0, n: 1 }, "from the first move on");
  const kept = { seat: 1, move: "a", trace: [], pits: [1, 3], stores: [0, 0] };
  const row = { first: { pits: [2, 2], stores: [0, 0] }, plies: [kept] };
  assert.equal(lead(row), null, "no seed was won");
  assert.deepEqual(lead(row, true), { at: 1, seat: 1, n: 2 }, "captured seeds stay on the board");
});

test("of equal captures the first is the biggest", () => {
  assert.deepEqual(capture(game), { at: 2, seat: 0, n: 5 });
  assert.equal(capture(round([0, [1, 0], ["lift", 5, 1], ["sow", "s0"]])), null, "nothing was captured");
});

test("the longest turn is marked at its last move", () => {
  assert.deepEqual(chain(game), { at: 5, seat: 1, n: 3 });
  assert.equal(chain(round([0, [1, 0]], [1, [1, 1]])), null, "no turn has two moves");
});

test("only a sowing of several laps is the longest", () => {
  assert.deepEqual(relay(game), { at: 6, seat: 0, n: 2 });
  assert.equal(relay(round()), null);
});

test("bars go up from the zero line and down from it", () => {
  const { zero, bars: list } = bars([0, 3, -1], 80);
  assert.equal(zero, 60);
  assert.deepEqual(list, [
    { x: 0, y: 60, height: 0, ahead: false },
    { x: 1, y: 0, height: 60, ahead: true },
    { x: 2, y: 60, height: 20, ahead: false },
  ]);
  assert.equal(bars([0], 80).zero, 40, "a game without seeds has a line in the middle");
});

test("the worth of a game is told from one side", () => {
  const found = [{ seat: 0, value: 6 }, { seat: 1, value: 1 }, { seat: 2, value: -2 }, { seat: 3, value: 5 }];
  assert.deepEqual(worthTo(found.slice(0, 2), 0, 2), [6, -1]);
  assert.deepEqual(worthTo(found.slice(0, 2), 1, 2), [-6, 1]);
  assert.deepEqual(worthTo(found, 1, 2), [-6, 1, 2, 5], "partners sit opposite");
  assert.deepEqual(worthTo(found, 2, 4), [null, null, -2, null], "with four sides only own turns are known");
});

test("a line over the bars joins the known values", () => {
  assert.equal(bars([0, 0, 0], 80, [1, null, -1]).line, "0,0.0 2,80.0");
  assert.equal(bars([0], 80, [null]).zero, 40, "unknown values do not count");
});

test("where captured seeds stay on the board, all seeds of a side count for its lead", () => {
  const round = {
    first: { pits: [2, 2, 2, 2], stores: [3, 3] },
    plies: [
      { seat: 0, move: "a", trace: [], pits: [3, 4, 0, 2], stores: [2, 3] },
      { seat: 1, move: "b", trace: [], pits: [0, 0, 0, 0], stores: [14, 0] },
    ],
  };
  assert.deepEqual(leads(round, 0, true), [0, 4, 14]);
  assert.deepEqual(leads(round, 1, true), [0, -4, -14]);
});
