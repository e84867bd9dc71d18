import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyPage } from "../lib/browser.test.js";
import { needsConfirmation, digit, parseCommand } from "./keys.js";
import { nearest, strokeDirection } from "./navigate.js";
import { forbids, going, shapeOf } from "../model/shape.js";

emptyPage();
const { Input } = await import("./input.js");

/**
 * A board on whose pit 3 a finger can be put, and what a tap there did.
 * @param {import("node:test").TestContext} t
 * @param {any} preview what is shown of a move
 */
function touched(t, preview = null) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = Object.assign(new EventTarget(), { createElement: () => ({ setAttribute() {}, remove() {} }) });
  const pit = Object.assign(new HTMLElement(), {
    dataset: { pit: "3" },
    closest: (/** @type {string} */ what) => (what === "[data-pit]" ? pit : null),
  });
  const board = Object.assign(new EventTarget(), {
    dataset: {},
    contains: () => true,
    cell: () => null,
    querySelectorAll: () => [],
    toggleAttribute() {},
    append() {},
  });
  globalThis.document = /** @type {any} */ (page);
  const input = new Input(/** @type {any} */ (board), {
    previewOf: () => preview,
    requestMoves: () => {},
    needsConfirmation: () => false,
    singleKeys: () => true,
    replays: () => false,
  });
  const shape = { pits: 6, sides: 2 };
  const view = { state: "live", ply: 0, as: 0, bottom: 0, shape, choices: new Map([[3, ["d"]]]) };
  const follow = (more = {}) => input.follow(/** @type {any} */ ({ ...view, ...more }));
  follow();
  /** @type {unknown[]} */
  const sown = [];
  board.addEventListener("sow", (e) => sown.push(/** @type {CustomEvent} */ (e).detail.move));
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const send = (/** @type {EventTarget} */ to, /** @type {string} */ type, more = {}) => {
    const pointer = { button: 0, clientX: 0, clientY: 0, pointerType: "touch", detail: 1 };
    const e = Object.assign(new Event(type), pointer, more);
    let prevented = false;
    const prevent = () => {
      prevented = true;
      e.stopImmediatePropagation(); // in a browser, the board is above the pit
    };
    const fixed = { target: pit, timeStamp: now, preventDefault: prevent };
    for (const [name, value] of Object.entries(fixed)) Object.defineProperty(e, name, { value });
    to.dispatchEvent(e);
    return !prevented;
  };
  const tick = (/** @type {number} */ ms) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  return {
    sown,
    tick,
    follow,
    /** A key that goes down on the pit, and repeats itself. Enter clicks each time, as in a browser. */
    hold: (/** @type {string} */ key) => {
      for (const repeat of [false, true, true])
        if (send(board, "keydown", { key, repeat }) && key === "Enter") send(board, "click", { detail: 0 });
    },
    /** A finger that stays for the given time in ms. */
    tap: (ms = 50) => {
      send(board, "pointerdown");
      tick(ms);
      send(page, "pointerup");
      send(board, "click");
    },
  };
}

test("the move field understands pits, directions and commands", () => {
  assert.deepEqual(parseCommand("3"), { kind: "pit", number: 3, way: "" });
  assert.deepEqual(parseCommand(" 10> "), { kind: "pit", number: 10, way: ">" });
  assert.deepEqual(parseCommand("3 <"), { kind: "pit", number: 3, way: "<" });
  assert.deepEqual(parseCommand("12>*"), { kind: "pit", number: 12, way: ">*" });
  assert.deepEqual(parseCommand("B"), { kind: "does", what: "board" });
  assert.deepEqual(parseCommand("Draw"), { kind: "does", what: "draw" });
  for (const nonsense of ["", "3=", "123", "constructor", "hello"])
    assert.deepEqual(parseCommand(nonsense), { kind: "nothing" }, nonsense);
});

test("digits play pits 1 to 10", () => {
  assert.deepEqual(["1", "9", "0", "a", "F1", "!"].map(digit), [1, 9, 10, null, null, null]);
});

test("a tap needs a second one where a slip is likely or costly", () => {
  const tap = { side: 50, pointed: true, days: false };
  assert.equal(needsConfirmation("auto", tap), false);
  assert.equal(needsConfirmation("auto", { ...tap, side: 38 }), true);
  assert.equal(needsConfirmation("auto", { ...tap, side: 38, pointed: false }), false, "a key does not slip");
  assert.equal(needsConfirmation("auto", { ...tap, days: true }), true);
  assert.equal(needsConfirmation("never", { ...tap, side: 38, days: true }), false);
  assert.equal(needsConfirmation("always", tap), true);
});

test("arrow keys move to the pit that looks next", () => {
  // Two rows of three, and a store at each end.
  const points = [
    { x: 0, y: 50 },
    ...[1, 2, 3].map((x) => ({ x: 100 * x, y: 0 })),
    ...[1, 2, 3].map((x) => ({ x: 100 * x, y: 100 })),
    { x: 400, y: 50 },
  ];
  const go = (from, way) => nearest(points[from], points, way);
  assert.equal(go(4, "Right"), 5);
  assert.equal(go(5, "Up"), 2);
  assert.equal(go(6, "Right"), 7);
  assert.equal(go(1, "Left"), 0);
  assert.equal(go(4, "Down"), -1);
});

test("a finger that moves clearly in one direction makes a stroke", () => {
  const from = { x: 100, y: 100 };
  assert.equal(strokeDirection(from, { x: 60, y: 105 }), "left");
  assert.equal(strokeDirection(from, { x: 140, y: 90 }), "right");
  assert.equal(strokeDirection(from, { x: 100, y: 160 }), "down");
  assert.equal(strokeDirection(from, { x: 110, y: 100 }), null, "that is a tap");
  assert.equal(strokeDirection(from, { x: 140, y: 130 }), null, "the direction is not clear");
});

test("beside a move with a sign, the plain move of a pit goes the other way", () => {
  assert.equal(going(["a<", "a"], "<"), "a<");
  assert.equal(going(["a<", "a"], ">"), "a");
  assert.equal(going(["a", "a>"], "<"), "a");
  assert.equal(going(["a<", "a>"], ">"), "a>");
  assert.equal(going(["a"], ">"), undefined);
});

test("a way in which a pit cannot be sown is known", () => {
  const shape = (/** @type {string} */ canonical) => shapeOf({ shape: [2, 1, 6], canonical });
  assert.ok(forbids(shape("direction=choice"), ["a>"], "<"));
  assert.ok(!forbids(shape("direction=choice"), ["a>"], ">"));
  assert.ok(!forbids(shape("direction=choice"), ["a<", "a>"], "<"));
  assert.ok(forbids(shape("direction=choice"), ["a>"], ">*"), "no house can be sown on");
  assert.ok(forbids(shape("backward=2"), ["a"], "<"));
  assert.ok(!forbids(shape("backward=2"), ["a"], ">"), "the ordinary direction");
  assert.ok(!forbids(shape("direction=cw"), ["a"], "<"), "the ordinary direction");
  assert.ok(!forbids(shape(""), ["a"], ""), "no way is asked for");
});

test("a finger that rests on a pit sees what the move would do and does not play it", (t) => {
  const shown = touched(t, { lands: new Map(), last: null, text: "" });
  shown.tap(400);
  assert.deepEqual(shown.sown, []);
  shown.tap();
  assert.deepEqual(shown.sown, ["d"]);
});

test("a finger that rests on a pit plays it where nothing is shown of a move", (t) => {
  const { tap, sown } = touched(t);
  tap(400);
  assert.deepEqual(sown, ["d"]);
});

test("a double tap plays a pit once, also with a finger", (t) => {
  const { tap, tick, sown } = touched(t);
  tap();
  tick(150);
  tap();
  assert.deepEqual(sown, ["d"]);
  tick(300);
  tap();
  assert.deepEqual(sown, ["d", "d"], "after a while it is another tap");
});

test("a pit that can be played again is played at once", (t) => {
  const { tap, tick, follow, sown } = touched(t);
  tap();
  follow({ ply: 1, choices: new Map() }); // the other player's turn
  tick(100);
  tap();
  assert.deepEqual(sown, ["d"]);
  follow({ ply: 2 });
  tap();
  assert.deepEqual(sown, ["d", "d"]);
});

test("a plan is taken back by a tap that comes at once", (t) => {
  const { tap, follow, sown } = touched(t);
  follow({ choices: new Map() });
  tap();
  tap();
  assert.deepEqual(sown, [undefined, undefined]);
});

test("a key that is held plays a pit once and plans nothing", (t) => {
  for (const key of ["Enter", "4"]) {
    const { hold, sown } = touched(t);
    hold(key);
    assert.deepEqual(sown, ["d"], key);
    t.mock.reset();
  }
});

test("a key that is held lays out a seed each time it repeats", (t) => {
  for (const key of ["Enter", "4"]) {
    const { hold, follow, sown } = touched(t);
    follow({ choices: new Map([[3, ["+"]]]) });
    hold(key);
    assert.deepEqual(sown, ["+", "+", "+"], key);
    t.mock.reset();
  }
});
