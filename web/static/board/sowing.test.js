import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, expand } from "../model/trace.js";
import { Sowing } from "./sowing.js";

const frame = 17; // ms

/** A hand that records the counts, and a clock that the test moves. */
function theatre({ speed = "normal", reduced = false, hidden = false } = {}) {
  let time = 0;
  const timers = new Map();
  const clock = {
    now: () => time,
    later: (call, ms) => (timers.set(timers.size + 1, { at: time + ms, call }), timers.size),
    cancel: (id) => timers.set(id, null),
  };
  const t = {
    how: { speed, reduced, hidden },
    counts: {},
    beats: [],
    dots: 0,
    changes: 0,
    sounds: [],
    steps: [],
    lengths: [],
  };
  t.pass = (ms) => {
    for (const end = time + ms; ; ) {
      const due = [...timers].filter(([, x]) => x && x.at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) return void (time = end);
      timers.set(due[0], null);
      time = Math.max(time, due[1].at);
      due[1].call();
    }
  };
  t.sowing = new Sowing(
    {
      hand: {
        begin: () => {},
        open: (beat) => t.beats.push(beat.kind),
        close: () => {},
        put: (slot, n) => (t.counts[slot] = n),
        clear: () => {},
        dots: () => t.dots++,
      },
      how: () => t.how,
      row: () => 0,
      onEnd: () => t.changes++,
      onBegin: (ms) => t.lengths.push(ms),
      onSound: (what) => t.sounds.push(what),
      onStep: (beat) => t.steps.push(beat.kind),
    },
    clock,
  );
  return t;
}

const start = { pits: [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4], stores: [0, 0] };
const trace = expand([["lift", 2, 4], ["sow", "3-5", "s0"]]);
const move = (more = {}) => ({ before: start, events: trace, again: false, ...more });
/** Moves that follow each other, of one seed each. */
function chain(n) {
  let before = { pits: [0, 0, 0, 0, 0, 0, n, 0], stores: [0, 0] };
  return Array.from({ length: n }, () => {
    const events = expand([["lift", 6, before.pits[6]], ["sow", 7], ...Array(before.pits[6] - 1).fill(["sow", 6])]);
    const one = { before, events, again: false };
    before = apply(before, events);
    return one;
  });
}

test("a seed is counted when it lands", () => {
  const t = theatre();
  t.sowing.add(move());
  assert.equal(t.lengths[0], 120 + 4 * 180 + 250);
  t.pass(frame);
  assert.equal(t.counts[2], 0);
  t.pass(120 + 179 - frame);
  assert.equal(t.sowing.shown.pits[3], 4);
  t.pass(1);
  assert.equal(t.counts[3], 5);
  t.pass(3 * 180);
  assert.equal(t.counts.s0, 1);
  assert.notEqual(t.sowing.shown, null);
  t.pass(250 + frame);
  assert.equal(t.sowing.shown, null);
  assert.deepEqual(t.sounds, ["seed", "seed", "seed", "seed"]);
});

test("captured seeds that are sown on sound like a capture, once for both pits", () => {
  const before = { pits: [1, 0, 0, 2, 2, 0], stores: [0, 0] };
  const events = expand([["lift", 0, 1], ["sow", 1], ["seize", 4, 2], ["seize", 3, 2], ["sow", 2, 1, 0, 2]]);
  const t = theatre();
  t.sowing.add({ before, events, again: false });
  t.pass(5000);
  assert.deepEqual(t.sounds, ["seed", "take", "seed", "seed", "seed", "seed"]);
  const still = theatre({ reduced: true });
  still.sowing.add({ before, events, again: false });
  assert.deepEqual(still.sounds, ["take"]);
});

test("without motion a house that opens and a pit that is blocked sound as with it", () => {
  for (const sign of [["unhouse", 0], ["block", 4]]) {
    const t = theatre({ reduced: true });
    t.sowing.add({
      before: { pits: [1, 0, 0, 2, 2, 0], stores: [0, 0] },
      events: expand([["lift", 0, 1], ["sow", 1], sign]),
      again: false,
    });
    assert.deepEqual(t.sounds, ["again"]);
  }
});

test("one seed lands in a frame, and the next one starts in another", () => {
  const t = theatre();
  t.sowing.add(move());
  t.pass(120 + 180);
  assert.deepEqual(t.beats, ["lift", "drop"]);
  assert.equal(t.counts[3], 5);
  t.pass(frame);
  assert.deepEqual(t.beats, ["lift", "drop", "drop"]);
});

test("a move that comes in the last frame of the one before is shown", () => {
  const t = theatre();
  const [a, b] = chain(2);
  t.sowing.add(a);
  t.pass(120 + 2 * 180 + 250 + frame / 2);
  assert.notEqual(t.sowing.shown, null);
  t.sowing.add(b);
  t.pass(120 + 180 + 250 + 2 * frame);
  assert.equal(t.sowing.shown, null);
  assert.equal(t.beats.filter((kind) => kind === "lift").length, 2);
});

test("a tap in the last frame ends the animation", () => {
  const t = theatre();
  t.sowing.add(move());
  t.pass(120 + 4 * 180 + 250 + frame / 2);
  t.sowing.finish();
  assert.equal(t.sowing.shown, null);
});

test("a tap ends the animation at once", () => {
  const t = theatre();
  t.sowing.add(move());
  t.pass(300);
  t.sowing.finish();
  assert.equal(t.sowing.shown, null);
  const { changes } = t;
  t.pass(5000);
  assert.equal(t.changes, changes);
});

test("a late timer shows everything that is due", () => {
  const t = theatre();
  t.sowing.add(move());
  t.pass(10_000);
  assert.deepEqual(t.beats, ["lift", "drop", "drop", "drop", "drop", "hold"]);
});

test("waiting moves play at double speed, one after the other", () => {
  const t = theatre();
  const [a, b, c] = chain(3);
  for (const one of [a, b, c]) t.sowing.add(one);
  const whole = (120 + 250) * 3 + 180 * (3 + 2 + 1);
  t.pass(whole / 2 - 1);
  assert.notEqual(t.sowing.shown, null);
  t.pass(1 + 3 * frame);
  assert.equal(t.sowing.shown, null);
  assert.equal(t.beats.filter((kind) => kind === "lift").length, 3);
});

test("of more than three waiting moves only the newest is shown", () => {
  const t = theatre();
  const moves = chain(5);
  for (const one of moves) {
    t.sowing.add(one);
    t.pass(frame);
  }
  assert.deepEqual(t.sowing.shown.pits[6], 0);
  assert.equal(t.beats.filter((kind) => kind === "lift").length, 2); // the first one had begun
  t.pass(120 + 180 * 5 + 250);
  assert.equal(t.sowing.shown, null);
});

test("missed moves, four at most, take 2 s in all", () => {
  const t = theatre();
  for (const one of chain(4)) t.sowing.add({ ...one, most: 500 });
  t.pass(2000);
  assert.equal(t.sowing.shown, null);
});

for (const how of [{ reduced: true }, { speed: "instant" }, { hidden: true }]) {
  test(`nothing moves with ${JSON.stringify(how)}`, () => {
    const t = theatre(how);
    t.sowing.add(move());
    assert.equal(t.sowing.shown, null);
    assert.deepEqual(t.beats, []);
    assert.equal(t.dots, how.reduced ? 1 : 0);
  });
}

for (const reduced of [false, true]) {
  test(`an own move stays until the server has answered, ${reduced ? "with reduced motion" : "in motion"}`, () => {
    const t = theatre({ reduced });
    t.sowing.add(move({ name: "1 c" }));
    assert.ok(t.sowing.awaits("1 c"));
    t.pass(5000);
    assert.deepEqual(t.sowing.shown, apply(start, trace));
    t.sowing.finish(); // a tap does not remove it
    assert.deepEqual(t.sowing.shown, apply(start, trace));
    t.sowing.confirm("1 c");
    assert.equal(t.sowing.shown, null);
  });
}

test("the player's own move is on the board at once if it is not animated", () => {
  const t = theatre({ reduced: true });
  t.sowing.add(move({ name: "1 c" }));
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((pit) => t.counts[pit]), [4, 4, 0, 5, 5, 5]);
  assert.deepEqual(t.lengths, [0]); // it is on its way
  assert.equal(t.changes, 0); // the sender draws the rest
});

test("an acknowledgement during the animation changes nothing visible", () => {
  const t = theatre();
  t.sowing.add(move({ name: "1 c" }));
  t.pass(400);
  t.sowing.confirm("1 c");
  assert.notEqual(t.sowing.shown, null);
  assert.ok(!t.sowing.awaits());
  t.pass(690 + frame);
  assert.equal(t.sowing.shown, null);
});

test("a tap during the player's own move shows its end until the server has answered", () => {
  const t = theatre();
  t.sowing.add(move({ name: "1 c" }));
  t.pass(200);
  t.sowing.finish();
  assert.deepEqual(t.sowing.shown, apply(start, trace));
  t.sowing.confirm("1 c");
  assert.equal(t.sowing.shown, null);
});

test("a refused move disappears at once", () => {
  const t = theatre();
  t.sowing.add(move({ name: "1 c" }));
  t.pass(200);
  t.sowing.clear();
  assert.equal(t.sowing.shown, null);
});

for (const how of [{}, { reduced: true }, { speed: "instant" }]) {
  test(`stepping shows event by event, ${JSON.stringify(how)}`, () => {
    const t = theatre(how);
    const take = {
      before: start,
      events: expand([["lift", 2, 4], ["sow", "3-6"], ["take", 9, 4, "s0"], ["take", 6, 5, "s0"]]),
      again: true,
    };
    const seen = [];
    for (let i = 0; i < 7; i++) {
      t.sowing.step(take);
      t.pass(5000);
      seen.push(t.sowing.shown === null ? "rest" : t.sowing.shown.stores[0]);
    }
    assert.deepEqual(t.steps, ["lift", "drop", "drop", "drop", "drop", "take", "again"]);
    assert.deepEqual(seen, [0, 0, 0, 0, 0, 9, "rest"]);
  });
}

test("fast steps leave no event out", () => {
  const t = theatre();
  for (let i = 0; i < 5; i++) t.sowing.step(move());
  assert.deepEqual(t.steps, ["lift", "drop", "drop", "drop", "drop"]);
  t.sowing.step(move());
  assert.equal(t.sowing.shown, null);
});

test("a step during an animation continues from there", () => {
  const t = theatre();
  t.sowing.add(move());
  t.pass(120 + 180 + 20); // the second seed is in the air
  t.sowing.step(null);
  assert.deepEqual(t.steps, ["drop"]);
  t.pass(5000);
  assert.deepEqual(t.sowing.shown.pits.slice(2, 6), [0, 5, 5, 5]);
});

test("a new move ends the stepping and is shown", () => {
  const t = theatre();
  t.sowing.step(move());
  const [a] = chain(1);
  t.sowing.add(a);
  assert.ok(!t.sowing.stepping);
  t.pass(5000);
  assert.equal(t.sowing.shown, null);
});
