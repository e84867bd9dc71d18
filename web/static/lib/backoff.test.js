import assert from "node:assert/strict";
import { test } from "node:test";
import { pause } from "./backoff.js";

test("pauses grow from half a second to ten seconds, and differ between clients", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 9].map((n) => pause("", n, 0.5)), [500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  assert.deepEqual([pause("", 0, 0), pause("", 0, 1)], [375, 625]);
});

test("a server that stops says when to reconnect", () => {
  assert.equal(pause("retry-ms=1834", 0, 0.5), 1834);
  assert.equal(pause("retry-ms=0", 3, 0.5), 0);
  assert.equal(pause("retry-ms=99999", 0, 0.5), 10_000, "a pause has a limit");
  assert.equal(pause("retry-ms=soon", 0, 0.5), 500);
});
