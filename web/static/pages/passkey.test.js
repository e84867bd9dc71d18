// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { bytes, text } from "../lib/base64url.js";
import { answer, question } from "./passkey.js";

test("options get bytes where the browser wants them, and nothing else changes", () => {
  const q = question({
    challenge: "AQI",
    user: { id: "Aw", name: "Ada" },
    excludeCredentials: [{ id: "BA", type: "public-key" }],
    timeout: 9,
  });
  assert.deepEqual(q, {
    challenge: Uint8Array.of(1, 2), user: { id: Uint8Array.of(3), name: "Ada" },
    excludeCredentials: [{ id: Uint8Array.of(4), type: "public-key" }], timeout: 9,
  });
  assert.deepEqual(Object.keys(question({ challenge: "AQI" })), ["challenge"]);
});

test("an answer holds only the fields that exist", () => {
  const buffer = Uint8Array.of(1).buffer;
  const shown = answer({
    id: "k",
    rawId: buffer,
    type: "public-key",
    response: { clientDataJSON: buffer, signature: buffer, userHandle: null },
  });
  assert.deepEqual(shown.response, { clientDataJSON: "AQ", signature: "AQ" });
  const made = answer({
    id: "k",
    rawId: buffer,
    type: "public-key",
    response: { clientDataJSON: buffer, attestationObject: buffer, getTransports: () => ["internal"] },
  });
  assert.deepEqual(made.response, { clientDataJSON: "AQ", attestationObject: "AQ", transports: ["internal"] });
});
