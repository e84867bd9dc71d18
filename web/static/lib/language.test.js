// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { inLanguage, textOf } from "./language.js";

/** @param {string} search @param {string} path */
function asked(search, path) {
  /** @type {any} */ (globalThis).location = { search };
  return inLanguage(path);
}

test("what a page asks for has the language of its address", () => {
  assert.equal(asked("?lang=fr", "/mine"), "/mine?lang=fr");
  assert.equal(asked("?ply=3&lang=sw", "/ws?watch"), "/ws?watch&lang=sw");
  assert.equal(asked("?lang=ar", "/learn/kalah?options=seeds%3D5"), "/learn/kalah?options=seeds%3D5&lang=ar");
});

test("an address without a language leaves the choice to the server", () => {
  assert.equal(asked("?ply=3", "/mine"), "/mine");
  assert.equal(asked("", "/mine"), "/mine");
  assert.equal(asked("?slang=fr&lang=%26x", "/mine"), "/mine");
});

test("an answer that the server refuses or that breaks off has no text", async () => {
  const lost = () => Promise.reject(new TypeError("Failed to fetch"));
  const answers = [
    { ok: true, text: async () => "words" },
    { ok: false, text: async () => "an error page" },
    { ok: true, text: () => Promise.reject(new TypeError("Failed to fetch")) },
  ];
  /** @type {any} */ (globalThis).fetch = async () => answers.shift() ?? lost();
  const texts = [];
  for (let i = 0; i < 4; i++) texts.push(await textOf("/mine"));
  assert.deepEqual(texts, ["words", "", "", ""]);
});
