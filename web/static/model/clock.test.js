import assert from "node:assert/strict";
import { test } from "node:test";
import { firstMoveDue, lowAt, remaining, timeText } from "./clock.js";

test("the deadline for a first move is told from the one after weeks without a move", () => {
  assert.equal(firstMoveDue({ due: 301_000, noShow: 300_000 }, 0), true);
  assert.equal(firstMoveDue({ due: 301_000 }, 0), false, "not a game of a tournament, or one that waits");
  assert.equal(firstMoveDue({ due: 0, noShow: 300_000 }, 0), false, "both have moved");
  assert.equal(firstMoveDue({ due: 600_000_000, noShow: 300_000 }, 0), false);
  assert.equal(firstMoveDue({ due: 600_000_000, noShow: 600_000_000 }, 0), false, "days before");
  assert.equal(firstMoveDue({ due: 80_000_000, noShow: 600_000_000 }, 0), true);
});

test("only the clock of the seat on turn runs, from its start on", () => {
  const snap = { clock: [60_000, 30_000], turn: 1, run: 1_000 };
  assert.equal(remaining(snap, 0, 5_000), 60_000);
  assert.equal(remaining(snap, 1, 500), 30_000); // sow grace
  assert.equal(remaining(snap, 1, 5_000), 26_000);
  assert.equal(remaining(snap, 1, 99_000), 0);
  assert.equal(remaining({ ...snap, run: 0 }, 1, 99_000), 30_000);
  assert.equal(remaining({ ...snap, outage: true }, 1, 99_000), 30_000);
});

test("times are written for people", () => {
  for (const [ms, text] of [
    [300_000, "5:00"],
    [299_001, "5:00"],
    [61_000, "1:01"],
    [10_000, "0:10"],
    [9_990, "0:10.0"],
    [9_900, "0:09.9"],
    [40, "0:00.1"],
    [0, "0:00.0"],
    [3_600_000, "1:00:00"],
  ])
    assert.equal(timeText(ms), text);
});

test("low is a fifth of the start, from 10 to 60 seconds", () => {
  assert.equal(lowAt("5+3"), 60_000);
  assert.equal(lowAt("3d2"), 36_000);
  assert.equal(lowAt("0.5+0"), 10_000);
  assert.equal(lowAt("none"), 0);
  assert.equal(lowAt("3/move"), 0);
});
