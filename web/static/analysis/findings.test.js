import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { translator } from "../lib/text.js";
import { bestLine, judge, puzzles, moveVerdict, worthsOfPits } from "./findings.js";

const all = JSON.parse(readFileSync(new URL("../../messages/en.json", import.meta.url), "utf8"));
const t = translator(
  Object.fromEntries(
    Object.entries(all).flatMap(([key, text]) => (key.startsWith("analysis.") ? [[key.slice(9), text]] : [])),
  ),
  "en",
);
const short = (move) => String(move.charCodeAt(0) - 96);

const blunder = {
  seat: 0,
  value: 6,
  exact: true,
  move: "d",
  played: 0,
  loss: 6,
  sure: true,
  label: "blunder",
  best: ["b", "a", "c"],
  moves: [{ move: "b", value: 6 }, { move: "a", value: 5.6 }, { move: "d", value: 0 }],
};
const guess = { ...blunder, exact: false, sure: false, loss: 0.7, label: "inaccuracy", seat: 1, value: -2.2 };
const fine = { seat: 1, value: 1, exact: true, move: "a", played: 1, loss: 0, sure: true, label: "fine", best: ["a"] };
const forced = { seat: 1, value: 1, exact: true, move: "a", played: 1, loss: 0, sure: false };

test("a move is told in one sentence", () => {
  assert.equal(moveVerdict(t, 11, "Ada", short, blunder), "Move 11, Ada 4. Cost 6 seeds. Better: 2.");
  assert.equal(moveVerdict(t, 12, "Ben", short, guess), "Move 12, Ben 4. Cost about 1 seed. Better: 2.");
  assert.equal(moveVerdict(t, 12, "Ben", short, fine), "Move 12, Ben 1. Fine.");
  assert.equal(moveVerdict(t, 12, "Ben", short, forced), "Move 12, Ben 1. The only move.");
});

test("the best line is told in one sentence", () => {
  assert.equal(bestLine(t, short, blunder), "Best: 2, +6 seeds in 3 moves; solved.");
  assert.equal(bestLine(t, short, guess), "Best: 2, about \u22122 seeds in 3 moves.");
  assert.equal(bestLine(t, short, forced), "");
});

test("mistakes become puzzles, and a nearly best move solves one", () => {
  const findings = { plies: [blunder, fine, guess, forced] };
  assert.deepEqual(puzzles(findings, () => true).map((p) => p.at), [0, 2]);
  assert.deepEqual(puzzles(findings, (seat) => seat === 1).map((p) => p.at), [2]);
  const [puzzle] = puzzles(findings, () => true);
  assert.deepEqual(judge(puzzle, "b"), { found: true, cost: 0 });
  assert.deepEqual(judge(puzzle, "a"), { found: true, cost: 0 });
  assert.deepEqual(judge(puzzle, "d"), { found: false, cost: 6 });
  assert.equal(judge(puzzle, "f"), null);
});

test("each pit is told the worth of its best move, and the best pit is named", () => {
  const shape = { sides: 2, rows: 1, pits: 6, stores: 1 };
  assert.deepEqual(Object.fromEntries(worthsOfPits(shape, blunder)), {
    0: { text: "+6", best: false },
    1: { text: "+6", best: true },
    3: { text: "0", best: false },
  });
  assert.deepEqual(Object.fromEntries(worthsOfPits(shape, fine)), { 6: { text: "+1", best: true } });
  const ways = { ...guess, best: ["b>"], moves: [{ move: "b<", value: -4 }, { move: "b>", value: -2.2 }] };
  assert.deepEqual(Object.fromEntries(worthsOfPits(shape, ways)), { 7: { text: "\u22122", best: true } });
  assert.equal(worthsOfPits(shape, { ...forced, best: undefined }).size, 0);
});
