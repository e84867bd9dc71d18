import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, boardOf, covers, fold, inWaves, lastRound, leftInRound, open } from "./state.js";
import { playerOf, roundOver, running } from "./state.js";

const players = () => [{ n: 1, id: "p1", here: true }, { n: 2, id: "p2" }, { n: 3, id: "p3", paper: true }];
const state = () => ({
  settings: { name: "Cup", format: "swiss", rounds: 3, tieBreaks: "BH", rules: "kalah", clock: "none" },
  stage: "running",
  hosts: ["h"],
  players: players(),
  start: [1, 2, 3],
  rounds: [[{ n: 1, first: 1, second: 2, games: [{ room: "r1" }] }, { n: 2, first: 3, result: "bye" }]],
});
const first = () => ({ t: "snap", room: "cup1", seq: 7, now: 1_500, snap: { kind: "tournament", ...state() } });
const entry = (/** @type {object} */ change, seq = 8) =>
  ({ t: "ev", room: "cup1", seq, ev: { k: "x", at: 2_000, change } });

test("a snapshot before the first player has lists for all that is missing", () => {
  const { state: s, ahead } = open({ t: "snap", room: "cup1", seq: 1, now: 1_500, snap: { players: null } }, 1_000);
  assert.deepEqual([s.players, s.hosts, s.rounds, ahead], [[], [], [], 500]);
});

test("an arena whose first wave has not come has a round without boards", () => {
  assert.deepEqual(open({ t: "snap", snap: { rounds: [null] } }, 0).state.rounds, [[]]);
});

test("rows replace those with their number, and new rows come after them", () => {
  const event = open(first(), 1_000);
  const late = { n: 4, id: "p4", joined: 2 };
  const { event: next, before } = fold(event, entry({ players: [{ n: 2, id: "p2", out: true }, late] }), 0);
  assert.deepEqual(next.state.players, [players()[0], { n: 2, id: "p2", out: true }, players()[2], late]);
  assert.deepEqual(before?.players, players(), "the old state is untouched");
  assert.equal(next.seq, 8);
});

test("boards replace those of their round, and a new round begins", () => {
  const event = open(first(), 0);
  const over = { n: 1, first: 1, second: 2, games: [{ room: "r1", opened: true, result: "first" }], result: "first" };
  let { event: next } = fold(event, entry({ round: 1, boards: [over] }), 0);
  assert.deepEqual(next.state.rounds, [[over, state().rounds[0][1]]]);
  assert.ok(roundOver(next.state) && !roundOver(event.state));
  const board = { n: 1, first: 2, second: 3, paper: true };
  next = fold(next, entry({ round: 2, boards: [board], due: 0, final: true }, 9), 0).event;
  assert.deepEqual(lastRound(next.state), [board]);
  assert.equal(next.state.rounds.length, 2);
});

test("boards that are named as open have the rows that they had, with the game open", () => {
  const event = open(first(), 0);
  const opened = (/** @type {number[]} */ boards, round = 1) =>
    fold(event, { t: "ev", room: "cup1", seq: 8, ev: { k: "done", at: 1, opened: { round, boards } } }, 0);
  const { event: next, change, resync } = opened([1]);
  const row = next.state.rounds[0][0];
  assert.deepEqual([running(row)?.room, next.seq, resync, change?.boards], ["r1", 8, undefined, [row]]);
  for (const wrong of [opened([2]), opened([3]), opened([1], 2)]) assert.ok(wrong.resync && wrong.event === event);
});

test("a round that is taken back is gone, with the starting order if it was the first", () => {
  const begun = apply(state(), { recall: 1 });
  assert.equal(begun?.recall, 1);
  const back = begun && apply(begun, { recall: 0, drop: 1, stage: "entry", final: true });
  assert.deepEqual([back?.rounds, back?.start, back?.stage, back?.recall], [[], undefined, "entry", 0]);
});

test("a round that begins in place of one that was taken back has an end of its own", () => {
  const closed = { ...state(), closed: 1, recall: 1 };
  assert.equal(apply(closed, { recall: 0, drop: 1, stage: "entry", final: true })?.closed, 0);
});

test("an arena's round begins without boards", () => {
  assert.deepEqual(apply({ ...state(), rounds: [] }, { round: 1, stage: "running", due: 5 })?.rounds, [[]]);
});

test("every single field of a change is folded", () => {
  for (const [field, value] of Object.entries({
    settings: { ...state().settings, name: "Cup 2" },
    stage: "over",
    hosts: ["h", "i"],
    start: [3, 2, 1],
    forbidden: [[1, 2]],
    due: 5,
    ends: 6,
    undo: { kind: "leave", by: "h", until: 7 },
  }))
    assert.deepEqual(apply(state(), { [field]: value }), { ...state(), [field]: value }, field);
});

test("0 and empty lists are changes, null is none", () => {
  const full = { ...state(), due: 5, forbidden: [[1, 2]] };
  const bare = apply(full, { due: 0, forbidden: [] });
  assert.deepEqual([bare?.due, bare?.forbidden], [0, []]);
  assert.deepEqual(apply(full, { forbidden: null }), full);
});

test("an act of a host stays until the games have confirmed it", () => {
  const [one, two] = [1, 2].map((n) => ({ n, act: "pause", round: 1, board: n }));
  const both = apply(/** @type {any} */ (apply(state(), { act: one })), { act: two });
  assert.deepEqual([both?.acts, both?.acted], [[one, two], 2]);
  assert.deepEqual(apply(/** @type {any} */ (both), { actDone: 1 })?.acts, [two]);
});

test("games that a host pauses are paused until they are resumed, alone or with all others", () => {
  const game = (/** @type {number} */ n) => ({ n, first: 1, second: 2, games: [{ room: `r${n}`, opened: true }] });
  const over = { n: 3, first: 1, second: 2, games: [{ room: "r3", opened: true, result: "draw" }], result: "draw" };
  let s = /** @type {any} */ ({ ...state(), rounds: [[game(1), game(2), over]] });
  const act = (/** @type {string} */ kind, /** @type {object} */ which) => {
    s = apply(s, { act: { n: 1, act: kind, round: 1, ...which } });
    return s.rounds[0].map((/** @type {any} */ b) => Boolean(b.games[0].paused));
  };
  assert.deepEqual(act("pause", { board: 2 }), [false, true, false]);
  assert.deepEqual(act("add", { boards: 3 }), [false, true, false]);
  assert.deepEqual(act("resume", { boards: 3 }), [false, false, false]);
  assert.deepEqual(act("pause", { boards: 3 }), [true, true, false]);
  assert.deepEqual(act("resume", { board: 1 }), [false, true, false]);
  assert.deepEqual(act("resume", { boards: 3, player: 7 }), [false, true, false]);
  assert.deepEqual(act("resume", { boards: 3, player: 2 }), [false, false, false]);
});

const paused = () => {
  const board = (/** @type {number} */ n) =>
    ({ n, first: 2 * n - 1, second: 2 * n, games: [{ room: `r${n}`, opened: true }] });
  const all = { ...state(), rounds: [[1, 2, 3, 4].map(board)] };
  return /** @type {any} */ (apply(all, { act: { n: 1, act: "pause", round: 1, boards: 4 } }));
};

test("a host's order stays with the boards that it has not reached, until a later one is about them", () => {
  let s = /** @type {any} */ (apply(paused(), { left: { act: 1, boards: [1, 3] } }));
  assert.deepEqual(s.acts.map((/** @type {any} */ a) => [1, 2, 3].map((n) => covers(a, n))), [[true, false, true]]);
  s = apply(s, { act: { n: 2, act: "resume", round: 1, board: 3 } });
  assert.deepEqual(s.acts.map((/** @type {any} */ a) => a.left), [[1], undefined]);
  s = apply(s, { act: { n: 3, act: "resume", round: 1, boards: 4 } });
  assert.deepEqual(s.acts.map((/** @type {any} */ a) => a.n), [2, 3]);
});

test("a host's order is left at no board that a later one is about", () => {
  const left = (/** @type {object[]} */ ...resumed) => {
    let s = paused();
    for (const [i, of] of resumed.entries()) s = apply(s, { act: { n: i + 2, act: "resume", round: 1, ...of } });
    s = apply(s, { left: { act: 1, boards: [1, 3] } });
    return s.acts.map((/** @type {any} */ a) => [a.n, a.left]);
  };
  assert.deepEqual(left({ board: 3 }), [[1, [1]], [2, undefined]]);
  assert.deepEqual(left({ board: 3 }, { board: 1 }), [[2, undefined], [3, undefined]]);
  assert.deepEqual(left({ board: 2 }), [[1, [1, 3]], [2, undefined]]);
  assert.deepEqual(left({ boards: 4, player: 6 }), [[1, [1]], [2, undefined]]);
  assert.deepEqual(left({ boards: 4 }), [[2, undefined]]);
});

test("a round that is being taken back has the boards that were not reached, until it is known", () => {
  const asked = apply({ ...state(), recall: 1 }, { left: { boards: [1] } });
  assert.deepEqual(asked?.left, [1]);
  assert.deepEqual(asked && apply(asked, { recall: 0, final: true })?.left, []);
});

test("a snapshot of the release before says only that the round is paused", () => {
  const game = (/** @type {number} */ n) => ({ n, first: 1, second: 2, games: [{ room: `r${n}`, opened: true }] });
  const s = open({ t: "snap", snap: { ...state(), paused: 2, rounds: [[game(1), game(2), game(3)]] } }, 0).state;
  assert.deepEqual(s.rounds[0].map((b) => Boolean(running(b)?.paused)), [true, true, false]);
});

test("a step that cannot be taken back ends the chance for the one before it", () => {
  const undo = { kind: "leave", by: "h", until: 7 };
  const open = { ...state(), undo };
  assert.equal(apply(open, { final: true })?.undo, undefined);
  assert.deepEqual(apply(open, { text: "Tea" })?.undo, undo);
  assert.equal(apply(open, { final: true, undo: { ...undo, until: 9 } })?.undo?.until, 9);
});

for (const [name, frame] of Object.entries({
  "a number that was skipped": entry({}, 9),
  "an entry without a change": { t: "ev", room: "cup1", seq: 8 },
  "a player after a gap": entry({ players: [{ n: 5, id: "p5" }] }),
  "a board after a gap": entry({ round: 1, boards: [{ n: 4, first: 1 }] }),
  "a round after a gap": entry({ round: 3, boards: [{ n: 1, first: 1 }] }),
  "boards without a round": entry({ boards: [{ n: 1, first: 1 }] }),
  "a sync that ends elsewhere": { t: "sync", room: "cup1", seq: 9 },
}))
  test(`${name} asks for a snapshot and leaves the state as it was`, () => {
    const event = open(first(), 0);
    const folded = fold(event, frame, 0);
    assert.equal(folded.resync, true);
    assert.equal(folded.event, event);
  });

test("a repeated frame changes nothing", () => {
  const { event } = fold(open(first(), 0), entry({ stage: "over" }), 0);
  assert.equal(fold(event, entry({ stage: "running" }), 0).event, event);
});

test("a sync brings the server's clock", () => {
  assert.equal(fold(open(first(), 0), { t: "sync", room: "cup1", seq: 7, now: 900 }, 100).event.ahead, 800);
});

test("a player's board is their last one, and its game runs once it is open", () => {
  const again = { n: 3, first: 2, second: 1, games: [{ room: "r1", result: "draw" }, { room: "r2", opened: true }] };
  const boards = [...state().rounds[0], again];
  assert.equal(boardOf(boards, 1), again);
  assert.equal(boardOf(boards, 3)?.n, 2);
  assert.equal(boardOf(boards, 9), undefined);
  assert.equal(running(again)?.room, "r2");
  assert.equal(running(boards[0]), undefined, "not opened");
  assert.equal(running({ ...again, result: "first" }), undefined, "the host has decided");
  assert.equal(running(undefined), undefined);
});

test("a round ends while it is played, and only if it has an end", () => {
  const board = (/** @type {object} */ game) => ({ n: 1, first: 1, second: 2, games: [{ room: "r1", ...game }] });
  const played = {
    ...state(), settings: { ...state().settings, days: 2 }, ends: 5_000,
    rounds: [[board({ opened: true }), { n: 2, first: 3, result: "bye" }]],
  };
  const left = (/** @type {object} */ change) => leftInRound({ ...played, ...change }, 2_000);
  assert.equal(left({}), 3_000);
  assert.equal(left({ ends: 1_000 }), 0, "its end is about to come");
  assert.equal(left({ settings: state().settings }), 0, "without an end");
  assert.equal(left({ closed: 1 }), 0, "its end has come");
  assert.equal(left({ recall: 1 }), 0, "it is being taken back");
  assert.equal(left({ recall: 0 }), 3_000, "it goes on after all");
  assert.equal(left({ rounds: [[board({})]] }), 0, "its game is being opened");
  assert.equal(left({ rounds: [[{ ...board({}), result: "first" }, board({ opened: true })]] }), 3_000);
  assert.equal(left({ rounds: [[{ ...board({ opened: true }), result: "draw" }]] }), 0, "it is over");
  assert.equal(left({ stage: "over" }), 0);
});

test("players are found by their ID, and nobody has none", () => {
  const all = { ...state(), players: [...players(), { n: 4, id: "", out: true }] };
  assert.equal(playerOf(all, "p3")?.n, 3);
  assert.equal(playerOf(all, ""), undefined);
});

test("arenas and classes pair in waves", () => {
  assert.equal(inWaves(state()), false);
  assert.equal(inWaves({ ...state(), settings: { ...state().settings, format: "class" } }), true);
});

test("rounds that were played elsewhere come with their players", () => {
  const event = open({ t: "snap", room: "cup1", seq: 7, now: 1_500, snap: { ...state(), players: [], rounds: [] } }, 0);
  const past = [[{ n: 1, first: 1, second: 2, result: "first", byHost: true }, { n: 2, first: 3, result: "bye" }]];
  const come = entry({ players: players(), start: [1, 2, 3], past, stage: "running" });
  const { event: next, resync } = fold(event, come, 0);
  assert.deepEqual([resync, next.state.rounds, next.state.players.length], [undefined, past, 3]);
});
