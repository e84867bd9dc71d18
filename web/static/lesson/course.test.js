import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../model/state.js";
import { Course } from "./course.js";

const shape = { sides: 2, partners: 1, pits: 2, rows: 1, cols: 2, stores: true, sow: "ccw", made: "maple" };
const steps = [
  {
    kind: "again",
    right: ["b"],
    said: { a: "Pit 1 is sown. Try again.", b: "Yes." },
    refused: {},
    ply: 3,
    pits: [1, 1, 0, 2],
    stores: [5, 0],
    legal: [
      { m: "a", trace: [["lift", 0, 1], ["sow", 1]] },
      { m: "b", trace: [["lift", 1, 1], ["sow", "s0"]], again: true },
    ],
  },
  { kind: "end", right: ["a"], said: {}, refused: {}, ply: 9, pits: [1, 0, 0, 0], stores: [5, 3], legal: [] },
];
const snap = { state: "live", shape: [2, 1, 2], canonical: "", turn: 0, ply: 3, pits: [], stores: [] };
const frame = { as: 0, snap };
const course = () => new Course(open(frame, 0), steps);

test("a step begins with all its moves and no verdict", () => {
  const c = course();
  assert.deepEqual([...c.choices(shape)], [[0, ["a"]], [1, ["b"]]]);
  assert.equal(c.verdict, "");
  assert.deepEqual(c.now().snap.pits, [1, 1, 0, 2]);
});

test("a wrong move is shown, and the step is not solved", () => {
  const c = course();
  c.play("a");
  assert.equal(c.solved, false);
  assert.equal(c.verdict, "Pit 1 is sown. Try again.");
  assert.deepEqual(c.now().snap.pits, [0, 2, 0, 2]);
  assert.equal(c.now().snap.turn, 1);
  assert.equal(c.choices(shape).size, 0);
});

test("a right move solves the step, and the turn stays where the move says so", () => {
  const c = course();
  c.play("b");
  assert.equal(c.solved, true);
  assert.deepEqual(c.now().snap.stores, [6, 0]);
  assert.equal(c.now().snap.turn, 0);
});

test("a move without a verdict gets it from the server", () => {
  const c = course();
  c.go(1);
  c.step.legal = steps[0].legal;
  c.play("b");
  assert.equal(c.verdict, "");
  c.learn("b", { said: "Yes.", right: ["b"] });
  assert.equal(c.verdict, "Yes.");
  assert.equal(c.solved, true);
});

test("going to a step shows it from its start, and stays within the lesson", () => {
  const c = course();
  c.play("b");
  c.go(7);
  assert.equal(c.step.kind, "end");
  assert.equal(c.made, null);
  c.go(-1);
  assert.equal(c.step.kind, "again");
});

test("a move that solves the step is known before a move, and of a puzzle only once the server has told it", () => {
  const c = course();
  assert.equal(c.hint, "b");
  c.play("a");
  assert.equal(c.hint, null);
  const puzzle = new Course(open(frame, 0), [{ ...steps[0], said: {}, right: [] }]);
  assert.equal(puzzle.hint, null);
  puzzle.play("a");
  puzzle.learn("a", { said: "No.", right: ["b"] });
  puzzle.go(0);
  assert.equal(puzzle.hint, "b");
});
