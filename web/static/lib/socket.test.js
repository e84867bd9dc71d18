import assert from "node:assert/strict";
import { test } from "node:test";

/** A connection of the browser, which closes when it is told to. */
class Connection {
  static OPEN = 1;
  readyState = 1;
  /** @type {((e: {code: number, reason: string}) => void) | null} */
  onclose = null;
  /** @param {number} code */
  close(code) {
    queueMicrotask(() => this.onclose?.({ code, reason: "" }));
  }
  send() {}
}

test("the page that ends the connection is not told that it has ended", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, {
    WebSocket: Connection,
    addEventListener: () => {},
    document: { addEventListener: () => {}, documentElement: { lang: "en", dataset: {} } },
    location: new URL("http://mancala.test/"),
    window: globalThis,
  });
  const { Link } = await import("./socket.js");
  /** @type {string[]} */
  const states = [];
  const link = new Link(
    /** @type {any} */ ({ url: "/ws", room: "a", since: () => undefined, plays: () => null, onFrame: () => {},
      onState: (/** @type {string} */ state) => states.push(state), onPace: () => {} }),
  );
  link.end();
  await Promise.resolve();
  t.mock.timers.tick(60_000);
  assert.deepEqual(states, []);
});
