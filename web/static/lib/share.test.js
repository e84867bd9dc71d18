// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { share } from "./share.js";

/** A device with a share sheet that ends so, and what is copied. @param {() => Promise<void>} sheet */
function device(sheet) {
  /** @type {string[]} */
  const copied = [];
  const clipboard = { writeText: async (/** @type {string} */ text) => void copied.push(text) };
  Object.defineProperty(globalThis, "navigator", { value: { share: sheet, clipboard }, configurable: true });
  /** @type {any} */ (globalThis).document = { querySelector: () => null };
  return copied;
}

const fails = (/** @type {string} */ name) => async () => {
  throw new DOMException("", name);
};

test("a share sheet that is closed is no failure", async () => {
  const copied = device(fails("AbortError"));
  assert.equal(await share("Kalah", "/a"), "shared");
  assert.deepEqual(copied, []);
});

test("the link is copied when the share sheet does not open", async () => {
  const copied = device(fails("NotAllowedError"));
  assert.equal(await share("Kalah", "/a"), "copied");
  assert.deepEqual(copied, ["/a"]);
});
