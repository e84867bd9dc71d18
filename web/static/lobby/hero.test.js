// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { apply, places } from "./hero.js";

test("a lift empties a pit, a drop adds a seed, and a capture fills a store", () => {
  const counts = [...Array(12).fill(4), 0, 0];
  assert.deepEqual(apply(counts, -3), [2]);
  assert.deepEqual(apply(counts, 3), [3]);
  assert.deepEqual(apply(counts, 412), [3, 12]);
  assert.deepEqual(counts, [4, 4, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 5, 0]);
});

test("seeds stay inside their pit, and one more moves none of few", () => {
  for (let n = 0; n <= 24; n++)
    for (const { x, y } of places(3, n)) assert.ok(x > 5 && x < 95 && y > 5 && y < 95, `${n}: ${x}, ${y}`);
  assert.deepEqual(places(0, 5).slice(0, 4), places(0, 4));
});
