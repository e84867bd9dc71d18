// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

/** @type {any} */
const world = globalThis;
/** @type {Record<string, string>} the viewer's settings */
const settings = {};
let begun = false; // the board has begun to play
const form = { dataset: { demo: "[]" }, addEventListener: () => (begun = true) };
world.self = {};
world.addEventListener = () => {};
world.matchMedia = () => ({ matches: true }); // the device wants no motion
world.document = { documentElement: { dataset: settings }, querySelector: () => form };
const { apply, places, playHero } = await import("./hero.js");

test("a lift empties a pit, a drop adds a seed, and a capture fills a store", () => {
  const counts = [...Array(12).fill(4), 0, 0];
  assert.deepEqual(apply(counts, -3), [2]);
  assert.deepEqual(apply(counts, 3), [3]);
  assert.deepEqual(apply(counts, 412), [3, 12]);
  assert.deepEqual(counts, [4, 4, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 5, 0]);
});

test("seeds stay inside their pit, and one more moves none of few", () => {
  for (let n = 0; n <= 24; n++)
    for (const { x, y } of places(3, n)) assert.ok(x > 5 && x < 95 && y > 5 && y < 95, `${n}: ${x}, ${y}`);
  assert.deepEqual(places(0, 5).slice(0, 4), places(0, 4));
});

test("the viewer's setting about motion is stronger than the device's", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  for (const motion of ["system", "on", "off"]) {
    [settings.motion, begun] = [motion, false];
    void playHero();
    assert.equal(begun, motion === "off", motion);
  }
});
