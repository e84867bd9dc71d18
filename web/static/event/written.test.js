// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { figure, moment } from "./written.js";

test("numbers have the decimal comma where people write it", () => {
  assert.deepEqual([2.5, -12.25, 1250, 0].map((n) => figure(n, "en")), ["2.5", "−12.25", "1250", "0"]);
  assert.deepEqual([2.5, -12.25, 1250, 0].map((n) => figure(n, "fr")), ["2,5", "−12,25", "1250", "0"]);
});

test("a time has the reader's date", () => {
  const at = new Date(2026, 10, 26, 15, 4); // by the clock of this device
  assert.equal(moment(at, "iso", "fr"), "2026-11-26 15:04");
  assert.match(moment(at, "day", "fr"), /^26 novembre 2026\D* 15:04$/);
  assert.match(moment(at, "day", "en"), /^26 November 2026\D* 15:04$/);
  assert.match(moment(at, "month", "en"), /^November 26, 2026\D* 3:04/);
});
