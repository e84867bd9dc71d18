import assert from "node:assert/strict";
import { test } from "node:test";
import { ActionBar } from "./actionbar.js";

test("a held Enter does not confirm that a player resigns", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const resign = /** @type {any} */ ({
    dataset: { action: "resign", confirm: "Resign? Tap again" },
    textContent: "Resign",
    hidden: false,
    style: {},
    getBoundingClientRect: () => ({ width: 80 }),
    classList: { add() {}, remove() {} },
  });
  const bar = { dataset: {}, querySelectorAll: () => [resign] };
  globalThis.document = /** @type {any} */ ({ querySelector: () => bar });
  globalThis.window = /** @type {any} */ (globalThis);
  const actionBar = new ActionBar(/** @type {any} */ ((/** @type {string} */ key) => key));
  let resigned = false;
  /** Clicks as a browser does: when the key goes down, and each time that it repeats. @param {boolean} repeat */
  const enter = (repeat) => {
    if (resign.onkeydown?.({ key: "Enter", repeat }) !== false) resigned ||= actionBar.confirmed(resign);
  };
  for (const repeat of [false, true, true]) enter(repeat);
  assert.deepEqual([resign.textContent, resigned], ["Resign? Tap again", false]);
  assert.ok(resign.onkeydown({ key: "Tab", repeat: true }), "a held Tab goes on");
  enter(false);
  assert.equal(resigned, true);
});
