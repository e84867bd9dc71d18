import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, heap, place } from "./seeds.js";

const all = (game, slot, n) => Array.from({ length: n }, (_, i) => place(game, slot, i, 12));

test("the place of a seed does not depend on the number of seeds", () => {
  assert.deepEqual(all("k3v9qa2m00", 4, 12).slice(0, 5), all("k3v9qa2m00", 4, 5));
});

test("pits and games look different", () => {
  assert.notDeepEqual(all("k3v9qa2m00", 4, 3), all("k3v9qa2m00", 5, 3));
  assert.notDeepEqual(all("k3v9qa2m00", 4, 3), all("k3v9qa2m01", 4, 3));
  assert.notDeepEqual(all("k3v9qa2m00", "s1", 3), all("k3v9qa2m00", 1, 3));
});

test("no seed leaves its bowl", () => {
  for (let slot = 0; slot < 52; slot++) {
    for (const { x, y, turn, tint } of all("a", slot, 24)) {
      assert.ok(Math.hypot(x, y) <= 1 + 1e-9);
      assert.ok(turn >= 0 && turn <= 360 && [0, 1, 2, 3].includes(tint));
    }
  }
});

test("twelve seeds overlap little", () => {
  let near = 0;
  for (let slot = 0; slot < 52; slot++) {
    const seeds = all("a", slot, 12);
    seeds.forEach((a, i) =>
      seeds.slice(i + 1).forEach((b) => (near += Math.hypot(a.x - b.x, a.y - b.y) < 0.25 ? 1 : 0)),
    );
  }
  assert.ok(near < 52, `${near} of ${52 * 66} pairs are closer than a quarter of the radius`);
});

test("all four tints are used", () => {
  const tints = Array.from({ length: 52 }, (_, slot) => all("a", slot, 12).map((s) => s.tint)).flat();
  for (const tint of [0, 1, 2, 3]) assert.ok(tints.filter((t) => t === tint).length > 100);
});

test("two hundred seeds are drawn as twelve and a large heap", () => {
  assert.equal(drawn(200, 12), 12);
  assert.equal(heap(12, 12), 0);
  assert.ok(heap(13, 12) > 0.5 && heap(13, 12) < heap(40, 12));
  assert.equal(heap(200, 12), 1);
});
