import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Connection } from "./connection.js";

/** @param {{hasClock?: boolean}} [how] */
function connection({ hasClock = true } = {}) {
  /** @type {string[]} */
  const shouted = [];
  const t = Object.assign((/** @type {string} */ key) => key, {
    has: (/** @type {string} */ key) => key === "closed.4501",
    lang: "en",
  });
  const c = new Connection(t, {
    shout: (text) => text && shouted.push(text),
    missed: (plies, ended) => [...plies.map((ply) => ply.move), ...(ended ? ["over"] : [])].join(),
    changed: () => {},
    hasClock: () => hasClock,
  });
  globalThis.document = /** @type {any} */ ({ querySelector: () => null });
  globalThis.location = /** @type {any} */ ({ pathname: "/x" });
  globalThis.fetch = async () => new Response("");
  c.changedTo("on", 0);
  return { c, shouted };
}

test("a loss of less than a second is not mentioned", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const { c, shouted } = connection();
  c.changedTo("retrying", 1006);
  t.mock.timers.tick(900);
  c.changedTo("on", 0);
  t.mock.timers.tick(20_000);
  assert.deepEqual([c.state, c.text, shouted], ["on", "", []]);
});

test("what was missed is told also when the loss was not mentioned", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const { c, shouted } = connection();
  const lost = async (/** @type {string} */ move, /** @type {boolean} */ ended) => {
    c.changedTo("retrying", 1006);
    t.mock.timers.tick(500);
    c.addMissed(move ? { seat: 1, move } : undefined, ended);
    c.changedTo("on", 0);
    await Promise.resolve();
    t.mock.timers.tick(20_000);
  };
  await lost("b", false);
  await lost("", true);
  await lost("", false); // the game has been over for a while
  assert.deepEqual(shouted, ["b", "over"]);
});

test("a loss is told after a second, and what it means after fifteen", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const { c, shouted } = connection();
  c.changedTo("retrying", 1006);
  t.mock.timers.tick(1_000);
  assert.deepEqual([c.state, c.text, c.retry], ["retrying", "reconnecting", false]);
  c.changedTo("retrying", 1006); // another attempt has failed
  t.mock.timers.tick(14_000);
  assert.deepEqual([c.state, c.text, c.retry], ["off", "offline", true]);
  c.addMissed({ seat: 1, move: "b" }, false);
  c.changedTo("on", 0);
  assert.deepEqual([c.state, c.text, c.retry, c.lost], ["on", "", false, true]);
  c.addMissed({ seat: 1, move: "c" }, false); // from the snapshot that came with the connection
  await Promise.resolve();
  assert.equal(c.lost, false);
  assert.deepEqual(shouted, ["lost", "offline", "online b,c"]);
});

test("without a clock the text does not claim that it runs", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const { c } = connection({ hasClock: false });
  c.changedTo("retrying", 1006);
  t.mock.timers.tick(15_000);
  assert.equal(c.text, "offline.untimed");
});

test("a final close gives the reason", () => {
  mock.reset();
  const { c } = connection();
  c.changedTo("final", 4501);
  assert.deepEqual([c.state, c.text, c.retry, c.reload], ["off", "closed.4501", false, true]);
  c.changedTo("final", 4500);
  assert.equal(c.text, "closed");
});

test("the reason of a final close stays when the connection was lost before", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const { c, shouted } = connection();
  c.changedTo("retrying", 1006);
  c.changedTo("final", 4501); // the next attempt ends so
  t.mock.timers.tick(20_000);
  assert.deepEqual([c.state, c.text, c.retry, shouted], ["off", "closed.4501", false, ["closed.4501"]]);
});

test("a page that cannot reconnect because of another release says so", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const { c, shouted } = connection();
  globalThis.document = /** @type {any} */ ({ querySelector: () => ({ getAttribute: () => "/static/game.1.js" }) });
  globalThis.fetch = async () => new Response('<script type="module" src="/static/game.2.js"></script>');
  c.changedTo("retrying", 1006);
  t.mock.timers.tick(1_000);
  t.mock.timers.tick(14_000);
  await new Promise(setImmediate);
  assert.deepEqual([c.state, c.text, c.retry, c.reload], ["off", "outdated", false, true]);
  assert.deepEqual(shouted, ["lost", "offline", "outdated"]);
  c.changedTo("on", 0); // the connection is back
  assert.deepEqual([c.text, c.reload, c.updated], ["", false, true]);
});
