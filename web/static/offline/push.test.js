// @ts-check
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** @type {any} */
const world = globalThis;

/** The worker's event handlers. @type {Record<string, (e: any) => void>} */
const on = {};
/** The calls that showed, opened, focused or sent something. @type {any[]} */
let done = [];
/** Open tabs. @type {any[]} */
let tabs = [];

world.location = new URL("https://mancala.example/sw.js");
world.fetch = async (/** @type {string} */ url, /** @type {any} */ { method, body }) => done.push([method, url, body]);
const subscription = (/** @type {string} */ endpoint) => ({
  options: { userVisibleOnly: true },
  toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: "k", auth: "a" } }),
});
world.self = {
  addEventListener: (/** @type {string} */ what, /** @type {(e: any) => void} */ then) => (on[what] = then),
  registration: {
    showNotification: async (/** @type {string} */ title, /** @type {any} */ how) => done.push([title, how]),
    pushManager: {
      subscribe: async (/** @type {any} */ how) => {
        done.push(how);
        return subscription("https://push.example/2");
      },
    },
  },
  clients: {
    matchAll: async () => tabs,
    openWindow: async (/** @type {string} */ url) => done.push(["open", url]),
  },
};
await import("./push.js");

/** @param {string} what @param {any} e */
async function happens(what, e) {
  let until;
  on[what]({ ...e, waitUntil: (/** @type {Promise<void>} */ p) => (until = p) });
  await until;
}

/** @param {any} path */
const click = (path) =>
  happens("notificationclick", { notification: { close: () => done.push("close"), data: { path } } });

beforeEach(() => {
  [done, tabs] = [[], []];
});

test("a message is shown with its tag, its language and its direction", async () => {
  const message = {
    ...{ title: "حان دورك", body: "Kalah", tag: "k3v9qa2m7x", path: "/k3v9qa2m7x" },
    ...{ icon: "/i.png", lang: "ar", dir: "rtl" },
  };
  await happens("push", { data: { json: () => message } });
  const { title, path, ...how } = message;
  assert.deepEqual(done, [[title, { ...how, renotify: true, data: { path } }]]);
});

test("a message that cannot be read is shown too, as browsers demand", async () => {
  await happens("push", { data: null });
  await happens("push", {
    data: {
      json: () => {
        throw new SyntaxError();
      },
    },
  });
  assert.deepEqual(
    done.map(([title, how]) => [title, how.renotify]),
    [
      ["Mancala", false],
      ["Mancala", false],
    ],
  );
});

test("a click goes to the open tab of the game", async () => {
  const tab = (/** @type {string} */ path) => ({
    url: `https://mancala.example${path}`,
    focus: async () => done.push(["focus", path]),
  });
  tabs = [tab("/"), tab("/k3v9qa2m7x#12"), tab("/learn")];
  await click("/k3v9qa2m7x");
  assert.deepEqual(done, ["close", ["focus", "/k3v9qa2m7x#12"]]);
});

test("a click opens the game, and never another site", async () => {
  for (const [path, want] of [
    ["/k3v9qa2m7x", "/k3v9qa2m7x"],
    ["//evil.example/x", "/"],
    ["/\\evil.example", "/"],
    ["https://evil.example/", "/"],
    ["javascript:alert(1)", "/"],
    [undefined, "/"],
    [7, "/"],
  ]) {
    done = [];
    await click(path);
    assert.deepEqual(done, ["close", ["open", `https://mancala.example${want}`]]);
  }
});

test("a replaced subscription is sent to the server", async () => {
  const sent = (/** @type {string} */ endpoint) => [
    "POST",
    "/api/v1/me/push",
    JSON.stringify({ endpoint, keys: { p256dh: "k", auth: "a" } }),
  ];
  await happens("pushsubscriptionchange", { newSubscription: subscription("https://push.example/1") });
  assert.deepEqual(done, [sent("https://push.example/1")]);
  done = [];
  await happens("pushsubscriptionchange", { oldSubscription: subscription("https://push.example/1") });
  assert.deepEqual(done, [{ userVisibleOnly: true }, sent("https://push.example/2")]);
  done = [];
  await happens("pushsubscriptionchange", {});
  assert.deepEqual(done, []);
});
