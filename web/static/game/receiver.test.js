import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyPage } from "../lib/browser.test.js";
import { english as t, game as gameOf } from "../model/fixture.test.js";

emptyPage();
const { Receiver } = await import("./receiver.js");
const { Table } = await import("../table/table.js");
const { PageState } = await import("./pagestate.js");

/** A page on which a move is on its way, and what is shown of refusals. */
function moving() {
  let looks = 0; // at the turn, for a plan
  const play = { sent: /** @type {any} */ ({ pit: 3, move: "d", id: "x-1" }), turnChanged: () => looks++ };
  const page = new PageState(/** @type {any} */ (gameOf()));
  /** @type {[number, string][]} */
  const refused = [];
  /** @type {string[]} */
  const said = [];
  /** @type {(string | undefined)[]} */
  const lines = []; // of the chat that were refused
  let snappedBack = 0;
  const voice = { say: (/** @type {string} */ text) => said.push(text) };
  const link = { subscribe: () => {} };
  const chat = { refused: (/** @type {string | undefined} */ id) => lines.push(id) };
  const parts = { t, play, page, voice, link, chat, animation: { end: () => snappedBack++ } };
  const renderer = {
    refuse: (/** @type {number} */ pit, /** @type {string} */ text) => refused.push([pit, text]),
    soon: () => {},
  };
  const receiver = new Receiver(/** @type {any} */ (parts), /** @type {any} */ (renderer));
  return { play, page, refused, said, lines, receiver, snappedBack: () => snappedBack, looks: () => looks };
}

test("a refused chat line leaves the move alone that is on its way", () => {
  const { play, refused, lines, receiver, snappedBack } = moving();
  receiver.receive(/** @type {any} */ ({ t: "err", id: "x-2", code: "chat-muted", msg: "Your chat is muted." }));
  assert.deepEqual([play.sent.pit, snappedBack(), refused.length, refused[0][0]], [3, 0, 1, -1]);
  assert.deepEqual(lines, ["x-2"]);
});

test("nothing is said of a refused note of a lay-out", () => {
  const { play, refused, receiver } = moving();
  receiver.receive(/** @type {any} */ ({ t: "err", id: "note", code: "bad-note", msg: "" }));
  assert.deepEqual([play.sent.pit, refused], [3, []]);
});

test("a refused move is taken back on the board", () => {
  const { play, refused, receiver, snappedBack } = moving();
  receiver.receive(/** @type {any} */ ({ t: "err", id: "x-1", code: "empty-pit", msg: "This pit is empty." }));
  assert.deepEqual([play.sent, snappedBack(), refused.length, refused[0][0]], [null, 1, 1, 3]);
});

test("a player who came back while this page had no connection is away no more", () => {
  const table = new Table(t, () => {});
  const nothing = () => {};
  const parts = {
    t,
    table,
    page: { game: gameOf(), tell: nothing },
    play: { turnChanged: nothing },
    animation: { follow: nothing },
    voice: { follow: nothing },
    review: { follow: async () => {} },
    connection: {},
  };
  const renderer = { soon: nothing, draw: nothing, inPieces: nothing };
  const receiver = new Receiver(/** @type {any} */ (parts), /** @type {any} */ (renderer));
  const left = { t: "note", kind: "presence", here: false, seat: 1 };
  receiver.receive(left);
  assert.deepEqual(table.away(0), [1]);
  receiver.receive(/** @type {any} */ ({ t: "sync", seq: 1, as: 0 }));
  assert.deepEqual(table.away(0), [], "the notes that still hold come after this");
  receiver.receive(left);
  assert.deepEqual(table.away(0), [1]);
});

test("a tap that came while a refused move was on its way is played or dropped at once", () => {
  for (const [id, code, times] of /** @type {const} */ ([
    ["x-1", "empty-pit", 1],
    ["x-2", "chat-muted", 0],
    ["x-1", "stale", 0], // a snapshot follows
  ])) {
    const { receiver, looks } = moving();
    receiver.receive(/** @type {any} */ ({ t: "err", id, code, msg: "" }));
    assert.equal(looks(), times, code);
  }
});

test("a move that the link repeats stays on the board, and this is said once", () => {
  for (const code of ["unavailable", "busy", "moved", "not-following"]) {
    const { play, page, refused, said, lines, receiver, snappedBack } = moving();
    for (let i = 0; i < 2; i++)
      receiver.receive(/** @type {any} */ ({ t: "err", id: "x-1", code, msg: "", repeats: true }));
    assert.deepEqual([play.sent.pit, snappedBack(), refused, said], [3, 0, [], [t("repeating")]]);
    assert.equal(page.message, said[0]);
  }
});

test("what is refused and not repeated is no attempt that goes on", () => {
  const { refused, receiver } = moving();
  receiver.receive(/** @type {any} */ ({ t: "err", id: "line", code: "unavailable", msg: "" })); // a line of chat
  assert.deepEqual(refused, [[-1, t("error.unavailable")]]);
  assert.notEqual(t("error.unavailable"), t("repeating"));
});

test("an interruption is over with the answer to the command that was repeated", () => {
  const { page, receiver } = moving();
  const interrupted = () =>
    receiver.receive(/** @type {any} */ ({ t: "err", id: "x-1", code: "unavailable", msg: "", repeats: true }));
  interrupted();
  receiver.receive(/** @type {any} */ ({ t: "ev", id: "x-2", seq: 0 }));
  assert.equal(page.message, t("repeating"), "another command was answered");
  receiver.receive(/** @type {any} */ ({ t: "ev", id: "x-1", seq: 0 })); // it changed nothing that is drawn
  assert.equal(page.message, "");
  interrupted();
  page.tell("Planned: pit 3.");
  receiver.receive(/** @type {any} */ ({ t: "ev", id: "x-1", seq: 0 }));
  assert.equal(page.message, "Planned: pit 3.", "this is later news");
});

test("lines from before the page, and the others' lines from before the end, are no news", (t) => {
  let time = 1_000;
  t.mock.method(Date, "now", () => time);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const game = { ...gameOf({}, { as: -1 }), ahead: 500 }; // the server made the page at 1500
  /** @type {string[]} */
  const news = [];
  const nothing = () => {};
  const parts = {
    page: new PageState(/** @type {any} */ (game)),
    chat: {
      add: (/** @type {any} */ { text }, /** @type {string} */ _, /** @type {boolean} */ old) => old || news.push(text),
    },
    voice: { say: nothing, follow: nothing },
    play: { turnChanged: nothing },
    animation: { follow: nothing },
    review: { follow: () => Promise.resolve() },
    connection: {},
  };
  const renderer = { draw: nothing, inPieces: nothing };
  const receiver = new Receiver(/** @type {any} */ (parts), /** @type {any} */ (renderer));
  const line = (/** @type {number} */ at, /** @type {number} */ seat, /** @type {string} */ text) =>
    receiver.receive(/** @type {any} */ ({ t: "chat", at, seat, text }));
  line(1_400, -1, "before the page");
  line(1_600, -1, "on the page");
  time = 9_000;
  receiver.receive(/** @type {any} */ ({ t: "ev", seq: 2, ev: { k: "resign", set: { state: "over" } } }));
  line(9_400, -1, "missed");
  line(9_400, 0, "a player's, during the game");
  line(9_600, 0, "a player's, after the game");
  assert.deepEqual(news, ["on the page", "missed", "a player's, after the game"]);
});
