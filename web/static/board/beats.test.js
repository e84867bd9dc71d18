import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, arrive, copy, expand, leave } from "../model/trace.js";
import { dots, falls, gathering, plan } from "./beats.js";

const board = (pits, stores = [0, 0]) => ({ pits, stores });
const kinds = ({ beats }) => beats.map((b) => b.kind).join(" ");
const near = (got, want) => assert.ok(Math.abs(got - want) < 1e-6, `got ${got}, want ${want}`);
const drops = ({ beats }) => beats.filter((b) => b.kind === "drop");

/** A relay with the given numbers of laps and of seeds in each, around a board of 16 pits. */
function relay(laps, seeds) {
  const events = [];
  let at = 0;
  for (let lap = 0; lap < laps; lap++) {
    events.push({ kind: "lift", slot: at % 16, n: seeds, to: null });
    for (let i = 0; i < seeds; i++) events.push({ kind: "drop", slot: ++at % 16, n: 1, to: null });
  }
  return events;
}

/** A ply of Bao with the given number of captures, each of which is sown on from the right head. */
const captures = (laps) =>
  expand(Array.from({ length: laps }, () => [["seize", 26, 2], ["sow", "8-9"]]).flat()).toSpliced(0, 0, ...relay(1, 3));

const sow = (seeds) => relay(1, seeds);
const kalahTake = expand([["lift", 0, 2], ["sow", 1, 2], ["take", 2, 1, "s0"], ["take", 9, 5, "s0"]]);
const sweep = expand([
  ["lift", 5, 1],
  ["sow", "s0"],
  ["sweep", 6, 3, "s1"],
  ["sweep", 7, 9, "s1"],
  ["sweep", 12, 1, "s1"],
]);
const layout = expand([["lay", 5, 5, 9, 9, 8, 0]]);

for (const seeds of [1, 4, 12]) {
  test(`a sow of ${seeds} takes 120 + 180 for each seed + 250 ms`, () => {
    const p = plan(sow(seeds));
    near(p.ms, 120 + 180 * seeds + 250);
    assert.deepEqual(
      p.beats.map((b) => b.at),
      [0, ...Array.from({ length: seeds }, (_, i) => 120 + 180 * i), 120 + 180 * seeds],
    );
    assert.equal(kinds(p), `lift ${"drop ".repeat(seeds)}hold`);
  });
}

test("slow takes 1.8 times as long, fast half as long", () => {
  near(plan(sow(4), { speed: "slow" }).ms, 1.8 * 1090);
  near(plan(sow(4), { speed: "fast" }).ms, 545);
});

test("instant and reduced motion take no time", () => {
  assert.deepEqual(plan(sow(4), { speed: "instant" }), { beats: [], ms: 0 });
  assert.deepEqual(plan(sow(4), { reduced: true }), { beats: [], ms: 0 });
});

for (const [speed, cap] of [["slow", 8000], ["normal", 4000], ["fast", 2000]]) {
  test(`no move takes longer than ${cap} ms at speed ${speed}`, () => {
    for (const events of [
      sow(48),
      sow(200),
      relay(64, 5),
      relay(64, 12),
      relay(900, 3),
      captures(100),
      relay(3, 120),
      [...relay(64, 5), ...sweep.slice(2)],
    ]) {
      const { ms } = plan(events, { speed });
      assert.ok(ms > 0.8 * cap && ms < cap + 1e-6, `${ms}`);
    }
  });
}

test("missed moves share the available time", () => near(plan(sow(12), { most: 500 }).ms, 500));

test("lap k takes 0.8 to the power of k - 1 of the time, at least 0.35", () => {
  const { beats } = plan(relay(7, 2), { every: true });
  const ms = (lap, kind) => beats.find((b) => b.lap === lap && b.kind === kind).ms;
  near(ms(2, "drop"), 180 * 0.8);
  near(ms(3, "drop"), 180 * 0.64);
  near(ms(3, "lift"), 120 * 0.64);
  near(ms(6, "drop"), 180 * 0.35);
  near(ms(7, "drop"), 180 * 0.35);
});

test("a long relay shrinks evenly as long as a seed has 25 ms", () => {
  const p = plan(relay(20, 4));
  near(p.ms, 4000);
  assert.equal(drops(p).length, 80);
  near(drops(p).at(-1).ms / drops(p)[0].ms, 0.35);
});

test("a relay of 64 laps shows its ends, and its middle as one", () => {
  const p = plan(relay(64, 5));
  const rush = p.beats.filter((b) => b.kind === "rush");
  assert.equal(rush.length, 6);
  near(rush.reduce((sum, b) => sum + b.ms, 0), 600);
  const shown = new Set(drops(p).map((b) => b.lap));
  assert.ok(shown.has(1) && shown.has(64));
  assert.equal(rush[0].laps, 64 - shown.size);
  near(drops(p)[0].ms, 180);
});

test("200 seeds of one pit fall several at a time, for at least 25 ms each", () => {
  const p = plan(sow(200));
  assert.ok(drops(p).every((b) => b.ms >= 25 || b === drops(p).at(-1)));
  assert.equal(drops(p).reduce((sum, b) => sum + b.to - b.from, 0), 200);
});

test("a capture is outlined, then all its pits fly to the store", () => {
  const p = plan(kalahTake);
  assert.equal(kinds(p), "lift drop drop hold mark take");
  near(p.ms, 120 + 2 * 180 + 250 + 150 + 140 + 90 + 280); // two pits, one after the other
});

test("a capture takes longer with each pit, and not with each seed", () => {
  near(plan(expand([["take", 9, 40, "s0"]])).ms, 150 + gathering(1).ms);
  assert.ok(gathering(3).ms > gathering(2).ms && gathering(3).share > gathering(2).share);
  near(gathering(40).ms, gathering(12).ms);
});

test("playing again is shown at the end", () => {
  const p = plan(expand([["lift", 5, 1], ["sow", "s0"]]), { again: true });
  assert.equal(kinds(p), "lift drop hold again");
  near(p.ms, 120 + 180 + 250 + 300);
});

test("the final sweep goes row by row", () => {
  const p = plan(sweep, { row: (slot) => Math.floor(Number(slot) / 12) });
  assert.equal(kinds(p), "lift drop hold sweep sweep");
  assert.deepEqual(p.beats.slice(3).map((b) => b.to - b.from), [2, 1]);
});

test("El-Akil's lay-out fills one pit after the other, and the board turns at once", () => {
  assert.equal(kinds(plan(layout)), "lay lay lay lay lay lay");
  near(plan(layout).ms, 6 * 40);
  assert.equal(kinds(plan(expand([["turn"]]))), "turn");
});

test("a gift is one seed that flies", () => {
  const p = plan(expand([["give", 3, 6]]));
  assert.equal(kinds(p), "give");
  near(p.ms, 300);
});

test("stepping shows every event without a time limit", () => {
  const p = plan(relay(64, 5), { every: true, speed: "instant", reduced: true });
  assert.equal(drops(p).length, 320);
  assert.equal(p.beats.filter((b) => b.kind === "rush").length, 0);
});

const moves = {
  sow: sow(200),
  relay: relay(64, 5),
  take: kalahTake,
  sweep,
  layout,
  gift: expand([["give", 3, 6]]),
  turn: expand([["turn"]]),
};
for (const [name, events] of Object.entries(moves)) {
  for (const options of [{}, { speed: "slow" }, { most: 300 }, { every: true }]) {
    test(`the beats of a ${name} lead to the board after it, ${JSON.stringify(options)}`, () => {
      const before = board([200, 1, 0, 3, 4, 1, 3, 9, 1, 5, 1, 2, 1, 0, 6, 2]);
      const now = copy(before);
      let shown = 0;
      for (const beat of plan(events, options).beats) {
        assert.equal(beat.from, shown);
        const part = events.slice(beat.from, beat.to);
        // Seeds leave before any arrive. In a rush, laps follow each other.
        if (beat.kind === "rush") Object.assign(now, apply(now, part));
        else {
          for (const e of part) leave(now, e);
          for (const e of part) arrive(now, e);
        }
        assert.deepEqual(now, apply(before, events.slice(0, beat.to)));
        shown = beat.to;
      }
      assert.equal(shown, events.length);
    });
  }
}

test("dots number the seeds, or count them where a pit gets several", () => {
  assert.deepEqual(
    [...dots(expand([["lift", 2, 4], ["sow", "3-5", "s0"]]))],
    [[3, "1"], [4, "2"], [5, "3"], ["s0", "4"]],
  );
  assert.deepEqual([...dots(expand([["lift", 0, 3], ["sow", 1, 2, 1]]))], [[1, "+2"], [2, "+1"]]);
});

test("laid-out seeds fall one after the other, and all start soon", () => {
  assert.deepEqual(falls(1), { ms: 144, gap: 20 });
  assert.deepEqual(falls(72), { ms: 144, gap: 600 / 72 });
  assert.equal(falls(4, { speed: "instant" }).ms, 0);
  assert.equal(falls(4, { reduced: true }).ms, 0);
});

test("a capture in passing interrupts the sowing, and the hand goes on", () => {
  const events = expand([
    ["lift", 0, 3],
    ["sow", 1, 2],
    ["take", 2, 4, "s0"],
    ["sow", 3],
    ["take", 5, 2, "s1"],
  ]);
  const p = plan(events);
  assert.equal(kinds(p), "lift drop drop pass drop hold mark take");
  const long = events.concat(relay(40, 12), expand([["take", 7, 4, "s1"]]), sow(5));
  for (const { kind, from, to } of plan(long).beats)
    if (kind !== "rush") assert.equal(new Set(long.slice(from, to).map((e) => e.kind)).size, from < to ? 1 : 0);
});

test("captured seeds of two pits begin one lap", () => {
  const events = expand([
    ["lift", 0, 2],
    ["sow", 1, 2],
    ["seize", 9, 2],
    ["seize", 14, 1],
    ["sow", 3, 4, 5],
  ]);
  const p = plan(events);
  assert.equal(kinds(p), "lift drop drop lift lift drop drop drop hold");
  assert.equal(Math.max(...p.beats.map((b) => b.lap)), 2);
});

test("a claim is shown after its capture, and a seed in a claimed pit in passing", () => {
  const events = expand([
    ["lift", 0, 3],
    ["sow", 0, 1],
    ["take", 1, 1, "s1"],
    ["sow", 2],
    ["take", 2, 3, "s0"],
    ["claim", 2],
  ]);
  assert.equal(kinds(plan(events)), "lift drop drop pass drop hold mark take claim");
});

test("an entry, an emptied house and a block are shown one after the other", () => {
  const events = expand([
    ["enter", "s0", 2],
    ["lift", 2, 3],
    ["unhouse", 2],
    ["sow", "3-5"],
    ["lift", 5, 2],
    ["sow", 6, 7],
    ["block", 9],
  ]);
  const p = plan(events);
  assert.equal(kinds(p), "enter lift unhouse drop drop drop lift drop drop hold block");
  assert.deepEqual(p.beats.map((b) => b.lap), [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
});

test("a capture by the seed entered that ends the game is shown", () => {
  const events = expand([["enter", "s0", 2], ["seize", 9, 4], ["unhouse", 9], ["sweep", null, 4, "s0"]]);
  assert.equal(kinds(plan(events)), "enter hold mark take unhouse");
});
