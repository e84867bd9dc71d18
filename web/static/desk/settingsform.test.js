import assert from "node:assert/strict";
import { test } from "node:test";
import { tieBreaks } from "./settingsform.js";

test("tie-breaks are those of the fields in their order, each once", () => {
  assert.equal(tieBreaks(["BH", "DE", "", "BH", ""], "DE,BH"), "BH,DE");
});

test("tie-breaks without a field stay behind those of the fields", () => {
  assert.equal(tieBreaks(["DE", "BH"], "DE,BH,SEEDS"), "DE,BH,SEEDS");
  assert.equal(tieBreaks(["SEEDS", "BH"], "DE,BH,SEEDS"), "SEEDS,BH");
});

test("without a choice the usual tie-breaks count", () => {
  assert.equal(tieBreaks(["", ""], "DE,BH,SEEDS"), "");
});
