import assert from "node:assert/strict";
import { test } from "node:test";
import { isConfirmed } from "./secondtap.js";

test("a held Enter is no second tap", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const classes = new Set();
  const button = /** @type {any} */ ({
    textContent: "Finish",
    style: {},
    getBoundingClientRect: () => ({ width: 80 }),
    classList: {
      contains: (/** @type {string} */ name) => classes.has(name),
      add: (/** @type {string} */ name) => classes.add(name),
      remove: (/** @type {string} */ name) => classes.delete(name),
    },
  });
  let confirmed = false;
  /** Clicks as a browser does: when the key goes down, and each time that it repeats. @param {boolean} repeat */
  const enter = (repeat) => {
    if (button.onkeydown?.({ key: "Enter", repeat }) !== false) confirmed ||= isConfirmed(button, "Sure?");
  };
  for (const repeat of [false, true, true]) enter(repeat);
  assert.deepEqual([button.textContent, confirmed], ["Sure?", false]);
  enter(false);
  assert.equal(confirmed, true);
});
