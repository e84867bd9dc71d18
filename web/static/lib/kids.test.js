import assert from "node:assert/strict";
import { test } from "node:test";
import { forChildren } from "./kids.js";

test("kids mode previews each move, and shows ready phrases only", () => {
  assert.equal(forChildren("confirm", "never"), "always");
  assert.equal(forChildren("preview", "off"), "on");
  assert.equal(forChildren("chat", "free"), "presets");
});

test("kids mode leaves all other settings as they are", () => {
  assert.equal(forChildren("chat", "off"), "off");
  assert.equal(forChildren("theme", "wood"), "wood");
});
