import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Requests } from "./requests.js";

const longest = 60_000; // ms; no wait is longer
/** @type {string[]} */
let asked;
let reloads = 0;
mock.timers.enable({ apis: ["setTimeout"] });
Object.assign(globalThis, {
  window: globalThis,
  location: { reload: () => reloads++ },
  fetch: async (/** @type {string} */ path) => {
    asked.push(path);
    return { ok: true, text: async () => JSON.stringify({ names: { p7: "Ada" } }) };
  },
});
beforeEach(() => {
  asked = [];
  reloads = 0;
});

const state = /** @type {any} */ ({ players: [{ n: 1, id: "p1" }] });
const settled = () => new Promise((resolve) => setImmediate(resolve));
const requests = (names = () => {}) => new Requests("cup1", { names, table: () => {}, page: () => {} });

test("names are asked for once after a wait, from the first number that is wanted", async () => {
  /** @type {any[]} */
  const got = [];
  const page = requests((/** @type {any} */ answer) => got.push(answer.names));
  page.askNames(state, 7);
  page.askNames(state, 3);
  page.askNames(state, 5);
  assert.deepEqual(asked, [], "a thousand pages do not ask at once");
  mock.timers.tick(longest);
  await settled();
  assert.deepEqual(asked, ["/api/v1/tournaments/cup1/names?from=3"]);
  assert.deepEqual(got, [{ p7: "Ada" }]);
  page.askNames(state, 7);
  mock.timers.tick(longest);
  assert.equal(asked.at(-1), "/api/v1/tournaments/cup1/names?from=7");
});

test("a page waits before it loads itself again, and does nothing else meanwhile", () => {
  const page = requests();
  page.refresh(state);
  page.reload(state);
  page.refresh(state);
  assert.equal(reloads, 0, "a thousand pages do not load at once");
  mock.timers.tick(longest);
  assert.equal(reloads, 1);
  assert.deepEqual(asked, []);
});

test("a page whose viewer has changed something asks at once, however many others there are", () => {
  globalThis.location = /** @type {any} */ ({ pathname: "/t/cup1" });
  globalThis.fetch = /** @type {any} */ ((/** @type {string} */ path) => Promise.reject(asked.push(path)));
  const crowd = { ...state, players: Array(1000).fill(state.players[0]) };
  mock.method(Math, "random", () => 0.9);
  requests().refresh(crowd);
  requests().refresh(crowd, 0);
  mock.timers.tick(1_000);
  assert.deepEqual(asked, ["/t/cup1"]);
});
