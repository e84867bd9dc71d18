// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { valueIn, withValue } from "./steppers.js";

test("a stepper changes its own option and no other", () => {
  assert.equal(withValue("", "pits", "7"), "pits=7");
  assert.equal(withValue("pits=7 feed=must", "pits", "8"), "feed=must pits=8");
  assert.equal(withValue(" pits=7  seeds=5 ", "pits", ""), "seeds=5");
});

test("the value of an option is found as a whole word", () => {
  assert.equal(valueIn("end_at_most=4 seeds=5", "seeds"), "5");
  assert.equal(valueIn("xpits=4", "pits"), "");
  assert.equal(valueIn("", "pits"), "");
});
