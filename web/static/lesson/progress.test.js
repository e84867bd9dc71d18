import assert from "node:assert/strict";
import { test } from "node:test";
import { join, parse } from "./progress.js";

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
