import assert from "node:assert/strict";
import { test } from "node:test";
import { merged, placed } from "./standings.js";

const places = (/** @type {import("./standings.js").Row[]} */ rows) =>
  placed(rows)
    .map((r) => `${r.place}:${r.n}`)
    .join(" ");

test("players are sorted by points, then by each tie-break", () => {
  const rows = [
    { n: 1, points: 10, breaks: [0, 500] },
    { n: 2, points: 20, breaks: [0, 0] },
    { n: 3, points: 10, breaks: [0, 700] },
    { n: 4, points: 10, breaks: [100, 0] },
  ];
  assert.equal(places(rows), "1:2 2:4 3:3 4:1");
});

test("players whom nothing separates share a place, and stand by number", () => {
  const rows = [
    { n: 3, points: 10, breaks: [1] },
    { n: 1, points: 10, breaks: [1] },
    { n: 2, points: 5, breaks: [9] },
  ];
  assert.equal(places(rows), "1:1 1:3 3:2");
  assert.equal(places([{ n: 1, points: 0 }, { n: 2, points: 0 }]), "1:1 1:2");
});

test("players of a knockout have the server's places, which do not follow from points", () => {
  const rows = [{ n: 1, place: 3 }, { n: 2, place: 1 }, { n: 3, place: 3 }, { n: 4, place: 2 }];
  assert.equal(places(rows.map((row) => ({ ...row, points: 0, breaks: [] }))), "1:2 2:4 3:1 3:3");
});

test("elsewhere a place does not count, since it is that of an older table", () => {
  assert.equal(places([{ n: 1, points: 10, breaks: [0], place: 1 }, { n: 2, points: 10, breaks: [5] }]), "1:2 2:1");
  const level = { points: 0, breaks: [0] };
  assert.equal(places([{ n: 1, ...level, place: 2 }, { n: 2, ...level, place: 1 }]), "1:1 1:2");
});

test("changed rows take the place of those with their number, and new ones are added", () => {
  const rows = merged([{ n: 1, points: 0 }, { n: 2, points: 0 }], [{ n: 2, points: 10 }, { n: 3, points: 5 }]);
  assert.deepEqual(merged(rows, [], [1, 3]), [{ n: 2, points: 10 }]);
  assert.deepEqual(rows, [{ n: 1, points: 0 }, { n: 2, points: 10 }, { n: 3, points: 5 }]);
});
