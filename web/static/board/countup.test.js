import assert from "node:assert/strict";
import { test } from "node:test";
import { countUp } from "./countup.js";

test("a count runs up by one, and at its end shows the last number at once", (t) => {
  globalThis.window = globalThis;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const seen = [];
  const end = countUp(4, 9, (n) => seen.push(n));
  for (let ms = 0; ms < 85; ms++) t.mock.timers.tick(1);
  assert.deepEqual(seen, [4, 5, 6]);
  end();
  t.mock.timers.tick(1000);
  assert.deepEqual(seen, [4, 5, 6, 9]);
});

test("a long count takes half a second", (t) => {
  globalThis.window = globalThis;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  countUp(0, 100, (n) => (now = n));
  for (let ms = 0; ms < 501; ms++) t.mock.timers.tick(1);
  assert.equal(now, 100);
});
