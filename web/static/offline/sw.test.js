// @ts-check
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** @type {any} */
const world = globalThis;

/** The worker's event handlers. @type {Record<string, (e: any) => void>} */
const on = {};
/** The worker's acts on pages. @type {any[]} */
let done = [];
/** The stored answers, by cache. @type {Map<string, Map<string, Response>>} */
let kept = new Map();
/** The server's answers by path; 200 for all others. @type {Record<string, () => Response>} */
let server = {};
/** @type {string[]} */
let asked = [];
/** The language in which the server answers. */
let language = "en";

world.location = new URL("https://mancala.example/sw.js");
const address = (/** @type {any} */ url) => new URL(url.url ?? url, world.location).href;
world.fetch = async (/** @type {any} */ url) => {
  const path = new URL(address(url)).pathname;
  asked.push(path);
  return server[path]?.() ?? new Response("", { headers: { "X-Offline": "keep", "Content-Language": language } });
};
world.caches = {
  open: async (/** @type {string} */ name) => {
    const cache = kept.get(name) ?? new Map();
    kept.set(name, cache);
    const put = async (/** @type {any} */ url, /** @type {Response} */ answer) => void cache.set(address(url), answer);
    return {
      put,
      match: async (/** @type {string} */ url) => cache.get(address(url)),
      add: async (/** @type {string} */ url) => {
        const answer = await fetch(url);
        if (!answer.ok) throw new TypeError("refused");
        await put(url, answer);
      },
      keys: async () => [...cache.keys()].map((url) => new Request(url)),
      delete: async (/** @type {any} */ url) => cache.delete(address(url)),
    };
  },
  match: async (/** @type {any} */ url, /** @type {{ignoreSearch?: boolean}} */ { ignoreSearch } = {}) => {
    const wanted = address(url);
    for (const cache of kept.values())
      for (const [at, answer] of cache) if (at === (ignoreSearch ? wanted.split("?")[0] : wanted)) return answer;
  },
  keys: async () => [...kept.keys()],
  delete: async (/** @type {string} */ name) => kept.delete(name),
};
world.self = {
  release: {
    version: "2",
    shell: ["/offline", "/static/page.2.js"],
    own: { en: ["/static/texts.en.json"], fr: ["/static/texts.fr.json"] },
    pages: ["/learn", "/learn/kalah"],
    local: {
      page: "/local",
      script: "/static/local.2.js",
      files: ["/static/local.2.wasm", "/static/localworker.2.js"],
    },
  },
  addEventListener: (/** @type {string} */ what, /** @type {(e: any) => void} */ then) => (on[what] = then),
  skipWaiting: async () => done.push("skip"),
  clients: {
    claim: async () => done.push("claim"),
    matchAll: async () => [{ postMessage: (/** @type {any} */ m) => done.push(m) }],
  },
};
mock.method(globalThis, "setTimeout", (/** @type {() => void} */ f) => queueMicrotask(f));
await import("./sw.js");

/** Returns what the worker answers. @param {string} what @param {any} [data] */
async function happens(what, data) {
  let until;
  /** @type {any} */
  let answer;
  const ports = [{ postMessage: (/** @type {any} */ m) => (answer = m) }];
  on[what]({ data, ports, waitUntil: (/** @type {Promise<void>} */ p) => (until = p) });
  await until;
  return answer;
}

/** Opens an address in the browser. @param {string} path @param {string} [mode] @returns {Promise<Response>} */
async function opens(path, mode = "navigate") {
  const after = /** @type {Promise<any>[]} */ ([]);
  /** @type {any} */
  let answer;
  on.fetch({
    request: { method: "GET", mode, url: address(path) },
    waitUntil: (/** @type {Promise<any>} */ p) => after.push(p),
    respondWith: (/** @type {Promise<Response>} */ p) => (answer = p),
  });
  const response = await answer;
  await Promise.all(after);
  return response;
}

/** Paths in a cache. @param {string} name */
const paths = (name) => [...(kept.get(name)?.keys() ?? [])].map((url) => new URL(url).pathname).sort();

beforeEach(() => {
  [done, kept, server, asked, language] = [[], new Map(), {}, [], "en"];
});

test("a new worker stores its release, takes over the open pages and tells them", async () => {
  await happens("install");
  assert.deepEqual(paths("shell-2"), ["/offline", "/static/page.2.js", "/static/texts.en.json"]);
  await happens("activate");
  const { script, files } = /** @type {any} */ (globalThis).self.release.local;
  assert.deepEqual(done, ["skip", "claim", { release: ["/offline", "/static/page.2.js", script, ...files] }]);
});

test("a refused file does not stop the others, and is requested again", async () => {
  server["/offline"] = () => new Response("", { status: 429 });
  await happens("install");
  assert.deepEqual([paths("shell-2"), done], [["/static/page.2.js"], ["skip"]]);
  await happens("message", { tidy: language });
  assert.deepEqual(paths("pages"), [], "what every page needs comes first");
  server = {};
  asked = [];
  await happens("message", { tidy: language });
  assert.deepEqual(paths("shell-2"), ["/offline", "/static/page.2.js", "/static/texts.en.json"]);
  assert.deepEqual(asked, ["/offline", "/learn", "/learn/kalah"], "nothing is requested twice");
});

test("a release renews the stored pages, and removes the old one when all are there", async () => {
  const mine = "/k3v9qa2m7x";
  for (const [name, path] of [["shell-1", "/static/page.1.js"], ["pages", "/learn"], ["pages", mine]])
    await (await world.caches.open(name)).put(path, new Response("old"));
  await happens("install");
  server[mine] = () => new Response("", { status: 503 });
  await happens("message", { tidy: language });
  assert.deepEqual([...kept.keys()].sort(), ["pages", "shell-1", "shell-2"]);
  server = {};
  await happens("message", { tidy: language });
  assert.deepEqual([...kept.keys()].sort(), ["pages", "shell-2"]);
  assert.equal(await kept.get("pages")?.get(address(mine))?.text(), "");
  server[mine] = () => new Response("", { status: 404 });
  await happens("message", { keep: [mine] });
  assert.deepEqual(paths("pages"), ["/learn", "/learn/kalah"], "a gone page is not kept");
});

test("a change of language renews the pages and fetches the texts", async () => {
  await happens("install");
  await happens("message", { tidy: "en" });
  language = "fr";
  asked = [];
  await happens("message", { tidy: "fr" });
  assert.deepEqual(asked, ["/offline", "/static/texts.fr.json", "/learn", "/learn/kalah"]);
  asked = [];
  await happens("message", { tidy: "fr" });
  assert.deepEqual(asked, [], "nothing is requested twice");
});

test("a page of the release before is understood", async () => {
  await happens("message", "tidy");
  assert.deepEqual(asked, []);
});

test("a page that loaded while the worker started can ask to be taken over", async () => {
  await happens("message", "claim");
  assert.deepEqual(done, ["claim"]);
});

test("the server's answer is shown, also an error, and also with a full or a stuck disk", async () => {
  const full = () => Promise.reject(new DOMException("", "QuotaExceededError"));
  const stuck = () => new Promise(() => {});
  const cases = [...[200, 429, 500, 503].map((status) => ({ status, disk: full })), { status: 200, disk: stuck }];
  for (const { status, disk } of cases) {
    server["/learn"] = () => new Response("", { status, headers: { "X-Offline": "keep" } });
    /** @type {Promise<Response> | undefined} */
    let answer;
    const { open } = world.caches;
    world.caches.open = disk;
    on.fetch({
      request: { method: "GET", mode: "navigate", url: address("/learn") },
      waitUntil: () => {},
      respondWith: (/** @type {Promise<Response>} */ p) => (answer = p),
    });
    assert.equal((await answer)?.status, status);
    world.caches.open = open;
  }
});

/** The page of games without a server, of a release and in a language. @param {number} n @param {string} [lang] */
const localPage = (n, lang = "en") =>
  new Response(`<script src="/static/local.${n}.js"></script><link href="/static/local.${n}.css"> ${lang}`, {
    headers: { "Content-Language": lang },
  });
const files = ["css", "js", "wasm"].map((kind) => `/static/local.2.${kind}`);
const everything = ["/local", ...files, "/static/localworker.2.js"];

test("what plays without a server is stored for those who ask for it, with the lessons", async () => {
  server["/local"] = () => localPage(2);
  await happens("install");
  await happens("message", { tidy: "en" });
  assert.deepEqual([paths("local-2"), paths("pages")], [[], ["/learn", "/learn/kalah"]]);
  await opens("/local");
  assert.deepEqual(paths("local-2"), [], "opening the page is no wish");
  assert.equal(await happens("message", { local: "en" }), true);
  assert.deepEqual([paths("local-2"), paths("pages")], [everything, ["/learn", "/learn/kalah", "/learn/kalah/lesson"]]);
  asked = [];
  assert.equal(await happens("message", { local: "en" }), true);
  assert.deepEqual(asked, [], "nothing is requested twice");
  world.fetch = mock.fn(world.fetch, async () => Promise.reject(new TypeError("no network")), { times: 1 });
  assert.match(await (await opens("/local?rules=oware")).text(), /local.2.js/);
});

test("what several pages ask for at once is fetched once", async () => {
  server["/local"] = () => localPage(2);
  await happens("install");
  asked = [];
  const wishes = [{ tidy: "en" }, { local: "en" }, { local: "en" }, { tidy: "en" }];
  await Promise.all(wishes.map((wish) => happens("message", wish)));
  assert.deepEqual(asked, [...new Set(asked)], "nothing is requested twice");
  assert.deepEqual([paths("local-2"), paths("pages")], [everything, ["/learn", "/learn/kalah", "/learn/kalah/lesson"]]);
});

test("an instance of a release without the page of games without a server does not hide the stored one", async () => {
  server["/local"] = () => new Response("not found", { status: 404 });
  assert.equal((await opens("/local?rules=oware")).status, 404, "nothing is stored");
  const cache = await world.caches.open("local-2");
  await cache.put("/local", localPage(2));
  assert.match(await (await opens("/local?rules=oware")).text(), /local.2.js/);
  assert.deepEqual(paths("local-2"), ["/local"]);
});

test("a page in a language of its own does not replace the stored one", async () => {
  server["/local"] = () => localPage(2, language);
  await happens("install");
  await happens("message", { local: "en" });
  language = "fr";
  await opens("/local?lang=fr");
  assert.match((await kept.get("local-2")?.get(address("/local"))?.text()) ?? "", / en$/);
});

test("releases that never became complete leave nothing", async () => {
  for (const [name, path] of [["local-a", "/local"], ["local-b", "/local"], ["local-c", "/static/local.c.wasm"]])
    await (await world.caches.open(name)).put(path, new Response("old"));
  server["/local"] = () => new Response("", { status: 503 });
  const stored = () => [...kept.keys()].filter((name) => name.startsWith("local-"));
  await happens("install");
  await happens("message", { tidy: "en" });
  assert.deepEqual(stored(), ["local-b", "local-2"], "the newest copy that opens");
  server["/local"] = () => localPage(2);
  await happens("message", { tidy: "en" });
  assert.deepEqual(stored(), ["local-2"]);
});

test("a release renews what plays without a server only as a whole", async () => {
  const old = await world.caches.open("local-1");
  await old.put("/local", localPage(1));
  await old.put("/static/local.1.wasm", new Response("old"));
  await happens("install");
  server["/local"] = () => localPage(1); // from an instance of the release before
  await happens("message", { tidy: "en" });
  assert.deepEqual([...kept.keys()].sort(), ["local-1", "local-2", "pages", "shell-2"]);
  await opens("/local");
  assert.equal(paths("local-2").includes("/local"), false, "an old page must not meet the new module");
  server["/local"] = () => localPage(2);
  server["/static/local.2.wasm"] = () => new Response("", { status: 503 });
  kept.get("local-2")?.delete(address("/static/local.2.wasm"));
  await opens("/local");
  assert.equal(paths("local-2").includes("/local"), false, "the page does not come before the module");
  delete server["/static/local.2.wasm"];
  await happens("message", { tidy: "en" });
  assert.deepEqual([[...kept.keys()].sort(), paths("local-2")], [["local-2", "pages", "shell-2"], everything]);
});

test("a change of language renews the page of games without a server", async () => {
  server["/local"] = () => localPage(2, language);
  await happens("install");
  await happens("message", { local: "en" });
  language = "fr";
  await happens("message", { tidy: "fr" });
  assert.match((await kept.get("local-2")?.get(address("/local"))?.text()) ?? "", / fr$/);
});

test("without space the visitor is told, and the other pages are stored", async () => {
  server["/local"] = () => localPage(2);
  server["/static/local.2.wasm"] = () => new Response("", { status: 503 });
  await happens("install");
  assert.equal(await happens("message", { local: "en" }), false);
  assert.deepEqual(paths("pages"), ["/learn", "/learn/kalah", "/learn/kalah/lesson"]);
});

test("without a network a link to a moment opens the stored game", async () => {
  await (await world.caches.open("pages")).put("/k3v9qa2m7x", new Response("the game"));
  server["/k3v9qa2m7x"] = () => assert.fail("no network");
  assert.equal(await (await opens("/k3v9qa2m7x?ply=3")).text(), "the game");
});

test("without a network a replay that is not stored is an error", async () => {
  await happens("install");
  server["/k3v9qa2m7x/replay"] = () => assert.fail("no network");
  assert.equal((await opens("/k3v9qa2m7x/replay", "cors")).type, "error");
});
