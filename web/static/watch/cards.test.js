// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { changes, resultTime, needsGames } from "./cards.js";

const never = () => false;

test("a finished game is replaced in its place after a while", () => {
  const cards = [{ room: "a" }, { room: "b", over: 1000 }, { room: "c" }];
  assert.deepEqual(changes(cards, ["a", "c", "d", "e"], 3, 1000 + resultTime - 1, never), { replace: [], add: [] });
  assert.deepEqual(changes(cards, ["a", "c", "d", "e"], 3, 1000 + resultTime, never), {
    replace: [{ at: 1, room: "d" }],
    add: [],
  });
});

test("a held card stays, and another finished one is replaced", () => {
  const cards = [{ room: "a", over: 0 }, { room: "b", over: 0 }];
  assert.deepEqual(
    changes(cards, ["c"], 2, resultTime, (card) => card.room === "a"),
    { replace: [{ at: 1, room: "c" }], add: [] },
  );
});

test("without another game a finished one stays", () => {
  assert.deepEqual(changes([{ room: "a", over: 0 }], [], 1, 10 * resultTime, never), { replace: [], add: [] });
});

test("new games are appended as long as they fit", () => {
  assert.deepEqual(changes([{ room: "a" }], ["b", "a", "c", "d"], 3, 0, never), { replace: [], add: ["b", "c"] });
});

test("no game is shown twice", () => {
  const cards = [{ room: "a", over: 0 }, { room: "b" }];
  assert.deepEqual(changes(cards, ["b", "c"], 3, resultTime, never), { replace: [{ at: 0, room: "c" }], add: [] });
});

test("a full page of live games needs no others", () => {
  assert.equal(needsGames([{ room: "a" }, { room: "b" }], 2, 0), false);
  assert.equal(needsGames([{ room: "a" }], 2, 0), true);
  assert.equal(needsGames([{ room: "a", over: 0 }, { room: "b" }], 2, resultTime), true);
});
