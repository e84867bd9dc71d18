import assert from "node:assert/strict";
import { test } from "node:test";
import { Pointers } from "./pointers.js";

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
  const send = (to, type, target, at = performance.now()) => {
    const where = { button: 0, clientX: 0, clientY: 0, pointerType: "mouse", detail: 1 };
    const e = Object.assign(new Event(type, { cancelable: true }), where);
    Object.defineProperties(e, { target: { value: target }, timeStamp: { value: at } });
    to.dispatchEvent(e);
  };
  return {
    told,
    press: (/** @type {number} */ at = performance.now()) => send(board, "pointerdown", pit, at),
    release: (on = pit, at = performance.now()) => send(page, "pointerup", on, at),
    click: () => send(board, "click", pit),
  };
}

test("a pit is filled until the mouse is released, also beside the board", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const { press, release, told } = board();
  press();
  t.mock.timers.tick(350);
  t.mock.timers.tick(2 * 120);
  release(/** @type {any} */ ({}));
  t.mock.timers.tick(10_000);
  assert.deepEqual(told, ["hold", "seed 3", "seed 3", "release"]);
});

test("a press that the browser hands over late is long as much later", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const { press, release, told } = board();
  press(performance.now() - 500);
  t.mock.timers.tick(800);
  release();
  t.mock.timers.tick(10_000);
  assert.deepEqual(told, []);
});

test("a tap whose release comes late is a tap, and a long press is none", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  for (const [ms, taps] of /** @type {const} */ ([[120, ["tap"]], [700, []]])) {
    const { press, release, click, told } = board("once");
    const at = performance.now();
    press(at);
    t.mock.timers.tick(600);
    release(undefined, at + ms);
    click();
    assert.deepEqual(told, ["hold", "release", ...taps]);
  }
});
