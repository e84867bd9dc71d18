import assert from "node:assert/strict";
import { test } from "node:test";
import { english as t, game as gameOf } from "../model/fixture.test.js";
import { Voice } from "./voice.js";

/** A game as Ada sees it, who gets `you` beside the snapshot. */
const game = (snap, you = null) => gameOf(snap, { you });
const before = { pits: Array(12).fill(4), stores: [0, 0] };
const bens = {
  ply: 2,
  turn: 0,
  stores: [0, 1],
  last: { seat: 1, move: "d", trace: [["lift", 9, 4], ["sow", 10, 11, "s1", 0]] },
};

/** A voice, and the two regions through which it speaks. */
function voice(verbosity = "normal") {
  const region = { say: { textContent: "" }, shout: { textContent: "" } };
  globalThis.document = { getElementById: (id) => region[id] };
  return {
    v: new Voice(t, () => verbosity),
    said: () => region.say.textContent,
    shouted: () => region.shout.textContent,
  };
}

test("the opponent's move is said politely, and the player's turn interrupts only after five seconds", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const { v, said, shouted } = voice();
  v.follow(game({ turn: 0 }), game({ turn: 1 }));
  context.mock.timers.tick(4_000);
  v.follow(game({ turn: 1 }), game(bens), before);
  assert.equal(said(), "Ben played 4, sowed 4. Score 0 to 1. Your turn.");
  assert.equal(shouted(), "");
  v.follow(game({ turn: 0 }), game({ turn: 1 }));
  context.mock.timers.tick(6_000);
  v.follow(game({ turn: 1 }), game(bens), before);
  assert.equal(shouted(), "Your turn.");
});

test("brief tells a move in few words, full also tells what comes next", () => {
  const brief = voice("brief");
  brief.v.follow(game({ turn: 1 }), game(bens), before);
  assert.equal(brief.said(), "Ben 4. Your turn.");
  const full = voice("full");
  full.v.follow(game({ turn: 1 }), game(bens, { legal: [{ m: "a" }, { m: "c" }] }), before);
  assert.equal(full.said(), "Ben played 4, sowed 4. Score 0 to 1. Your turn. You can play 1 or 3.");
});

test("the end interrupts, an offer waits", () => {
  const { v, said, shouted } = voice();
  v.follow(game({}), game({ offers: [{ what: "draw", seat: 1 }] }));
  assert.equal(said(), "Ben offers a draw. Buttons after the board.");
  v.follow(game({}), game({ offers: [{ what: "draw", seat: 0 }] }));
  assert.equal(said(), "Ben offers a draw. Buttons after the board.", "the player's own offer is not said");
  const result = { reason: "side-empty", scores: [28, 20], winners: [0], ply: 2 };
  v.follow(game({ turn: 1 }), game({ ...bens, state: "over", result }), before);
  assert.equal(said(), "Ben played 4, sowed 4.");
  assert.equal(shouted(), "You won, 28 to 20. Ben had no seeds left.");
});

test("the end of a match between two rounds interrupts too", () => {
  const { v, shouted } = voice();
  const rounds = [{ reason: "side-empty", scores: [28, 20], winners: [0], ply: 2 }];
  const pause = { state: "pause", target: 100, gains: [4, 0], rounds };
  const result = { reason: "resign", scores: [4, 0], winners: [0], ply: 2 };
  v.follow(game(pause), game({ ...pause, state: "over", result }));
  assert.match(shouted(), /^You won.* Ben resigned/);
});

test("a repeated text is read again", () => {
  const { v, said } = voice();
  v.say("Score 1 to 0.");
  v.say("Score 1 to 0.");
  assert.equal(said(), "Score 1 to 0.\u00a0");
  v.repeat();
  assert.equal(said(), "Score 1 to 0.");
});
