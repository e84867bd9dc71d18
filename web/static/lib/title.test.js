// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {any} */ (globalThis).document = { title: "Kalah" };
const { badge, callAttention, clearCall, retitle } = await import("./title.js");

test("a call stays before the title until the viewer looks", () => {
  callAttention("Ben asks you to play");
  retitle("Your turn");
  assert.equal(document.title, "● Ben asks you to play – Your turn");
  clearCall();
  assert.equal(document.title, "Your turn");
  retitle("Kalah");
  assert.equal(document.title, "Kalah");
});

test("a call stays before the number of games that wait", () => {
  callAttention("Ben asks you to play");
  badge(2);
  assert.equal(document.title, "● Ben asks you to play – (2) Kalah");
  clearCall();
  badge(0);
  assert.equal(document.title, "Kalah");
});
