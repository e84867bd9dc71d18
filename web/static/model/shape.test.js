import assert from "node:assert/strict";
import { test } from "node:test";
import { facing, going, heading, numberOf, ownerOf, pitOf, rowsOf, shapeOf, wayOf } from "./shape.js";

const kalah = shapeOf({ shape: [2, 1, 6], canonical: "store=true capture=cross" });
const maruba = shapeOf({ shape: [2, 1, 16], canonical: "rows=2 pits=8" });
const four = shapeOf({ shape: [4, 1, 6], canonical: "sides=4 store=true" });

test("with two rows, each row runs from its owner's left to right", () => {
  assert.deepEqual(rowsOf(kalah, 0).map((r) => r.pits), [[11, 10, 9, 8, 7, 6], [0, 1, 2, 3, 4, 5]]);
  assert.deepEqual(rowsOf(kalah, 1).map((r) => r.pits), [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11]]);
});

test("with four rows, opposite pits are above each other (RULES.md §1)", () => {
  const [, inner, mine] = rowsOf(maruba, 0).map((r) => r.pits);
  const n = maruba.cols;
  mine.forEach((pit, column) => {
    assert.equal(inner[column], 16 + 3 * n - 1 - pit, `inner pit ${pit} faces 3n-1-i`);
  });
  assert.deepEqual(rowsOf(maruba, 0)[3].pits, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(rowsOf(maruba, 0)[0].pits, [23, 22, 21, 20, 19, 18, 17, 16]);
});

test("only the outer rows have stores", () => {
  assert.deepEqual(rowsOf(maruba, 1).map((r) => r.store), [true, false, false, true]);
});

test("the edges of a ring follow the turn order", () => {
  assert.deepEqual(
    rowsOf(four, 1).map((r) => [r.place, r.side]),
    [["left", 0], ["top", 3], ["right", 2], ["bottom", 1]],
  );
});

test("facing returns the opposite pit", () => {
  for (let pit = 0; pit < 12; pit++) assert.equal(facing(kalah, pit), 11 - pit);
  assert.equal(facing(four, 0), 17); // South's a and North's f
});

test("a move names a pit of the player who moves", () => {
  assert.equal(pitOf(kalah, 1, "c"), 8);
  assert.equal(pitOf(kalah, 0, "c>"), 2);
  assert.equal(pitOf(kalah, 0, "+d"), 3);
  for (const none of ["-", "keep", "swap", "=1.2/3.4"]) assert.equal(pitOf(kalah, 0, none), null);
  assert.equal(numberOf(kalah, 8), 3);
  assert.equal(ownerOf(kalah, 8), 1);
});

test("shape and options decide what a board is made of", () => {
  const made = (sides, canonical) => shapeOf({ shape: [sides, 1, 6], canonical }).made;
  assert.equal(made(2, "store=true"), "maple");
  assert.equal(made(2, "feed=must"), "boat");
  assert.equal(made(2, "rows=2 pits=8 store=true"), "sand");
  assert.equal(made(2, "rows=2 pits=8 direction=choice"), "plank");
  assert.equal(made(2, "rows=2 pits=8 backward=2"), "plank");
  assert.equal(made(4, "sides=4 store=true"), "clay");
  assert.equal(made(2, "opening=free total=72"), "stone");
  assert.equal(made(2, "opening=paired total=72 store=true"), "stone");
});

test("an inner row runs back, so its directions are the other way round for the player", () => {
  const rows = shapeOf({ shape: [2, 1, 16], canonical: "rows=2 pits=8 direction=choice" });
  const headings = [heading(rows, 3, "d>"), heading(rows, 11, "l>"), heading(rows, 27, "l<")];
  assert.deepEqual(headings, ["right", "left", "right"]);
  assert.equal(heading(rows, 3, "d"), "");
  const row = shapeOf({ shape: [2, 1, 6], canonical: "direction=choice" });
  assert.equal(heading(row, 5, "f>"), "right");
});

test("a second sign of a move sows the house on, and the other moves of its pit do not", () => {
  assert.equal(pitOf(kalah, 1, "c>*"), 8);
  assert.deepEqual([wayOf("c>*"), wayOf("c<"), wayOf("c*"), wayOf("c"), wayOf("keep")], [">*", "<", "*", "", ""]);
  const moves = ["l<", "l<*", "l>"];
  assert.deepEqual(["<", "<*", ">", ">*"].map((way) => going(moves, way)), ["l<", "l<*", "l>", undefined]);
  assert.deepEqual(["<", ">", "<*"].map((way) => going(["a<", "a"], way)), ["a<", "a", undefined]);
  const rows = shapeOf({ shape: [2, 1, 16], canonical: "rows=2 pits=8" });
  assert.deepEqual([heading(rows, 11, "l>*"), heading(rows, 11, "l*")], ["left", ""]);
});
