// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { bytes, text } from "./base64url.js";

test("bytes are converted to text and back", () => {
  for (const list of [[], [0], [251, 255, 190], [1, 2, 3, 4, 255]]) {
    const there = text(Uint8Array.from(list).buffer);
    assert.match(there, /^[\w-]*$/);
    assert.deepEqual(Array.from(bytes(there)), list);
  }
});
