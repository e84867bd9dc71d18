import assert from "node:assert/strict";
import { test } from "node:test";
import { join, parse, Progress } from "./progress.js";

test("two places know together what each of them knows", () => {
  assert.deepEqual(join({ kalah: ["sow"], oware: ["feed"] }, { kalah: ["end", "sow"], bao: ["sow"] }), {
    kalah: ["sow", "end"],
    oware: ["feed"],
    bao: ["sow"],
  });
});

test("what is stored and is no progress is nothing", () => {
  for (const text of [null, "", "{", "null", "3", '"x"']) assert.deepEqual(parse(text), {});
  assert.deepEqual(parse('{"kalah":["sow"],"oware":"feed","bao":[1]}'), { kalah: ["sow"] });
});

test("steps that were done without a network are sent when it is back", async () => {
  /** @type {any} */
  const world = globalThis;
  let cut = true;
  let back = () => {};
  const sent = [];
  world.addEventListener = (what, then) => what === "online" && (back = then);
  world.fetch = async (_, { body }) => {
    if (cut) throw new TypeError("no network");
    sent.push(JSON.parse(body));
    return new Response("{}");
  };
  const settled = () => new Promise((done) => setImmediate(done));
  const progress = new Progress("kalah", true);
  progress.add("sow");
  progress.add("again");
  await settled();
  cut = false;
  back();
  await settled();
  progress.add("capture");
  await settled();
  back();
  await settled();
  assert.deepEqual(sent, [{ kalah: ["sow", "again"] }, { kalah: ["capture"] }]);
});
