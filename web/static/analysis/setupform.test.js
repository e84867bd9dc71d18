import assert from "node:assert/strict";
import { test } from "node:test";
import { positionOf } from "./setupform.js";

const shape = { sides: 2, partners: 1, pits: 3 };

/** The fields of the form. */
function form(pits, stores, seat) {
  const data = new FormData();
  for (const n of pits) data.append("pit", n);
  for (const n of stores) data.append("store", n);
  data.append("seat", seat);
  return data;
}

test("a position that is set up is written as the rules say", () => {
  assert.equal(positionOf(form([1, 2, 3, 0, 5, 6], [7, 8], 1), shape, {}), "1,2,3/0,5,6 7/8 N play 0 0");
});

test("claimed pits and houses stay what they were, unless their seeds say otherwise", () => {
  const marks = { 0: "x", 1: "x", 2: "h", 3: "h!", 4: "h", 5: "!" };
  assert.equal(positionOf(form([0, 2, 3, 4, 0, 6], [7, 8], 0), shape, marks), "x,2,3h/4h,0,6 7/8 S play 0 0");
});
