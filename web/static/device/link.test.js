import assert from "node:assert/strict";
import { test } from "node:test";

import { DeviceLink } from "./link.js";
import { Session } from "./session.js";
import { Store } from "./store.js";

/** A link to an engine that gives these replies, and what both have seen. @param {any[]} replies */
function linked(replies) {
  /** @type {any[]} */
  const asked = [];
  /** @type {any[]} */
  const frames = [];
  let engines = 0;
  const open = async () => {
    engines++;
    return {
      ask: async (/** @type {string} */ text) => {
        const { now, ...request } = JSON.parse(text);
        assert.ok(now > 0);
        asked.push(request);
        const reply = replies.shift() ?? {};
        if (reply instanceof Error) throw reply;
        return JSON.stringify(reply);
      },
    };
  };
  const store = new Store(null);
  store.take({ game: { id: "a" } });
  const session = new Session(open, store);
  /** @type {any} */
  const wiring = { room: "local", onFrame: (/** @type {any} */ f) => frames.push(f), onState: () => {} };
  /** @type {any[]} */
  const seated = [];
  const link = new DeviceLink(wiring, session, (frame) => seated.push(frame));
  return { link, asked, frames, seated, store, engines: () => engines };
}

const command = (/** @type {DeviceLink} */ link, /** @type {any} */ c) => new Promise((done) => link.command(c, done));

test("a command brings its frames and is kept", async () => {
  const at = linked([{ frames: [{ t: "ev", seq: 2 }], add: [{ k: "move" }] }]);
  assert.equal(await command(at.link, { kind: "move", as: 1, ply: 0, move: "a" }), null);
  assert.deepEqual(at.asked, [{ do: "cmd", id: "c0", kind: "move", as: 1, body: { ply: 0, move: "a" } }]);
  assert.deepEqual(at.frames, [{ t: "ev", seq: 2 }]);
  assert.equal(at.store.kept?.steps.length, 1);
});

test("a refusal is a frame with the command's number", async () => {
  const at = linked([{ error: { code: "empty-pit", detail: { pit: 1 } } }]);
  const err = await command(at.link, { kind: "move", ply: 0, move: "a" });
  assert.deepEqual(err, { t: "err", room: "local", id: "c0", code: "empty-pit", detail: { pit: 1 } });
  assert.deepEqual(at.frames, [err]);
});

test("bots think and answer until a person is on turn", async () => {
  const at = linked([
    { frames: [{ t: "ev", seq: 2 }], bot: true },
    { bot: true, pause: 0 },
    { frames: [{ t: "ev", seq: 3 }], bot: true },
    { bot: true, pause: 0 },
    { frames: [{ t: "ev", seq: 4 }] },
  ]);
  await command(at.link, { kind: "move", ply: 0, move: "a" });
  while (at.frames.length < 3) await new Promise((go) => setTimeout(go));
  assert.deepEqual(at.asked.map((q) => q.do), ["cmd", "think", "bot", "think", "bot"]);
});

test("a bot that cannot answer is told of", async () => {
  const error = { code: "bad-command" };
  const wanted = { t: "err", room: "local", id: undefined, code: "bad-command", detail: undefined };
  for (const replies of [[{ error }], [{ bot: true, pause: 0 }, { error }]]) {
    const at = linked([{ frames: [{ t: "ev", seq: 2 }], bot: true }, ...replies]);
    await command(at.link, { kind: "move", ply: 0, move: "a" });
    while (at.frames.length < 2) await new Promise((go) => setTimeout(go));
    assert.deepEqual(at.frames, [{ t: "ev", seq: 2 }, wanted]);
    assert.equal(at.asked.length, 1 + replies.length);
  }
});

test("an engine that has ended is replaced, and continues the game first", async () => {
  const at = linked([new Error("ended"), { frames: [{ t: "snap" }] }, { frames: [{ t: "ev", seq: 2 }] }]);
  await command(at.link, { kind: "resign" });
  assert.deepEqual(at.asked.map((q) => q.do), ["cmd", "continue", "cmd"]);
  assert.deepEqual(at.asked[1].kept, { game: { id: "a" }, steps: [] });
  assert.deepEqual(at.frames, [{ t: "ev", seq: 2 }]);
});

test("a tab that another one has replaced does nothing until it takes the game over", async () => {
  const at = linked([{ frames: [{ t: "snap", seq: 9 }] }]);
  at.link.leave();
  at.link.leave();
  assert.deepEqual(at.frames, [{ t: "note", room: "local", kind: "superseded" }]);
  assert.equal(await command(at.link, { kind: "resign" }), null);
  assert.equal(at.asked.length, 0);
});

test("the page prepares itself for a whole game before it is shown", async () => {
  const at = linked([{ frames: [{ t: "snap", seq: 1 }] }]);
  at.link.subscribe(); // only other games have more to tell then
  at.link.subscribe({ fresh: true });
  while (at.frames.length < 1) await new Promise((go) => setTimeout(go));
  assert.deepEqual(at.seated, at.frames);
  assert.deepEqual(at.asked.map((q) => q.do), ["read"]);
});
