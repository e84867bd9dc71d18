// @ts-check
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { notify } from "./notification.js";

/** @type {any} */
const world = globalThis;
/** The calls that showed or did something. @type {any[]} */
let done = [];
world.window = world;
world.location = new URL("https://mancala.example/");
world.focus = () => done.push("focus");

/** @type {any} the newest notification of the constructor */
let made;
/** A browser. @param {{throws?: boolean, permission?: string, worker?: any}} browser */
function browser({ throws = false, permission = "granted", worker }) {
  world.Notification = class {
    static permission = permission;
    constructor(/** @type {string} */ text) {
      if (throws) throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.");
      done.push(text);
      made = this;
    }
  };
  const serviceWorker = { getRegistration: async () => worker };
  Object.defineProperty(world, "navigator", { configurable: true, value: { serviceWorker } });
}
const shows = {
  showNotification: async (/** @type {string} */ text, /** @type {any} */ how) => done.push([text, how]),
};

beforeEach(() => {
  done = [];
});

test("a click on a notification leads to the tab", () => {
  browser({ worker: shows });
  notify("Ben has challenged you", () => done.push("clicked"));
  made.onclick();
  assert.deepEqual(done, ["Ben has challenged you", "focus", "clicked"]);
});

test("the service worker shows what the page itself cannot show", async () => {
  browser({ throws: true, worker: shows });
  notify("Ben has challenged you");
  await new Promise((then) => setTimeout(then));
  assert.deepEqual(done, [["Ben has challenged you", { data: { path: "/" } }]]);
});

test("a page goes on if nothing can show its notification", async () => {
  for (const worker of [undefined, { showNotification: async () => Promise.reject(new TypeError("no worker")) }]) {
    browser({ throws: true, worker });
    notify("Ben has challenged you");
  }
  browser({ permission: "denied", worker: shows });
  notify("Ben has challenged you");
  await new Promise((then) => setTimeout(then));
  assert.deepEqual(done, []);
});
