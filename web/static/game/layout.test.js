import assert from "node:assert/strict";
import { test } from "node:test";
import { deal, draftOf, LayoutPanel, left, locked, move, problem, put } from "./layout.js";

const free = () => draftOf({ shape: [2, 1, 6], canonical: "seeds=0 opening=free total=72" });
const paired = () => draftOf({ shape: [2, 1, 6], canonical: "seeds=0 opening=paired total=72" });

/** A small random generator with a run number, so that a failure can be repeated. */
const random = (run) => () => (run = (run * 16807) % 2147483647) / 2147483647;

test("a pit takes no more seeds than are in the hand", () => {
  const d = put(put(free(), 3, 70), 4, 9);
  assert.deepEqual([d.pits[3], d.pits[4], left(d)], [70, 2, 0]);
  assert.equal(put(d, 3, -5).pits[3], 0);
});

test("six seeds everywhere are a problem, and so are seeds left in the hand", () => {
  let d = free();
  assert.equal(problem(d), "layout.left");
  for (let pit = 0; pit < 12; pit++) d = put(d, pit, 6);
  assert.equal(problem(d), "layout.even");
  assert.equal(problem(put(put(d, 0, 5), 1, 7)), "");
});

test("in paired openings the opposite pit fills and empties too, and corners stay empty", () => {
  const d = put(paired(), 1, 5);
  assert.deepEqual([d.pits[1], d.pits[10]], [5, 5]);
  const more = put(d, 10, 9);
  assert.deepEqual([more.pits[1], more.pits[10]], [5, 9]);
  assert.equal(left(put(more, 1, 0)), 72);
  for (const pit of [0, 5, 6, 11]) {
    assert.ok(locked(d, pit));
    assert.equal(put(d, pit, 3), d);
  }
});

test("a deal uses every seed and is valid, whatever the draft held before", () => {
  for (let run = 1; run <= 500; run++) {
    for (const start of [free(), paired(), put(free(), 2, 40), put(paired(), 3, 20)]) {
      const d = deal(start, random(run));
      assert.equal(left(d), 0);
      assert.equal(problem(d), "");
      d.pits.forEach((n, pit) => {
        assert.ok(n >= start.pits[pit] || start.pits[pit] === 0);
        if (locked(d, pit)) assert.equal(n, 0);
        else if (d.paired) assert.equal(n > 0, d.pits[11 - pit] > 0);
      });
    }
  }
});

test("a draft is written as a move", () => {
  assert.equal(move({ ...free(), pits: [7, 6, 5, 8, 6, 4, 6, 5, 8, 4, 9, 4] }), "=7.6.5.8.6.4/6.5.8.4.9.4");
});

test("a player who has laid out the board tells no progress after that", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let time = 0;
  t.mock.method(performance, "now", () => time);
  const part = { addEventListener: () => {}, setAttribute: () => {} };
  /** @type {(e: any) => void} */
  let click = () => {};
  const root = {
    querySelector: () => part,
    addEventListener: (/** @type {string} */ _, /** @type {typeof click} */ listener) => (click = listener),
  };
  const button = (/** @type {string} */ action) => ({ getAttribute: () => action });
  const press = (/** @type {string} */ action) => click({ target: { closest: () => button(action) } });
  /** @type {string[]} */
  const sent = [];
  Object.assign(globalThis, { window: globalThis });
  const panel = new LayoutPanel(/** @type {any} */ (root), {
    t: /** @type {any} */ (() => ""),
    changed: () => {},
    done: () => sent.push("move"),
    tell: () => sent.push("note"),
  });
  panel.begin({ shape: [2, 1, 6], canonical: "seeds=0 opening=free total=72", rules: "a" });
  press("layout-deal"); // a note of it waits for a second
  press("layout-done");
  time = 2_000;
  t.mock.timers.tick(2_000);
  assert.deepEqual(sent, ["note", "move"]);
});
