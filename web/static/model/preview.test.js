import assert from "node:assert/strict";
import { test } from "node:test";
import { answers, bubble } from "../speech/answers.js";
import { speaker } from "../speech/words.js";
import { english as t, game, kalah } from "./fixture.test.js";
import { preview } from "./preview.js";

/** Returns what is shown and said of a move before it is made. */
function foreseen(legal, snap, pit) {
  const g = game(snap);
  const p = preview(legal, g.snap);
  return { p, bubble: bubble(t, p), said: answers(g, speaker(t, g)).previewText(pit, p) };
}

test("a preview tells that the last seed falls into the store", () => {
  const { p, bubble, said } = foreseen({ m: "c", trace: [["lift", 2, 4], ["sow", "3-5", "s0"]], again: true }, {}, 2);
  assert.deepEqual([...p.lands], [[3, 1], [4, 1], [5, 1], ["s0", 1]]);
  assert.equal(p.last, "s0");
  assert.equal(bubble, "again");
  assert.equal(said, "Pit 3 ends in your store. You play again.");
});

test("a preview tells a capture from the opposite pit", () => {
  const pits = [0, 0, 0, 0, 9, 0, 1, 4, 1, 1, 1, 1];
  const { bubble, said } = foreseen(
    { m: "e", trace: [["lift", 4, 9], ["sow", 5, "s0", "6-11", 1], ["take", 1, 1, "s0"], ["take", 10, 4, "s0"]] },
    { pits },
    4,
  );
  assert.equal(bubble, "takes 5");
  assert.equal(said, "Pit 5 ends in your empty pit 2 and takes 4 from Ben's pit 5.");
});

test("a preview tells the laps of a relay", () => {
  const pits = [0, 3, 0, 1, 2, 0, 0, 4, 4, 4, 4, 4];
  const { p, bubble, said } = foreseen(
    {
      m: "b",
      trace: [["lift", 1, 3], ["sow", "2-4"], ["lift", 4, 3], ["sow", "5-7"], ["lift", 7, 5], ["sow", "8-11", 0]],
    },
    { pits },
    1,
  );
  assert.equal(p.lands.get(4), 1);
  assert.equal(bubble, "3 laps");
  assert.equal(said, "Pit 2 runs 3 laps and ends in an empty pit.");
});

test("a pit that gets two seeds shows both", () => {
  const { p } = foreseen({ m: "a", trace: [["lift", 0, 13], ["sow", "1-11", 0, 1]] }, {}, 0);
  assert.equal(p.lands.get(1), 2);
});

test("a preview tells a direction, the end, a gift and a very long relay", () => {
  assert.equal(
    foreseen({ m: "c<", trace: [["lift", 2, 2], ["sow", 1, 0]] }, {}, 2).said,
    "Pit 3 to the left ends in your pit 1.",
  );
  assert.equal(
    foreseen({ m: "f", trace: [["lift", 5, 1], ["sow", "s0"], ["sweep", 6, 4, "s1"]], end: true }, {}, 5).said,
    "Pit 6 ends in your store. The game ends.",
  );
  assert.equal(foreseen({ m: "+d", trace: [["give", 3, 6]] }, {}, 3).said, "Pit 4 gives a seed to Ben's pit 1.");
  const long = foreseen({ m: "c", sum: { laps: 64, sown: 310, last: 11, took: 6 } }, {}, 2);
  assert.equal(long.bubble, "64 laps, takes 6");
  assert.equal(long.said, "Pit 3 runs 64 laps, ends in Ben's pit 6 and takes 6.");
});

const asked = (snap, as = 0, you = null) => {
  const g = game(snap, { as, you });
  return answers(g, speaker(t, g));
};

test("the whole board is told from the listener's side", () => {
  const pits = [0, 5, 5, 14, 1, 3, 0, 5, 5, 14, 1, 3];
  const snap = { pits, stores: [13, 10] };
  assert.equal(
    asked(snap).boardText(snap),
    "Your row, left to right: 0, 5, 5, 14, 1, 3. Your store 13. " +
      "Ben's row, from Ben's left: 0, 5, 5, 14, 1, 3. Their store 10.",
  );
  assert.match(asked(snap, -1).boardText(snap), /^Ada's row, from Ada's left: .* Ben's row/);
  const maruba = {
    canonical: "rows=2 pits=8",
    shape: [2, 1, 16],
    pits: Array.from({ length: 32 }, (_, i) => i),
    stores: [0, 0],
  };
  const said = asked(maruba).boardText(maruba);
  const rows = [
    "Your outer row, left to right: 0, 1, 2, 3, 4, 5, 6, 7.",
    "Your inner row, left to right: 15, 14, 13, 12, 11, 10, 9, 8.",
  ];
  assert.ok(said.startsWith(`${rows.join(" ")} Your store 0. Ben's outer row`), said);
});

test("score and clocks begin with the listener's", () => {
  assert.equal(asked({ stores: [13, 10] }).score(), "Score 13 to 10.");
  assert.equal(asked({ stores: [13, 10] }, 1).score(), "Score 10 to 13.");
  assert.equal(
    asked({ stores: [13, 10], target: 60, gains: [4, 20] }).score(),
    "Score 13 to 10. In the match 4 to 20 of 60.",
  );
  const four = { shape: [4, 1, 5], pits: Array(20).fill(4), stores: [1, 2, 3, 4], seats: ["a", "b", "c", "d"] };
  assert.equal(asked(four, 1).score(), "You 2, Cleo 3, Dan 4, Ada 1.");
  const clocked = { clockText: "5+3", clock: [298_000, 272_000], run: 0 };
  assert.equal(asked(clocked).clocks(0), "You 4 minutes 58, Ben 4 minutes 32.");
  assert.equal(asked({ ...clocked, clock: [60_000, 9_500] }).clocks(0), "You 1 minute 0, Ben 10 seconds.");
  assert.equal(asked({}).clocks(0), "There is no clock.");
});

test("the playable pits are listed", () => {
  assert.equal(asked({}, 0, { legal: [{ m: "a" }, { m: "c>" }, { m: "f" }] }).playable(), "You can play 1, 3> or 6.");
  assert.equal(asked({ turn: 1 }).playable(), "Ben's turn.");
});

test("missed moves are told in one sentence", () => {
  assert.equal(asked({}).missed([{ seat: 1, move: "b" }]), "Ben played 2 meanwhile.");
  assert.equal(
    asked({}).missed([{ seat: 0, move: "c" }, { seat: 0, move: "a" }, { seat: 1, move: "b" }]),
    "You played 3 and 1 and Ben played 2 meanwhile.",
  );
});

test("a preview tells of an entry, of a house and of a block", () => {
  const bao = { shape: [2, 1, 16], canonical: "rows=2 reserve=22", pits: Array(32).fill(2), stores: [9, 9] };
  const trace = [["enter", "s0", 11], ["lift", 11, 3], ["unhouse", 11], ["sow", "12-14"], ["block", 28]];
  const p = preview({ m: "l>", trace }, bao);
  assert.deepEqual([...p.lands], [[11, 1], [12, 1], [13, 1], [14, 1]]);
  assert.deepEqual([p.last, p.laps, p.unhouses, p.blocks], [14, 1, true, true]);
  assert.equal(
    asked(bao).previewText(11, p),
    "Pit 12 to the left ends in your pit 15, empties a house and blocks a pit.",
  );
  assert.equal(bubble(t, p), "blocks a pit");
});

test("seeds in hand, houses and blocked pits are part of the told board", () => {
  const pits = Array(32).fill(1);
  const marks = { 11: "h", 28: "!" };
  const bao = { shape: [2, 1, 16], canonical: "rows=2 pits=8 reserve=22", pits, stores: [22, 21], marks };
  const told = asked(bao).boardText(bao);
  const parts = ["1, 1, 1, 1, 1 house, 1, 1, 1. You have 22 seeds in hand.", "1 blocked", "Ben has 21 seeds in hand."];
  for (const part of parts)
    assert.ok(told.includes(part), told);
  assert.equal(asked(bao).score(), "In hand 22 to 21.");
});
