import assert from "node:assert/strict";
import { test } from "node:test";
import { Pointers } from "./pointers.js";

/** A board with one pit, a page around it, and what the handlers were told. */
function board() {
  const page = new EventTarget();
  globalThis.document = /** @type {any} */ (page);
  globalThis.window = /** @type {any} */ (globalThis);
  const pit = { closest: () => ({ dataset: { pit: "3" } }) };
  const board = Object.assign(new EventTarget(), { contains: (/** @type {unknown} */ el) => el === pit });
  /** @type {string[]} */
  const told = [];
  new Pointers(/** @type {any} */ (board), {
    rest: () => {},
    hold: () => "repeat",
    repeat: (n) => told.push(`seed ${n}`),
    release: () => told.push("release"),
    draw: () => false,
  });
  const send = (/** @type {EventTarget} */ to, /** @type {string} */ type, /** @type {unknown} */ target) => {
    const e = Object.assign(new Event(type), { button: 0, clientX: 0, clientY: 0, pointerType: "mouse" });
    Object.defineProperty(e, "target", { value: target });
    to.dispatchEvent(e);
  };
  return { press: () => send(board, "pointerdown", pit), release: (on = pit) => send(page, "pointerup", on), told };
}

test("a pit is filled until the mouse is released, also beside the board", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const { press, release, told } = board();
  press();
  t.mock.timers.tick(350);
  t.mock.timers.tick(2 * 120);
  release(/** @type {any} */ ({}));
  t.mock.timers.tick(10_000);
  assert.deepEqual(told, ["seed 3", "seed 3", "release"]);
});
