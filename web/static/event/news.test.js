import assert from "node:assert/strict";
import { test } from "node:test";
import { next, now, score, stageText, total } from "./news.js";
import { onDay } from "./numbersandtimes.js";

const t = Object.assign(
  (/** @type {string} */ key, values = {}) => [key, ...Object.values(values)].join(" "),
  { has: () => true, lang: "en" },
);
const name = (/** @type {number} */ n) => ["", "Ada", "Ben", "Cleo"][n];
const state = (more = {}, settings = {}) => ({
  settings: { name: "Cup", format: "swiss", rounds: 3, tieBreaks: "BH", rules: "kalah", clock: "none", ...settings },
  stage: "running",
  hosts: ["h"],
  players: [{ n: 1, id: "p1" }, { n: 2, id: "p2" }, { n: 3, id: "p3" }],
  start: [1, 2, 3],
  rounds: [[{ n: 1, first: 1, second: 2, games: [{ room: "r1", opened: true }] }, { n: 2, first: 3, result: "bye" }]],
  ...more,
});
const said = (/** @type {any} */ s, me = 1, time = 0) => now(t, s, me, name, time).said;

test("a player is told whom they play, and gets their game", () => {
  assert.deepEqual(now(t, state(), 1, name, 0), { said: "me.game Ben 1", game: "r1" });
  assert.equal(now(t, state(), 2, name, 0).said, "me.game Ada 1");
  assert.equal(said(state(), 3), "me.bye 1");
});

test("a player who has nothing to play is told why", () => {
  const board = { n: 1, first: 1, second: 2, paper: true };
  assert.equal(said(state({ rounds: [[board]] })), "me.paper Ben 1");
  const rounds = [[{ n: 1, first: 2, second: 3 }]];
  assert.equal(said(state({ rounds })), "me.unpaired 1");
  assert.equal(said(state({ rounds }, { format: "knockout" })), "me.knocked 1");
  assert.equal(said(state({ rounds, players: [{ n: 1, id: "p1", joined: 2 }] })), "me.joined 2");
  assert.equal(said(state({ rounds, players: [{ n: 1, id: "p1", byes: { 1: "half" } }] })), "me.half 1");
  const out = (/** @type {number} */ joined, /** @type {object} */ settings) =>
    said(state({ players: [{ n: 1, id: "p1", out: true, joined }] }, settings));
  assert.equal(out(0, { format: "knockout", rounds: 0 }), "me.out");
  assert.equal(out(2, { format: "knockout", rounds: 0 }), "me.substitute");
  assert.equal(out(2, { format: "swiss", rounds: 3 }), "me.out");
  assert.equal(out(4, { format: "swiss", rounds: 3 }), "me.substitute", "the last round has started");
});

test("before the first round a player is told to check in", () => {
  assert.equal(said(state({ stage: "entry", rounds: [] })), "me.in");
  assert.equal(said(state({ stage: "entry", rounds: [], players: [{ n: 1, id: "p1", here: true }] })), "me.here");
});

test("each result is told from the player's side", () => {
  for (const [result, first, second] of [
    ["first", "won", "lost"],
    ["second", "lost", "won"],
    ["draw", "drawn", "drawn"],
    ["first-unplayed", "walkover", "missed"],
    ["second-unplayed", "missed", "walkover"],
    ["neither", "neither", "neither"],
  ]) {
    const s = state({ rounds: [[{ n: 1, first: 1, second: 2, result }]] });
    assert.equal(said(s, 1), `me.${first} Ben 1`);
    assert.equal(said(s, 2), `me.${second} Ada 1`);
  }
});

test("in an arena a player who is free waits for the next one", () => {
  const over = [[{ n: 1, first: 1, second: 2, result: "draw" }]];
  assert.equal(said(state({ due: 5, rounds: over }, { format: "arena" })), "me.waiting");
  assert.equal(said(state({ rounds: over }, { format: "arena" })), "me.stopped");
  const late = state({ due: 5, ends: 70_000, rounds: over }, { format: "arena" });
  assert.deepEqual([said(late, 1, 69_999), said(late, 1, 70_000)], ["me.waiting", "me.timeup"]);
  assert.equal(next(t, state({ due: 5, ends: 70_000 }, { format: "arena" }), 10_000), "ends 1:00");
});

test("while the pairing of an arena or a class is stopped, no end is counted down", () => {
  const stopped = state({ ends: 70_000 }, { format: "arena" });
  assert.deepEqual([next(t, stopped, 10_000), next(t, stopped, 70_000)], ["me.stopped", ""]);
  assert.equal(next(t, state({}, { format: "class" }), 10_000), "me.stopped");
});

test("after the round comes the next one, the host, or nothing more", () => {
  const rounds = [[{ n: 1, first: 1, second: 2, result: "draw" }]];
  assert.equal(next(t, state(), 0), "");
  assert.equal(next(t, state({ rounds }), 0), "next.host 2");
  assert.equal(next(t, state({ rounds, due: 130_000 }), 0), "next.due 2 2:10");
  assert.equal(next(t, state({ rounds: [rounds[0], rounds[0], rounds[0]] }), 0), "next.last");
  assert.equal(next(t, state({ stage: "over", rounds }), 0), "");
});

test("the number of rounds follows from the format and the players", () => {
  for (const [format, rounds] of [["swiss", 3], ["roundrobin", 3], ["doubleround", 6], ["knockout", 2], ["arena", 0]])
    assert.equal(total(state({}, { format })), rounds, String(format));
  assert.equal(total(state({ start: [1, 2, 3, 4] }, { format: "roundrobin" })), 3);
  assert.equal(total(state({ start: undefined, players: [{ n: 1, id: "p1" }] }, { format: "roundrobin" })), 0);
});

test("the stage is told in words", () => {
  assert.equal(stageText(t, state()), "stage.round 1 3");
  assert.equal(stageText(t, state({ stage: "entry", rounds: [] })), "stage.entry 3");
  assert.equal(stageText(t, state({}, { format: "arena" })), "stage.waves 3");
  assert.equal(stageText(t, state({ start: [1, 2] }, { format: "knockout" })), "stage.final");
  assert.equal(stageText(t, state({ stage: "over" })), "stage.over");
});

test("a board is told in figures and in words", () => {
  const board = { n: 1, first: 1, second: 2 };
  assert.deepEqual(score(t, { ...board, result: "first" }, name, false), {
    figures: "1 – 0",
    words: "result.first Ada Ben",
    won: "first",
  });
  assert.equal(score(t, { ...board, result: "draw", seeds: -3 }, name, true).figures, "½ – ½ (−3)");
  assert.equal(score(t, { ...board, result: "draw", seeds: 3 }, name, true).figures, "½ – ½ (+3)");
  for (const [result, won] of Object.entries({ second: "second", "first-unplayed": "first", neither: "", draw: "" }))
    assert.equal(score(t, { ...board, result }, name, false).won, won, result);
  assert.equal(score(t, { ...board, games: [{ room: "r1", opened: true }] }, name, false).words, "board.playing");
  assert.equal(score(t, { ...board, paper: true }, name, false).words, "board.paper");
  assert.equal(score(t, board, name, false).words, "board.opens");
  assert.equal(score(t, { n: 2, first: 3, result: "bye" }, name, false).words, "board.bye");
});

test("players read until when they can play, as long as the round has not ended", () => {
  const days = { days: 7 };
  const day = 86_400_000;
  assert.equal(next(t, state({ ends: 7 * day }, days), 60_000), `next.ends.on ${onDay(7 * day, "en")}`);
  assert.equal(next(t, state({ ends: 2 * day }, days), day + 1_000), "next.ends 23:59:59");
  assert.equal(next(t, state({ ends: 7 * day }), 0), "", "the host has taken the end away");
  assert.equal(next(t, state({ ends: day, closed: 1 }, days), 0), "");
  assert.equal(next(t, state({ ends: day }, days), day), "");
});
