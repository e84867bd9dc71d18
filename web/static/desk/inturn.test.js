import assert from "node:assert/strict";
import { test } from "node:test";
import { inTurn } from "./inturn.js";

/** A server that answers when the test says so. */
function server() {
  /** @type {(() => void)[]} */
  const open = [];
  let asked = 0;
  const ask = inTurn(() => new Promise((resolve) => void (asked++, open.push(resolve))));
  const answer = async () => {
    open.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, answer, asked: () => asked };
}

test("many questions while an answer is on its way become one after it", async () => {
  const { ask, answer, asked } = server();
  for (let i = 0; i < 5; i++) void ask();
  assert.equal(asked(), 1);
  await answer();
  assert.equal(asked(), 2);
  await answer();
  assert.equal(asked(), 2);
});

test("a question after the answer is asked at once, and ends with its answer", async () => {
  const { ask, answer, asked } = server();
  const first = ask();
  await answer();
  await first;
  const second = ask();
  assert.equal(asked(), 2);
  await answer();
  await second;
});

test("a question that fails does not stop the next one", async () => {
  let asked = 0;
  const ask = inTurn(async () => {
    if (asked++ === 0) throw new Error("no answer");
  });
  await assert.rejects(ask());
  await ask();
  assert.equal(asked, 2);
});
