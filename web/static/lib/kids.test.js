import assert from "node:assert/strict";
import { test } from "node:test";
import { forChildren } from "./kids.js";

test("children see each move before they play it, and read ready phrases only", () => {
  assert.equal(forChildren("confirm", "never"), "always");
  assert.equal(forChildren("preview", "off"), "on");
  assert.equal(forChildren("chat", "free"), "presets");
});

test("what they have chosen counts in all else", () => {
  assert.equal(forChildren("chat", "off"), "off");
  assert.equal(forChildren("theme", "wood"), "wood");
});
