import assert from "node:assert/strict";
import { test } from "node:test";
import {
  botPath,
  elapsed,
  empty,
  goneRowsStay,
  offersBot,
  replaced,
  settled,
  updated,
  unjoinable,
} from "./seekrows.js";

const seek = (id) => ({ seek: id, name: `Name of ${id}`, rules: "kalah", clock: "none" });
const ids = (list) => list.rows.map((r) => (r.gone ? `(${r.seek})` : r.seek)).join(" ");
const two = updated(empty, { new: [seek("b"), seek("a")] }, false, 0);

test("new seeks come on top", () => {
  assert.equal(ids(updated(two, { new: [seek("c")] }, false, 0)), "c b a");
});

test("a gone seek stays in its place for a while", () => {
  const list = updated(two, { gone: ["b"] }, false, 1000);
  assert.equal(ids(list), "(b) a");
  assert.equal(ids(settled(list, false, 999 + goneRowsStay)), "(b) a");
  assert.equal(ids(settled(list, false, 1000 + goneRowsStay)), "a");
});

test("nothing moves while the list is held", () => {
  let list = two;
  for (let i = 0; i < 50; i++)
    list = updated(list, { new: [seek(`n${i}`)], gone: i === 3 ? ["a"] : i > 5 ? [`n${i - 1}`] : [] }, true, 1e6 * i);
  assert.equal(ids(list), "b (a)");
  assert.equal(list.waiting.length, 6); // n0 to n4, and the last
  assert.equal(ids(settled(list, false, 1e9)), "n49 n4 n3 n2 n1 n0 b");
});

test("a snapshot changes only the rows that differ", () => {
  const list = replaced(two, [seek("c"), seek("a")], false, 5);
  assert.equal(ids(list), "c (b) a");
  assert.equal(ids(replaced(list, [seek("c"), seek("a")], false, 6)), "c (b) a");
  assert.equal(ids(updated(list, { new: [seek("b")] }, false, 7)), "b c a"); // announced again
});

test("a waiting time has minutes and seconds", () => {
  assert.deepEqual([-5, 0, 7_900, 754_000].map(elapsed), ["0:00", "0:00", "0:07", "12:34"]);
});

test("a seek that cannot be joined says why", () => {
  const seek = { seek: "a", name: "Ada", rules: "oware", clock: "5+3" };
  const can = { ratings: { "oware rapid": 1620 } };
  assert.equal(unjoinable(seek, null), "");
  assert.equal(unjoinable({ ...seek, rated: true }, null), "needs-account");
  assert.equal(unjoinable({ ...seek, rated: true }, can), "");
  assert.equal(unjoinable({ ...seek, low: 1400, high: 1600, in: "oware rapid" }, can), "out-of-range");
  assert.equal(unjoinable({ ...seek, low: 1600, in: "oware rapid" }, can), "");
  assert.equal(unjoinable({ ...seek, high: 1500, in: "kalah rapid" }, can), "");
  assert.equal(unjoinable({ ...seek, high: 1600 }, null), "out-of-range");
});

test("after 10 s of waiting a computer player is offered, for the same rules", () => {
  assert.ok(!offersBot(9_999) && offersBot(10_000));
  assert.equal(botPath({ rules: "oware" }), "/bot?rules=oware");
  assert.equal(botPath({ rules: "kalah", options: "seeds=5 pits=7" }), "/bot?rules=kalah&options=seeds%3D5+pits%3D7");
});
