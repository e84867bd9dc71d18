import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyPage } from "../lib/browser.test.js";

emptyPage();
const { beginning, Renderer } = await import("./renderer.js");

/**
 * A page whose frames come when the test says so.
 *
 * @param {import("node:test").TestContext} t
 */
function page(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {(() => void) | null} */
  let next = null;
  const requestAnimationFrame = (/** @type {() => void} */ call) => ((next = call), 1);
  Object.assign(globalThis, { requestAnimationFrame, cancelAnimationFrame: () => (next = null) });
  let drawn = 0;
  const review = {
    get awaited() {
      drawn++; // a drawing asks this first, and ends if so
      return true;
    },
  };
  const renderer = new Renderer(/** @type {any} */ ({ review }));
  const frame = () => {
    const call = next;
    next = null;
    call?.();
  };
  return { renderer, frame, drawn: () => drawn };
}

test("a page is drawn in its frames, and once", (t) => {
  const { renderer, frame, drawn } = page(t);
  renderer.inPieces(beginning);
  for (let i = 0; i < beginning; i++) frame();
  assert.equal(drawn(), 0, "a move begins to be shown first");
  frame();
  assert.equal(drawn(), 1);
  t.mock.timers.tick(10_000);
  assert.equal(drawn(), 1);
});

test("a page that gets no further frame is drawn all the same", (t) => {
  const { renderer, frame, drawn } = page(t);
  renderer.inPieces(beginning);
  frame();
  t.mock.timers.tick(1_000);
  assert.equal(drawn(), 1);
  frame(); // a late one
  t.mock.timers.tick(10_000);
  assert.equal(drawn(), 1);
  renderer.inPieces();
  t.mock.timers.tick(1_000);
  assert.equal(drawn(), 2, "so is the next drawing");
});
