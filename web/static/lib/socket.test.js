import assert from "node:assert/strict";
import { test } from "node:test";

/** A connection of the browser, which closes when it is told to. */
class Connection {
  static OPEN = 1;
  readyState = 1;
  /** @type {((e: {code: number, reason: string}) => void) | null} */
  onclose = null;
  /** @type {any[]} */
  sent = [];
  /** @param {string} url */
  constructor(url) {
    this.url = url;
    connections.push(this);
  }
  /** @param {number} code */
  close(code) {
    queueMicrotask(() => this.onclose?.({ code, reason: "" }));
  }
  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }
}
/** @type {any[]} */
const connections = [];

Object.assign(globalThis, {
  WebSocket: Connection,
  addEventListener: () => {},
  document: { addEventListener: () => {}, documentElement: { lang: "en", dataset: {} } },
  location: new URL("http://mancala.test/"),
  window: globalThis,
});
const { Link } = await import("./socket.js");

/** A link to the room "a", and what its page is told. @param {import("node:test").TestContext} t */
function linked(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {string[]} */
  const states = [];
  /** @type {any[]} */
  const frames = [];
  const link = new Link(
    /** @type {any} */ ({ room: "a", plays: () => null, onFrame: (/** @type {any} */ frame) => frames.push(frame),
      onState: (/** @type {string} */ state) => states.push(state) }),
  );
  const connection = connections.at(-1);
  const receive = (/** @type {any} */ frame) => connection.onmessage({ data: JSON.stringify({ room: "a", ...frame }) });
  /** Messages of a type that were sent since the last look. @param {string} type */
  const sent = (type) => connection.sent.splice(0).filter((/** @type {any} */ frame) => frame.t === type);
  return { link, states, frames, connection, receive, sent };
}

test("a link opens the socket of its page's site", (t) => {
  assert.equal(linked(t).connection.url, "ws://mancala.test/ws");
});

test("the page that ends the connection is not told that it has ended", async (t) => {
  const { link, states } = linked(t);
  link.end();
  await Promise.resolve();
  t.mock.timers.tick(60_000);
  assert.deepEqual(states, []);
});

test("the page learns whether a message could be sent", (t) => {
  const { link, connection, sent } = linked(t);
  const id = link.tell({ t: "chat" });
  assert.deepEqual(sent("chat"), [{ t: "chat", room: "a", id }]);
  connection.readyState = 3;
  assert.equal(link.tell({ t: "chat" }), "");
});

test("a refused subscription is repeated, each time after a longer pause", (t) => {
  t.mock.method(Math, "random", () => 0.5);
  for (const code of ["busy", "slow-down", "internal", "too-new"]) {
    const { states, frames, connection, receive, sent } = linked(t);
    connection.onopen();
    for (const pause of [500, 1_000, 2_000]) {
      sent("sub");
      receive({ t: "err", code });
      t.mock.timers.tick(pause - 1);
      assert.deepEqual(sent("sub"), [], code);
      t.mock.timers.tick(1);
      assert.deepEqual(sent("sub"), [{ t: "sub", room: "a" }], code);
    }
    receive({ t: "snap" });
    assert.deepEqual([states, frames], [["on"], [{ t: "snap", room: "a" }]]);
    t.mock.timers.reset();
  }
});

test("a final refusal of a subscription is left to the page", (t) => {
  for (const code of ["no-room", "quarantined", "bad-frame"]) {
    const { frames, connection, receive, sent } = linked(t);
    connection.onopen();
    sent("sub");
    receive({ t: "err", code });
    t.mock.timers.tick(14_000);
    assert.deepEqual([sent("sub"), frames.length], [[], 1], code);
    t.mock.timers.reset();
  }
});

test("a page that tries again does not wait, and plays or reads as before", (t) => {
  const { link, connection, receive, sent } = linked(t);
  connection.onopen();
  receive({ t: "sync" });
  link.subscribe({ take: true });
  receive({ t: "err", code: "busy" });
  sent("sub");
  link.retryNow();
  t.mock.timers.tick(14_000);
  assert.deepEqual(sent("sub"), [{ t: "sub", room: "a", take: true }]);
  receive({ t: "sync" });
  link.retryNow();
  assert.deepEqual(sent("sub"), []);
});

test("the page is told that a refused command is repeated, and later how it was answered", (t) => {
  for (const code of ["unavailable", "busy", "moved", "not-following"]) {
    const { link, frames, connection, receive, sent } = linked(t);
    connection.onopen();
    receive({ t: "sync" });
    /** @type {any[]} */
    const answers = [];
    const id = link.command({ kind: "move" }, (err) => answers.push(err));
    sent("cmd");
    receive({ t: "err", id, code });
    assert.deepEqual([frames.at(-1).repeats, answers], [true, []], code);
    t.mock.timers.tick(1_000);
    receive({ t: "sync" });
    assert.deepEqual(sent("cmd").map((/** @type {any} */ frame) => frame.id), [id], code);
    receive({ t: "err", id, code: "stale" });
    assert.deepEqual([frames.at(-1).repeats, answers.map((err) => err.code)], [false, ["stale"]], code);
    link.end();
    t.mock.timers.reset();
  }
});
