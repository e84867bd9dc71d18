import assert from "node:assert/strict";
import { test } from "node:test";
import { ageOf } from "./announcement.js";

const told = { text: "Tea", at: 100_000 };

test("an announcement is shown with its age for half an hour", () => {
  const ages = [99_000, 100_000, 160_000, 1_899_999, 1_900_000].map((time) => ageOf(told, time, 0));
  assert.deepEqual(ages, [0, 0, 1, 29, -1]);
  assert.equal(ageOf(undefined, 100_000, 0), -1);
});

test("a hidden announcement stays hidden, and the next one is shown", () => {
  assert.equal(ageOf(told, 100_000, 100_000), -1);
  assert.equal(ageOf({ ...told, at: 100_001 }, 100_001, 100_000), 0);
});
