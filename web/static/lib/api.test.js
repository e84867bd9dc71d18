// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {any} */
const world = globalThis;
world.document = { documentElement: { lang: "en", dataset: {} } };
world.location = new URL("https://mancala.example/");
const { request } = await import("./api.js");

/**
 * Returns the answer of request and the texts that it tells.
 * @param {() => Promise<any>} answer of the network
 * @param {string} [failed]
 */
async function asked(answer, failed) {
  world.fetch = answer;
  /** @type {string[]} */
  const told = [];
  return { body: await request("/x", {}, (text) => told.push(text), failed), told };
}
const says = (/** @type {number} */ status, /** @type {string} */ body) => async () => new Response(body, { status });
const offline = () => Promise.reject(new TypeError("Failed to fetch"));

test("a request without an answer is told as failed", async () => {
  assert.deepEqual(await asked(offline, "That did not work."), { body: null, told: ["That did not work."] });
  assert.deepEqual(await asked(says(502, "<h1>Bad gateway</h1>"), "Failed."), { body: null, told: ["Failed."] });
  assert.deepEqual(await asked(offline), { body: null, told: [] });
});

test("a refusal is told in the server's words", async () => {
  assert.deepEqual(await asked(says(429, '{"msg":"Slower."}'), "Failed."), { body: null, told: ["Slower."] });
  assert.deepEqual(await asked(says(200, '{"n":1}'), "Failed."), { body: { n: 1 }, told: [] });
});
