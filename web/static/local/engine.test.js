// @ts-check
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { open } from "./engine.js";

/** The workers that were started. @type {FakeWorker[]} */
let workers = [];
/** The first message of the next workers. @type {any} */
let first = { ready: true };

class FakeWorker {
  /** @type {any[]} */
  asked = [];
  ended = false;
  /** @type {any} */
  onmessage = null;
  /** @type {any} */
  onerror = null;
  /** @param {string} url */
  constructor(url) {
    this.url = url;
    workers.push(this);
    const news = first;
    queueMicrotask(() => {
      if (news?.error) this.onerror(new Event("error"));
      else if (news) this.says(news);
    });
  }
  /** @param {any} data */
  postMessage(data) {
    this.asked.push(data);
  }
  terminate() {
    this.ended = true;
  }
  /** @param {any} data */
  says(data) {
    this.onmessage({ data });
  }
}
/** @type {any} */ (globalThis).Worker = FakeWorker;
/** Lets everything that can go on go on. */
const settled = () => new Promise((done) => setImmediate(done));

beforeEach(() => {
  workers = [];
  first = { ready: true };
});

test("requests go to the worker one after the other", async () => {
  const engine = await open();
  const both = [engine.ask("a"), engine.ask("b")];
  await settled();
  assert.deepEqual([workers.length, workers[0].asked, workers[0].url], [1, ["a"], "/static/localworker.js"]);
  workers[0].says({ answer: "A" });
  await settled();
  assert.deepEqual(workers[0].asked, ["a", "b"]);
  workers[0].says({ answer: "B" });
  assert.deepEqual(await Promise.all(both), ["A", "B"]);
});

test("a refused request leaves the worker as it is", async () => {
  const engine = await open();
  const answer = engine.ask("a");
  await settled();
  workers[0].says({ refused: "too long" });
  await assert.rejects(answer, /local: too long/);
  const next = engine.ask("b");
  await settled();
  workers[0].says({ answer: "B" });
  assert.equal(await next, "B");
  assert.equal(workers.length, 1);
});

test("a worker that dies is replaced, and the requests behind it are answered", async () => {
  const engine = await open();
  const [one, two] = [engine.ask("a"), engine.ask("b")];
  one.catch(() => {});
  await settled();
  workers[0].says({ failed: "Exit: the program ended with 2" });
  await assert.rejects(one, /local: Exit: the program ended with 2/);
  await settled();
  assert.deepEqual([workers.length, workers[0].ended, workers[1].asked], [2, true, ["b"]]);
  workers[1].says({ answer: "B" });
  assert.equal(await two, "B");
});

test("a program that cannot be loaded is an error, and is loaded when it can be", async () => {
  first = { failed: "TypeError: no network" };
  await assert.rejects(open(), /local: TypeError: no network/);
  assert.equal(workers[0].ended, true);
  first = { error: true };
  await assert.rejects(open(), /local: the worker cannot be loaded/);
  first = { ready: true };
  const engine = await open();
  const answer = engine.ask("a");
  await settled();
  workers[2].says({ answer: "A" });
  assert.equal(await answer, "A");
});

test("a search can be ended, and the engine goes on", async () => {
  const engine = await open();
  const long = engine.ask("long");
  await settled();
  engine.close();
  await assert.rejects(long, /local: closed/);
  assert.equal(workers[0].ended, true);
  const next = engine.ask("b");
  await settled();
  assert.deepEqual([workers.length, workers[1].asked], [2, ["b"]]);
  workers[1].says({ answer: "B" });
  assert.equal(await next, "B");
});

test("a worker that does not answer is replaced", async (t) => {
  const engine = await open();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const answer = engine.ask("a");
  answer.catch(() => {});
  await settled();
  t.mock.timers.tick(60_000);
  await assert.rejects(answer, /local: no answer/);
  assert.equal(workers[0].ended, true);
});

test("an engine that is closed while it loads says so", async () => {
  const engine = await open();
  engine.close();
  first = null; // the next worker loads for ever
  const answer = engine.ask("a");
  await settled();
  engine.close();
  await assert.rejects(answer, /local: closed/);
  assert.equal(workers[1].ended, true);
});
