import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, digest, expand, rewind, shownAt, total, wonBy } from "./trace.js";

const board = (pits, stores) => ({ pits, stores });

// The engine's tests have the trace of every example of RULES.md §8. Here are the kinds of steps.
const cases = [
  {
    name: "run into the store",
    before: board([4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4], [0, 0]),
    trace: [["lift", 2, 4], ["sow", "3-5", "s0"]],
    after: board([4, 4, 0, 5, 5, 5, 4, 4, 4, 4, 4, 4], [1, 0]),
  },
  {
    name: "run downwards",
    before: board([1, 1, 3, 0], [0, 0]),
    trace: [["lift", 2, 3], ["sow", "2-0"]],
    after: board([2, 2, 1, 0], [0, 0]),
  },
  {
    name: "capture",
    before: board([1, 0, 5, 2], [0, 0]),
    trace: [["lift", 0, 1], ["sow", 1], ["take", 2, 5, "s0"], ["take", 1, 1, "s0"]],
    after: board([0, 0, 0, 2], [6, 0]),
  },
  {
    name: "claim",
    before: { ...board([0, 3, 5, 2], [0, 0]), marks: { 0: "x" } },
    trace: [["lift", 1, 3], ["sow", "1-3"], ["take", 3, 3, "s0"], ["claim", 3]],
    after: { ...board([0, 1, 6, 0], [3, 0]), marks: { 0: "x", 3: "x" } },
  },
  {
    name: "entry that empties a house",
    before: { ...board([0, 6, 0, 2], [3, 3]), marks: { 1: "h" } },
    trace: [["enter", "s0", 1], ["lift", 1, 7], ["unhouse", 1], ["sow", 2, 3, 0, 1, 2, 3, 0]],
    after: { ...board([2, 1, 2, 4], [2, 3]), marks: undefined },
  },
  {
    name: "block of a house",
    before: { ...board([1, 0, 2, 0], [0, 0]), marks: { 2: "h" } },
    trace: [["lift", 0, 1], ["sow", 1], ["block", 2]],
    after: { ...board([0, 1, 2, 0], [0, 0]), marks: { 2: "h!" } },
  },
  {
    name: "end of a block",
    before: { ...board([1, 0, 2, 0], [0, 0]), marks: { 0: "h", 2: "!" } },
    trace: [["lift", 0, 1], ["unhouse", 0], ["sow", 1], ["unblock", 2]],
    after: { ...board([0, 1, 2, 0], [0, 0]), marks: undefined },
  },
  {
    name: "sweep to nobody",
    before: board([0, 2], [3, 1]),
    trace: [["sweep", 1, 2, null]],
    after: board([0, 0], [3, 1]),
  },
  { name: "gift", before: board([0, 2, 0, 0], [0, 0]), trace: [["give", 1, 2]], after: board([0, 1, 1, 0], [0, 0]) },
  {
    name: "lay-out",
    before: board([0, 0, 0, 0], [0, 0]),
    trace: [["lay", 3, 1, 2, 2]],
    after: board([3, 1, 2, 2], [0, 0]),
  },
  { name: "turn", before: board([3, 1, 2, 2], [0, 0]), trace: [["turn"]], after: board([2, 2, 3, 1], [0, 0]) },
  {
    name: "relay",
    before: board([2, 0, 1, 0], [0, 0]),
    trace: [["lift", 0, 2], ["sow", 1, 2], ["lift", 2, 2], ["sow", 3, 0]],
    after: board([1, 1, 0, 1], [0, 0]),
  },
];

for (const c of cases) {
  test(`${c.name} leads from the board before to the board after, and back`, () => {
    const events = expand(c.trace);
    const after = apply(c.before, events);
    assert.deepEqual(after, c.after);
    assert.deepEqual(rewind(after, events), c.before);
  });
}

test("apply does not change the board it starts from", () => {
  const before = board([2, 0], [0, 0]);
  apply(before, expand([["lift", 0, 2], ["sow", 1, "s0"]]));
  assert.deepEqual(before, board([2, 0], [0, 0]));
});

test("a digest counts laps, seeds and captures", () => {
  const d = digest(
    expand([
      ["lift", 0, 3],
      ["sow", "1-3"],
      ["lift", 3, 2],
      ["sow", 4, 5],
      ["take", 5, 2, "s0"],
      ["take", 6, 7, "s0"],
      ["sweep", 1, 1, "s1"],
    ]),
  );
  assert.deepEqual([d.from, d.last, d.laps, d.sown], [0, 5, 2, 5]);
  assert.deepEqual(d.took.map((x) => x.n), [2, 7]);
  assert.deepEqual(d.swept, [{ slot: 1, n: 1, to: "s1" }]);
});

test("an unknown step is an error and not a wrong board", () => {
  assert.throws(() => expand([["jump", 1]]));
});

test("seeds that fell into claimed pits are counted apart, by the side that won them", () => {
  const trace = [["lift", 0, 4], ["sow", 0, 1], ["take", 1, 1, "s1"], ["sow", 2, 3], ["take", 3, 1, "s0"]];
  const d = digest(expand(trace), { 1: "x", 3: "x" });
  assert.deepEqual([d.took, d.fell.map(({ to }) => to), d.last, d.sown], [[], ["s1", "s0"], 3, 4]);
  assert.deepEqual(digest(expand(trace)).fell, []);
});

test("a small board shows the mark of the side that has claimed a pit", () => {
  const claimed = { ...board([0, 3, 0, 2], [6, 7]), marks: { 0: "x", 2: "x" } };
  assert.deepEqual(["0", "1", "2", "3", "s1"].map((at) => shownAt(claimed, at)), ["◆", 3, "●", 2, 7]);
});

test("captured seeds that are not sown before the end are won", () => {
  const before = { pits: [2, 0, 5, 3], stores: [0, 0] };
  const steps = /** @type {import("./trace.js").Step[]} */ ([
    ["lift", 0, 2],
    ["sow", 1, 0],
    ["seize", 2, 5],
    ["seize", 3, 3],
    ["sweep", null, 8, "s0"],
  ]);
  const events = expand(steps);
  assert.deepEqual(apply(before, events), { pits: [1, 1, 0, 0], stores: [8, 0] });
  assert.deepEqual(rewind(apply(before, events), events), before);
  assert.equal(total(wonBy(digest(events).took, 0)), 8);
});

test("the seed entered is no part of the sowing, and belongs to its lap", () => {
  const d = digest(expand([["enter", "s0", 1], ["lift", 1, 3], ["sow", "2-4"], ["lift", 4, 2], ["sow", 5, 6]]));
  assert.deepEqual([d.entered, d.from, d.last, d.laps, d.sown], [true, 1, 6, 2, 5]);
  const taking = digest(expand([["enter", "s1", 9], ["seize", 5, 4], ["unhouse", 5], ["seize", 2, 1], ["sow", 8, 9]]));
  assert.deepEqual([taking.from, taking.laps, total(taking.took), taking.unhoused], [9, 1, 5, [5]]);
});

test("a house that is captured with the last seeds of a row is won", () => {
  const before = { pits: [0, 1, 6, 0], stores: [1, 0], marks: { 2: "h" } };
  const events = expand([["enter", "s0", 1], ["seize", 2, 6], ["unhouse", 2], ["sweep", null, 6, "s0"]]);
  assert.deepEqual(apply(before, events), { pits: [0, 2, 0, 0], stores: [6, 0], marks: undefined });
  assert.equal(digest(events).last, 1);
});
