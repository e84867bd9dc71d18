// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { figure, moment, onDay, onDayShort, typed } from "./numbersandtimes.js";

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

test("a time in a field is that of this device, and comes back as it was", () => {
  const at = new Date(2026, 6, 1, 20, 0).getTime(); // in summer
  assert.equal(typed(at), "2026-07-01T20:00");
  assert.equal(new Date(typed(at)).getTime(), at);
});

test("the end of a round has its weekday", () => {
  const at = new Date(2026, 10, 29, 20, 0).getTime();
  assert.match(onDay(at, "fr"), /^dimanche 29 novembre\D* 20:00$/);
  const day = 86_400_000;
  assert.match(onDayShort(at, at - 5 * day, "de"), /^So\D* 20:00$/);
  assert.match(onDayShort(at, at - 6 * day, "de"), /^29\. Nov\.?$/);
});
