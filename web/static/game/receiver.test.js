import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyPage } from "../lib/browser.test.js";
import { english as t, game as gameOf } from "../model/fixture.test.js";

emptyPage();
const { Receiver } = await import("./receiver.js");

/** A page on which a move is on its way, and what is shown of refusals. */
function moving() {
  const play = { sent: /** @type {any} */ ({ pit: 3, move: "d", id: "x-1" }) };
  /** @type {[number, string][]} */
  const refused = [];
  let snappedBack = 0;
  const parts = { t, play, page: { game: gameOf() }, animation: { end: () => snappedBack++ } };
  const renderer = { refuse: (/** @type {number} */ pit, /** @type {string} */ text) => refused.push([pit, text]) };
  const receiver = new Receiver(/** @type {any} */ (parts), /** @type {any} */ (renderer));
  return { play, refused, receiver, snappedBack: () => snappedBack };
}

test("a refused chat line leaves the move alone that is on its way", () => {
  const { play, refused, receiver, snappedBack } = moving();
  receiver.receive(/** @type {any} */ ({ t: "err", id: "x-2", code: "chat-muted", msg: "Your chat is muted." }));
  assert.deepEqual([play.sent.pit, snappedBack(), refused.length, refused[0][0]], [3, 0, 1, -1]);
});

test("a refused move is taken back on the board", () => {
  const { play, refused, receiver, snappedBack } = moving();
  receiver.receive(/** @type {any} */ ({ t: "err", id: "x-1", code: "empty-pit", msg: "This pit is empty." }));
  assert.deepEqual([play.sent, snappedBack(), refused.length, refused[0][0]], [null, 1, 1, 3]);
});
