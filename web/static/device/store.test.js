import assert from "node:assert/strict";
import { test } from "node:test";

import { Store } from "./store.js";

/** @param {Record<string, string>} [kept] */
function storage(kept = {}) {
  return {
    kept,
    getItem: (/** @type {string} */ key) => kept[key] ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => void (kept[key] = text),
  };
}

test("a game is kept with its steps, and read again", () => {
  const place = storage();
  const store = new Store(place);
  assert.equal(store.kept, null);
  store.take({ game: { id: "a" } });
  store.take({ add: [{ k: "move" }] });
  store.take({});
  assert.deepEqual(new Store(place).kept, { game: { id: "a" }, steps: [{ k: "move" }] });
  store.take({ game: { id: "b" } });
  assert.deepEqual(new Store(place).kept, { game: { id: "b" }, steps: [] });
});

test("what is no game is not read, and stays until the next game", () => {
  const long = `"${"x".repeat(1e6)}"`;
  for (const text of ["", "{", "null", "7", "[]", "{}", '{"game":{}}', '{"game":{},"steps":7}', long]) {
    const place = storage({ "mancala.local": text });
    const store = new Store(place);
    assert.equal(store.kept, null, text.slice(0, 20));
    assert.equal(place.kept["mancala.local"], text);
    store.take({ game: { id: "a" } });
    assert.deepEqual(new Store(place).kept, { game: { id: "a" }, steps: [] });
  }
});

test("without storage the game is kept in the page", () => {
  const full = { ...storage(), setItem: () => { throw new Error("full"); } };
  for (const place of [null, full]) {
    const store = new Store(place);
    store.take({ game: { id: "a" }, add: [{ k: "move" }] });
    assert.equal(store.kept?.steps.length, 1);
  }
});

test("a tab learns that another one plays, and not that it plays itself", () => {
  const place = storage();
  const [mine, other] = [new Store(place), new Store(place)];
  mine.take({ game: { id: "a" } });
  const event = { key: "mancala.local", newValue: place.kept["mancala.local"] };
  assert.equal(mine.elsewhere(event), false);
  assert.equal(other.elsewhere(event), true);
  assert.equal(other.elsewhere({ key: "tab", newValue: "x" }), false);
  assert.equal(other.elsewhere({ key: "mancala.local", newValue: null }), false);
});
