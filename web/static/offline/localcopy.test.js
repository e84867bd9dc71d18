// @ts-check
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { storeLocal } from "./localcopy.js";

/** @type {any} */
const world = globalThis;
/** The messages to the worker. @type {any[]} */
let asked = [];

const active = {
  postMessage(/** @type {any} */ message, /** @type {MessagePort[]} */ [port]) {
    asked.push(message);
    port.postMessage(true);
    port.close();
  },
};
Object.defineProperty(world, "navigator", { value: { serviceWorker: { ready: Promise.resolve({ active }) } } });
world.document = { documentElement: { lang: "fr" } };

beforeEach(() => {
  asked = [];
});

test("the worker stores what plays without a server in the language of the page", async () => {
  world.location = new URL("https://mancala.example/local?rules=oware");
  assert.equal(await storeLocal(), true);
  assert.deepEqual(asked, [{ local: "fr" }]);
});

test("a page in a language of its own stores nothing: the other pages have the viewer's", async () => {
  world.location = new URL("https://mancala.example/local?lang=fr");
  assert.equal(await storeLocal(), false);
  assert.deepEqual(asked, []);
});
