import assert from "node:assert/strict";
import { test } from "node:test";
import { Pointers } from "./pointers.js";

const now = 5_000; // ms: the clock of events stands still, and only timers run

/** @param {import("node:test").TestContext} t */
function stopClock(t) {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  t.mock.method(performance, "now", () => now);
}

/** A board with one pit, a page around it, and what the handlers were told. */
function board(hold = "repeat") {
  const page = new EventTarget();
  globalThis.document = /** @type {any} */ (page);
  globalThis.window = /** @type {any} */ (globalThis);
  const pit = { closest: () => ({ dataset: { pit: "3" } }) };
  const board = Object.assign(new EventTarget(), { contains: (/** @type {unknown} */ el) => el === pit });
  /** @type {string[]} */
  const told = [];
  new Pointers(/** @type {any} */ (board), {
    rest: () => {},
    hold: () => {
      told.push("hold");
      return /** @type {any} */ (hold);
    },
    repeat: (n) => told.push(`seed ${n}`),
    release: () => told.push("release"),
    draw: () => false,
  });
  board.addEventListener("click", (e) => e.defaultPrevented || told.push("tap"));
  /** @param {EventTarget} to @param {string} type @param {unknown} target @param {number} [at] */
  const send = (to, type, target, at = now) => {
    const where = { button: 0, clientX: 0, clientY: 0, pointerType: "mouse", detail: 1 };
    const e = Object.assign(new Event(type, { cancelable: true }), where);
    Object.defineProperties(e, { target: { value: target }, timeStamp: { value: at } });
    to.dispatchEvent(e);
  };
  return {
    told,
    press: (at = now) => send(board, "pointerdown", pit, at),
    release: (on = pit, at = now) => send(page, "pointerup", on, at),
    click: () => send(board, "click", pit),
  };
}

test("a pit is filled until the mouse is released, also beside the board", (t) => {
  stopClock(t);
  const { press, release, told } = board();
  press();
  t.mock.timers.tick(350);
  t.mock.timers.tick(2 * 120);
  release(/** @type {any} */ ({}));
  t.mock.timers.tick(10_000);
  assert.deepEqual(told, ["hold", "seed 3", "seed 3", "release"]);
});

test("a press that the browser hands over late is long as much later", (t) => {
  stopClock(t);
  const { press, release, told } = board();
  press(now - 500);
  t.mock.timers.tick(800);
  release();
  t.mock.timers.tick(10_000);
  assert.deepEqual(told, []);
});

test("a tap whose release comes late is a tap, and a long press is none", (t) => {
  stopClock(t);
  for (const [ms, taps] of /** @type {const} */ ([[120, ["tap"]], [700, []]])) {
    const { press, release, click, told } = board("once");
    press();
    t.mock.timers.tick(600);
    release(undefined, now + ms);
    click();
    assert.deepEqual(told, ["hold", "release", ...taps]);
  }
});
