import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checksum, fold, open, ownOf, seatOf } from "./state.js";

const first = () => ({
  t: "snap",
  room: "k3v9qa2mx1",
  seq: 4,
  now: 10_400,
  as: 0,
  me: "p1",
  names: { p1: "Ada", p2: "Ben" },
  you: { legal: [{ m: "c" }] },
  snap: {
    state: "live",
    creator: "p1",
    rules: "kalah",
    options: "",
    title: "Kalah",
    canonical: "store=true capture=cross again=store end=side-empty",
    shape: [2, 1, 6],
    pits: Array(12).fill(4),
    stores: [0, 0],
    phase: "play",
    turn: 0,
    ply: 0,
    sum: checksum({ shape: [2, 1, 6], pits: Array(12).fill(4), stores: [0, 0] }),
    clockText: "5+3",
    clock: [300_000, 300_000],
    run: 0,
    due: 0,
    start: "random",
    forOthers: false,
    sitters: ["p1", "p2"],
    seats: ["p1", "p2"],
    moves: [],
    offers: [],
    round: 1,
    gains: [0, 0],
    target: 0,
  },
});
const after = { shape: [2, 1, 6], pits: [4, 4, 0, 5, 5, 5, 4, 4, 4, 4, 4, 4], stores: [1, 0] };
const moved = (more = {}) => ({
  t: "ev",
  room: "k3v9qa2mx1",
  seq: 5,
  ev: {
    k: "move",
    at: 11_000,
    seat: 0,
    move: "c",
    ply: 1,
    trace: [["lift", 2, 4], ["sow", "3-5", "s0"]],
    turn: 0,
    sum: checksum(after),
    clock: [299_000, 300_000],
    run: 0,
    ...more,
  },
});

test("the checksum is FNV-1a of the text of pits and stores", () => {
  // The published value of FNV-1a (32 bit) for "a" is e40c292c. Ours hashes texts like "a/…", so
  // one is computed by hand.
  let hash = 0x811c9dc5;
  for (const c of "1,2/3,4 5/6") hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193) >>> 0;
  assert.equal(checksum({ shape: [2, 1, 2], pits: [1, 2, 3, 4], stores: [5, 6] }), hash.toString(16).padStart(8, "0"));
});

test("the checksum has the marks of pits", () => {
  const board = { shape: [2, 1, 2], pits: [0, 2, 0, 4], stores: [5, 6] };
  const marked = checksum({ ...board, marks: { 2: "x", 1: "h!" } });
  let hash = 0x811c9dc5;
  for (const c of "0,2h!/x,4 5/6") hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193) >>> 0;
  assert.equal(marked, hash.toString(16).padStart(8, "0"));
});

test("a move changes the board, the clocks and the list, and clears the legal moves", () => {
  const game = open(first(), 10_000);
  assert.equal(game.ahead, 400);
  const { game: next, resync, news } = fold(game, moved(), 10_600);
  assert.equal(resync, undefined);
  assert.equal(news, "move");
  assert.deepEqual(next.snap.pits, after.pits);
  assert.deepEqual([next.seq, next.snap.ply, next.snap.moves, next.you], [5, 1, ["c"], null]);
  assert.deepEqual(game.snap.pits, Array(12).fill(4), "the old state is untouched");
});

test("stopped clocks stay stopped until the next sync or snapshot", () => {
  const wrong = { ...open(first(), 10_000), outage: true };
  assert.equal(fold(wrong, moved(), 21_000).game.outage, true);
  assert.equal(fold(wrong, { t: "sync", room: "k3v9qa2mx1", seq: 4 }, 22_000).game.outage, false);
  assert.ok(!fold(wrong, first(), 22_000).game.outage);
});

test("a sync with the checksum of another board asks for a snapshot", () => {
  const game = open(first(), 0);
  const sync = (/** @type {string} */ sum) => ({ t: "sync", room: game.room, seq: 4, sum });
  assert.equal(fold(game, sync("00000000"), 0).resync, true);
  assert.equal(fold(game, sync(game.snap.sum), 0).resync, undefined);
  const before = { t: "sync", room: game.room, seq: 4 }; // of a server of the release before
  assert.equal(fold(game, before, 0).resync, undefined);
});

test("a repeated frame changes nothing", () => {
  const { game } = fold(open(first(), 0), moved(), 0);
  assert.equal(fold(game, moved(), 0).game, game);
});

for (const [name, frame] of [
  ["a number that was skipped", { ...moved(), seq: 6 }],
  ["a wrong checksum", moved({ sum: "00000000" })],
  ["a move for another ply", moved({ ply: 2 })],
  ["a trace that takes what is not there", moved({ trace: [["lift", 2, 9], ["sow", "3-5", "s0"]] })],
  ["a trace of another version", moved({ trace: [["jump", 2]] })],
]) {
  test(`${name} asks for a snapshot and leaves the board as it was`, () => {
    const game = open(first(), 0);
    const folded = fold(game, frame, 0);
    assert.equal(folded.resync, true);
    assert.equal(folded.game, game);
  });
}

test("other entries set fields, null removes them, and the legal moves stay", () => {
  const game = open(first(), 0);
  const { game: offered } = fold(
    game,
    {
      t: "ev",
      room: game.room,
      seq: 5,
      ev: {
        k: "offer",
        seat: 1,
        what: "draw",
        set: { offers: [{ what: "draw", seat: 1 }], countdown: { seat: 1, until: 5 } },
      },
    },
    0,
  );
  assert.deepEqual(offered.snap.offers, [{ what: "draw", seat: 1 }]);
  assert.deepEqual(offered.you, { legal: [{ m: "c" }] });
  const { game: again } = fold(
    offered,
    { t: "ev", room: game.room, seq: 6, ev: { k: "decline", seat: 0, set: { offers: [], countdown: null } } },
    0,
  );
  assert.equal("countdown" in again.snap, false);
});

test("an entry that this viewer may not see is a number only", () => {
  assert.equal(fold(open(first(), 0), { t: "ev", room: "k3v9qa2mx1", seq: 5 }, 0).game.seq, 5);
});

test("a sync that ends elsewhere asks for a snapshot", () => {
  const game = open(first(), 0);
  assert.equal(fold(game, { t: "sync", seq: 9, as: 0, now: 0 }, 0).resync, true);
  assert.deepEqual(fold(game, { t: "sync", seq: 4, as: 0, now: 5, you: { legal: [] } }, 0).game.you, { legal: [] });
});

test("every server frame of the protocol's examples can be folded", () => {
  const text = readFileSync(new URL("../../PROTOCOL.md", import.meta.url), "utf8");
  const frames = [...text.matchAll(/```json server\n([\s\S]*?)```/g)].flatMap((m) =>
    m[1]
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  assert.ok(frames.length > 5);
  const game = open(first(), 0);
  for (const frame of frames) assert.ok(fold(game, frame, 0).game);
});

test("the legal moves that a watcher is told hold until the position changes", () => {
  const legal = { t: "legal", room: "k3v9qa2mx1", seq: 4, legal: [{ m: "c" }] };
  const { game } = fold(open({ ...first(), as: -1, you: null }, 10_000), legal, 10_500);
  assert.deepEqual(game.seen, { seq: 4, legal: [{ m: "c" }] });
  assert.deepEqual(
    fold(game, { t: "ev", seq: 5, ev: { k: "offer", set: { offers: [] } } }, 10_600).game.seen,
    game.seen,
  );
  assert.equal(fold(game, moved(), 10_600).game.seen, null);
});

test("an answer that is ahead of its move is kept", () => {
  const legal = { t: "legal", room: "k3v9qa2mx1", seq: 5, legal: [{ m: "a" }] };
  const { game } = fold(open({ ...first(), as: -1, you: null }, 10_000), legal, 10_500);
  assert.deepEqual(fold(game, moved(), 10_600).game.seen?.legal, [{ m: "a" }]);
});

test("a viewer at whose screen the other player sits acts for the seat on turn, and nobody else does", () => {
  const at = (me, turn) => {
    const frame = first();
    return open({ ...frame, me, snap: { ...frame.snap, seats: ["pada", "qada.ben"], turn } }, 10_000);
  };
  const south = at("pada", 0);
  assert.deepEqual([south.as, ownOf(south), seatOf(south)], [0, -1, {}]);
  const north = at("pada", 1);
  assert.deepEqual([north.as, ownOf(north), seatOf(north)], [1, -1, { as: 1 }]);
  assert.deepEqual(fold(north, { t: "as", as: 0 }, 10_000).game.as, 1);
  for (const other of ["pben", "pad", "", "qada.ben"]) {
    const watching = at(other, 1);
    assert.deepEqual([watching.as, ownOf(watching), seatOf(watching)], [0, 0, {}]);
  }
});
