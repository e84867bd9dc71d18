// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { playerActs } from "./playerdialog.js";

/**
 * @param {string} format
 * @param {object} player
 * @param {string} [stage]
 */
const acts = (format, player, stage = "running") =>
  playerActs(/** @type {any} */ ({ stage, settings: { format, rounds: 0 }, start: [1, 2] }), {
    n: 3,
    id: "p3",
    ...player,
  });

test("a player who was out at the start returns only where they can be paired", () => {
  const out = { out: true, joined: 2 };
  assert.deepEqual(acts("knockout", out), []);
  assert.deepEqual(acts("roundrobin", out), []);
  assert.deepEqual(acts("doubleround", out), []);
  assert.deepEqual(acts("swiss", out), ["return"]);
  assert.deepEqual(acts("arena", out), ["return"]);
  assert.deepEqual(acts("class", out), ["return"]);
  assert.deepEqual(acts("knockout", out, "entry"), ["return"], "before the start");
  assert.deepEqual(acts("knockout", { ...out, n: 2 }), ["return"], "a player of the starting order");
});

test("a player checks in before the start, and withdraws until the end", () => {
  assert.deepEqual(acts("swiss", {}, "entry"), ["here", "leave"]);
  assert.deepEqual(acts("swiss", { here: true }, "entry"), ["leave"]);
  assert.deepEqual(acts("swiss", { paper: true }, "entry"), ["leave"]);
  assert.deepEqual(acts("knockout", {}), ["leave"]);
  assert.deepEqual(acts("knockout", { out: true, n: 2 }, "over"), []);
});
