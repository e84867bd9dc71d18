// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { Study } from "./study.js";
import { add } from "./tree.js";

const board = { pits: [1, 1], stores: [0, 0] };
const after = (/** @type {string} */ move, /** @type {string} */ position) => ({
  ...{ seat: 0, move, trace: [], ...board, position },
});
/** A match of the given number of rounds, at the end of the last one. @param {number} rounds */
function match(rounds) {
  const study = new Study(/** @type {any} */ ({ snap: board }), 2);
  const all = Array(rounds).fill({ first: board, plies: [after("a", "")] });
  study.load(all, Array(rounds).fill({ start: "1/1 0/0 S play 0 0", positions: ["1/1 0/0 N play 0 1"] }));
  return study;
}

test("the address of a variation names the round and where the variation leaves the game", () => {
  for (const [rounds, address] of /** @type {[number, string][]} */ ([[1, "#1"], [3, "#3.1"]])) {
    const study = match(rounds);
    assert.equal(study.hash, address);
    study.here = add(study.here, after("b", "1/1 0/0 S play 0 2"), 2);
    assert.equal(study.hash, address);
  }
});

test("a position that was set up has no address, and neither has a variation of it", () => {
  const study = match(3);
  study.here = study.setUp(/** @type {any} */ ({ ...board, position: "1/1 0/0 S play 0 0" }));
  study.here = add(study.here, after("a", "1/1 0/0 N play 0 1"), 2);
  assert.equal(study.hash, "");
});
