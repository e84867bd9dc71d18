import assert from "node:assert/strict";
import { test } from "node:test";
import { follow, gameOf, hostsResult, newsOf, stopped, until } from "./follow.js";

const way = (more = {}) => ({
  room: "cup1", seq: 7, ahead: 0, mine: 2, players: 9, waves: false, stage: "running", due: 0, ends: 0, round: 1,
  ...more,
});
const at = (/** @type {string} */ room, n = 1) => ({ n, first: 2, second: 3, games: [{ room, opened: true }] });
const entry = (/** @type {object} */ change, seq = 8) =>
  ({ t: "ev", room: "cup1", seq, ev: { k: "x", at: 1, change } });
const board = (more = {}) => ({ n: 1, first: 1, second: 2, games: [{ room: "r1", opened: true }], ...more });

test("a game that opens is the player's, until it is over", () => {
  const open = follow(way(), entry({ round: 1, boards: [board()] }), 0);
  assert.equal(gameOf(open), "r1");
  const over = follow(open, entry({ round: 1, boards: [board({ result: "first" })] }, 9), 0);
  assert.equal(gameOf(over), "");
});

test("a game that is named as open is the player's", () => {
  const opened = (/** @type {number} */ round, /** @type {number[]} */ boards) =>
    ({ t: "ev", room: "cup1", seq: 8, ev: { k: "done", at: 1, opened: { round, boards } } });
  const waits = way({ own: board({ games: [{ room: "r1" }] }) });
  const next = follow(waits, opened(1, [3, 1]), 0);
  assert.deepEqual([gameOf(next), next.seq], ["r1", 8]);
  for (const other of [opened(1, [2]), opened(2, [1])]) {
    const same = follow(waits, other, 0);
    assert.deepEqual([gameOf(same), same.seq], ["", 8]);
  }
  assert.equal(gameOf(follow(way(), opened(1, [1]), 0)), "", "a person who does not play");
});

test("boards of others change nothing but the number", () => {
  const other = board({ n: 2, first: 3, second: 4 });
  const next = follow(way({ own: at("r1") }), entry({ round: 1, boards: [other] }), 0);
  assert.deepEqual(next, way({ own: at("r1"), seq: 8 }));
});

test("a new round begins without a game", () => {
  const boards = [board({ games: [{ room: "r2" }] })];
  const next = follow(way({ own: at("r1"), due: 9 }), entry({ round: 2, boards, due: 0 }), 0);
  assert.deepEqual([next.round, next.own?.n, gameOf(next), next.due], [2, 1, "", 0]);
});

test("the second game of a mini-match is the player's as well", () => {
  const games = [{ room: "r1", opened: true, result: "draw" }, { room: "r2", opened: true, swapped: true }];
  assert.equal(gameOf(follow(way({ own: at("r1") }), entry({ round: 1, boards: [board({ games })] }), 0)), "r2");
});

test("a correction of an earlier round or board changes nothing", () => {
  const now = way({ round: 2, own: at("r9", 3) });
  assert.equal(gameOf(follow(now, entry({ round: 1, boards: [board({ result: "draw" })] }), 0)), "r9");
  assert.equal(gameOf(follow(now, entry({ round: 2, boards: [board({ n: 1, result: "draw" })] }), 0)), "r9");
});

test("a round that is taken back has no game", () => {
  const back = follow(way({ round: 2, own: at("r9", 3) }), entry({ drop: 2, recall: 0 }), 0);
  assert.deepEqual([back.round, back.own, gameOf(back)], [1, undefined, ""]);
});

test("a snapshot brings everything, and the server's clock", () => {
  const snap = { stage: "running", due: 5, rounds: [[], [board({ games: [{ room: "r2", opened: true }] })]] };
  const next = follow(way({ seq: undefined }), { t: "snap", room: "cup1", seq: 40, now: 900, snap }, 100);
  assert.deepEqual([next.seq, next.round, gameOf(next), next.due, next.ahead], [40, 2, "r2", 5, 800]);
  const empty = follow(way(), { t: "snap", seq: 3, snap: { stage: "running", rounds: [null] } }, 0);
  assert.deepEqual([empty.round, gameOf(empty)], [1, ""]);
});

test("a gap asks for a snapshot, a repetition changes nothing", () => {
  assert.equal(follow(way(), entry({}, 9), 0).seq, undefined);
  assert.equal(follow(way(), { t: "sync", room: "cup1", seq: 9 }, 0).seq, undefined);
  assert.deepEqual(follow(way(), { t: "sync", room: "cup1", seq: 7 }, 0), way());
  assert.deepEqual(follow(way(), entry({ due: 5 }, 7), 0), way());
  assert.equal(follow(way({ seq: undefined }), entry({ due: 5 }, 9), 0).seq, undefined);
});

test("a person who does not play has no game", () => {
  assert.equal(gameOf(follow(way({ mine: 0 }), entry({ round: 1, boards: [board({ second: 0 })] }), 0)), "");
});

test("a player hears of a board without a game, a bye and the end, and not of the board just played", () => {
  const now = way({ own: { ...at("r1"), result: "first" } });
  assert.equal(newsOf(now, "r1", 0), "");
  const paper = follow(now, entry({ round: 2, boards: [{ n: 3, first: 5, second: 2, paper: true }] }), 0);
  const bye = follow(now, entry({ round: 2, boards: [{ n: 3, first: 2, result: "bye" }] }), 0);
  const none = follow(now, entry({ round: 2, boards: [{ n: 1, first: 5, second: 6 }] }), 0);
  const over = follow(now, entry({ stage: "over" }), 0);
  const heard = [paper, bye, none, over].map((w) => newsOf(w, "r1", 0));
  assert.ok(heard.every((h) => h !== "") && new Set(heard).size === 4, heard.join());
  assert.equal(newsOf({ ...over, mine: 0 }, "r1", 0), "", "a watcher");
});

test("a player of an arena hears that they wait, until the time is over", () => {
  const free = way({ waves: true, due: 5, ends: 100, own: { ...at("r1"), result: "first" } });
  assert.notEqual(newsOf(free, "r1", 50), "");
  assert.notEqual(newsOf(free, "r1", 50), newsOf(free, "r1", 100));
});

test("the last announcement is kept", () => {
  const told = follow(way(), entry({ text: "Tea" }), 0);
  assert.deepEqual(told.announced, { text: "Tea", at: 1 });
  const snap = { stage: "running", announced: { text: "Cake", at: 2 } };
  assert.equal(follow(told, { t: "snap", seq: 9, snap }, 0).announced?.text, "Cake");
});

test("the time until something is written as clocks are", () => {
  assert.deepEqual([130_000, 129_001, 0, -5, 3_730_000].map(until), ["2:10", "2:10", "0:00", "0:00", "1:02:10"]);
});

test("the pairing of an arena is stopped while no wave is due and its time is not over", () => {
  const arena = way({ waves: true, due: 0, ends: 70_000 });
  assert.deepEqual([stopped(arena, 10_000), stopped(arena, 70_000)], [true, false]);
  assert.equal(stopped({ ...arena, due: 5 }, 10_000), false);
  assert.equal(stopped(way(), 10_000), false);
});

test("a host's result of a game is told from the player's side", () => {
  const told = (/** @type {object} */ more, room = "r1") => hostsResult(way({ own: { ...at("r1"), ...more } }), room);
  const set = (/** @type {string} */ result) => told({ byHost: true, result });
  assert.deepEqual(["first", "second-unplayed", "draw", "neither"].map(set), ["win", "lose", "draw", "neither"]);
  assert.deepEqual([told({ result: "first" }), told({ byHost: true })], ["", ""]);
  assert.equal(told({ byHost: true, result: "first" }, "r2"), "", "it is another game");
});

test("the way knows whether rounds have an end", () => {
  const week = follow(way(), { t: "snap", seq: 8, snap: { stage: "running", settings: { days: 7 } } }, 0);
  assert.equal(week.days, 7);
  assert.equal(follow(week, entry({ settings: { days: 0 } }, 9), 0).days, 0);
  assert.equal(follow(week, entry({ text: "Tea" }, 9), 0).days, 7);
});
