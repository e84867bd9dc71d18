// @ts-check
import assert from "node:assert/strict";
import { mock, test } from "node:test";

/** @type {Record<string, (e: any) => void>} */
const on = {};
/** @type {any} */ (globalThis).document = {
  addEventListener: (/** @type {string} */ kind, /** @type {(e: any) => void} */ then) => (on[kind] = then),
};
let now = 0;
mock.method(performance, "now", () => now);
const { held } = await import("./attention.js");

/** An element with these pseudo-classes. @param {string[]} classes @returns {any} */
const element = (...classes) => ({
  matches: (/** @type {string} */ selector) => classes.some((c) => selector.split(", ").includes(c)),
});
/** @param {string} kind @param {string} pointerType @param {any[]} path */
const happens = (kind, pointerType, ...path) => on[kind]({ pointerType, composedPath: () => path });

test("a finger holds a list for a second, although :hover stays", () => {
  const list = element(":hover");
  assert.ok(held(list), "a mouse may rest on it when the page opens");
  happens("pointerdown", "touch", {}, list);
  happens("pointerup", "touch", {}, list);
  now = 999;
  assert.ok(held(list));
  now = 1_000;
  assert.ok(!held(list));
  assert.ok(held(element(":focus-within")));
  happens("pointerdown", "touch", list);
  assert.ok(held(element(), list), "its card is held with it");
});

test("a mouse holds a list while it is over it", () => {
  happens("pointermove", "touch");
  assert.ok(!held(element(":hover")));
  happens("pointermove", "mouse");
  assert.ok(held(element(":hover")));
  const list = element();
  happens("pointermove", "mouse", list);
  assert.ok(!held(element(), list), "a card beside the one under it");
});
