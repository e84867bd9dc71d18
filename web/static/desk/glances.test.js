import assert from "node:assert/strict";
import { test } from "node:test";
import { game as gameOf } from "../model/fixture.test.js";
import { Glances } from "./glances.js";

test("a player who came back while the desk had no connection is away no more", () => {
  /** @type {(frame: any) => void} */
  let send = () => {};
  const link = { glance: (/** @type {string} */ room, /** @type {any} */ show) => (send = show) };
  const glances = new Glances(() => /** @type {any} */ (link), () => {});
  glances.watch(["r"]);
  const subscribed = () => {
    send({ t: "snap", room: "r", seq: 1, snap: gameOf().snap });
    send({ t: "sync", room: "r", seq: 1 });
  };
  subscribed();
  send({ t: "note", room: "r", kind: "presence", here: false, seat: 1 });
  assert.deepEqual([...glances.away("r")], [1]);
  subscribed();
  assert.deepEqual([...glances.away("r")], []);
});
