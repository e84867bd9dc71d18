import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyPage } from "../lib/browser.test.js";
import { english as t, game as gameOf } from "../model/fixture.test.js";
import { speaker } from "../speech/words.js";

emptyPage();
const { Play } = await import("./play.js");

/** A player on turn whose legal moves are known, and what was sent. @param {{inPast?: boolean}} [how] */
function onTurn({ inPast = false } = {}) {
  const legal = [{ m: "a", to: [1, 2, 3, 4] }];
  const game = gameOf({ turn: 0 }, { as: 0, you: { legal } });
  /** @type {string[]} */
  const sent = [];
  /** @type {any} */
  const wiring = {
    now: () => ({ game, words: speaker(t, game), reader: false, inPast }),
    layout: { draft: null },
    send: (/** @type {string} */ move) => sent.push(move),
    pref: () => "on",
    refuse: () => {},
    tell: () => {},
  };
  return { play: new Play(t, wiring), sent };
}

test("a question about a pit of an earlier position plays no move", () => {
  const { play, sent } = onTurn({ inPast: true });
  play.explain(0);
  play.explain(1);
  assert.deepEqual(sent, []);
});

test("a planned move is played also while an earlier position is shown", () => {
  const { play, sent } = onTurn({ inPast: true });
  play.planned = { pit: 0 };
  play.turnChanged();
  assert.deepEqual([sent, play.planned], [["a"], null]);
});

test("a second move is not sent while one is on its way", () => {
  const { play, sent } = onTurn();
  play.send(-1, "keep");
  play.send(-1, "keep");
  assert.deepEqual(sent, ["keep"]);
  play.sent = null; // it was refused
  play.send(-1, "swap");
  assert.deepEqual(sent, ["keep", "swap"]);
});

test("the server is asked why a pit cannot be played now", () => {
  const { play, sent } = onTurn();
  play.explain(1);
  assert.deepEqual(sent, ["b"]);
});
