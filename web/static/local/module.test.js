// @ts-check
// The program that browsers load runs in Node as well.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { Refused, start } from "./module.js";

const artifact = new URL("../../local/artifact/local.wasm.br", import.meta.url);
const module = await WebAssembly.compile(brotliDecompressSync(readFileSync(artifact)));
const load = async (/** @type {any} */ imports) => ({
  module,
  instance: await WebAssembly.instantiate(module, imports),
});

test("the program answers requests", async () => {
  const ask = await start(load);
  for (let i = 0; i < 50; i++) {
    const answer = ask(`{"n":${i},"é":"${"x".repeat(i * 500)}"}`);
    assert.equal(typeof JSON.parse(answer), "object");
  }
  assert.equal(typeof JSON.parse(ask("")), "object");
  assert.equal(typeof JSON.parse(ask("{")), "object");
});

test("a request that is too long is refused, and the next one is answered", async () => {
  const ask = await start(load);
  assert.throws(() => ask("x".repeat(1 << 21)), Refused);
  assert.equal(typeof JSON.parse(ask("{}")), "object");
});

test("the program asks nothing of its system that a browser has not", () => {
  const names = WebAssembly.Module.imports(module).map((i) => `${i.module} ${i.kind}`);
  assert.deepEqual([...new Set(names)], ["wasi_snapshot_preview1 function"]);
});

test("a program that ends says why", async () => {
  /** A program whose function `name` ends as Go's runtime does. @param {string} name */
  const ending = (name) => async (/** @type {any} */ imports) => {
    const system = imports.wasi_snapshot_preview1;
    const memory = new WebAssembly.Memory({ initial: 1 });
    new Uint8Array(memory.buffer).set(new TextEncoder().encode("panic: no pit"), 100);
    const exports = { memory, _initialize() {}, request_at: () => 512, answer_request: () => 0, answer_at: () => 512 };
    const view = new DataView(memory.buffer);
    view.setUint32(0, 100, true);
    view.setUint32(4, 13, true);
    exports[/** @type {"answer_request"} */ (name)] = () => {
      system.fd_write(2, 0, 1, 8);
      return system.proc_exit(2);
    };
    return /** @type {any} */ ({ instance: { exports } });
  };
  await assert.rejects(start(ending("_initialize")), /ended with 2\npanic: no pit$/);
  const ask = await start(ending("answer_request"));
  assert.throws(() => ask("{}"), /ended with 2\npanic: no pit$/);
});
