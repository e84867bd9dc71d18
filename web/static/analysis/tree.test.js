import assert from "node:assert/strict";
import { test } from "node:test";
import { add, sibling, branchPoint, treeOf, mainAt, next, path, turnOf, turnTo, variations } from "./tree.js";

const made = (seat, move, position) => ({ seat, move, trace: [], pits: [seat], stores: [0, 0], position });
const game = () =>
  treeOf(
    { first: { pits: [4], stores: [0, 0] }, plies: [made(0, "c"), made(0, "e"), made(1, "b")] },
    { start: "4 0 S play 0 0", positions: ["4 0 S play 0 1", "4 0 N play 0 2", "4 0 S over 0 3"] },
    2,
  );

test("a position says which seat is on turn", () => {
  assert.deepEqual(turnOf("4 0 N swap 0 1", 2), { turn: 1, phase: "swap" });
  assert.deepEqual(turnOf("4 0 W play 0 1", 4), { turn: 3, phase: "play" });
  assert.deepEqual(turnOf("4 0 N2 play 0 1", 2), { turn: 3, phase: "play" });
});

test("the game is the first line of the tree, up to its last move", () => {
  const first = game();
  assert.deepEqual(
    path(mainAt(first, 3)).map((n) => [n.at, n.made?.move, n.turn, n.phase]),
    [[0, undefined, 0, "play"], [1, "c", 0, "play"], [2, "e", 1, "play"], [3, "b", 0, "over"]],
  );
  assert.equal(mainAt(first, 9).at, 3);
  assert.equal(next(mainAt(first, 3)), null);
  assert.deepEqual(variations(path(mainAt(first, 9))), []);
});

test("a node has the number of its turn, in the game and beside it", () => {
  const first = game();
  assert.deepEqual([0, 1, 2, 3].map((at) => turnTo(mainAt(first, at))), [0, 1, 1, 2]);
  const tried = add(mainAt(first, 2), made(1, "a", "4 0 S play 0 3"), 2);
  assert.deepEqual([tried, add(tried, made(0, "c", "4 0 N play 0 4"), 2)].map(turnTo), [2, 3]);
});

test("a variation branches off the game", () => {
  const first = game();
  const one = mainAt(first, 1);
  const other = add(one, made(0, "f", "x 0 N play 0 2"), 2);
  const on = add(other, made(1, "a", "x 0 S play 0 3"), 2);
  assert.equal(add(one, made(0, "f", "x"), 2), other, "the same move is the same node");
  assert.equal(add(one, made(0, "e", "x"), 2).main, true, "the move of the game is the game");
  assert.equal(branchPoint(on), one);
  assert.deepEqual(variations(path(mainAt(first, 9))), [{ from: one, line: [other, on], others: [] }]);
  assert.equal(next(one), mainAt(first, 2));
  assert.equal(sibling(other, 1), mainAt(first, 2));
  assert.equal(sibling(mainAt(first, 2), -1), other);
  assert.equal(sibling(mainAt(first, 1), 1), null);
});

test("a variation of a variation belongs to it", () => {
  const first = game();
  const one = add(first, made(0, "f", "x 0 S play 0 2"), 2);
  const two = add(one, made(1, "a", "x 0 S play 0 2"), 2);
  const three = add(two, made(0, "b", "x 0 S play 0 2"), 2);
  const instead = add(one, made(1, "d", "x 0 S play 0 2"), 2);
  const on = add(instead, made(0, "e", "x 0 S play 0 2"), 2);
  const again = add(instead, made(0, "c", "x 0 S play 0 2"), 2);
  const late = add(mainAt(first, 3), made(1, "a", "x 0 S play 0 2"), 2);
  assert.deepEqual(variations(path(mainAt(first, 9))), [
    {
      from: first,
      line: [one, two, three],
      others: [{ from: one, line: [instead, on], others: [{ from: instead, line: [again], others: [] }] }],
    },
    { from: mainAt(first, 3), line: [late], others: [] },
  ]);
});
