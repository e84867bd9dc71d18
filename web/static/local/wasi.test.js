// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { Exit, wasi } from "./wasi.js";

const memory = new WebAssembly.Memory({ initial: 4 });
const { functions: f, said } = wasi(() => memory);
const view = () => new DataView(memory.buffer);

test("clocks count in nanoseconds", () => {
  const now = BigInt(Date.now());
  assert.equal(f.clock_time_get(0, 0n, 16), 0);
  assert.ok(view().getBigUint64(16, true) / 1_000_000n >= now);
  f.clock_time_get(1, 0n, 24);
  const first = view().getBigUint64(24, true);
  f.clock_time_get(1, 0n, 24);
  assert.ok(view().getBigUint64(24, true) >= first);
});

test("random bytes fill what was asked for, and nothing else", () => {
  const size = 140_000; // more than a browser gives at once
  assert.equal(f.random_get(1000, size), 0);
  const all = new Uint8Array(memory.buffer);
  for (let at = 1000; at + 64 <= 1000 + size; at += 64) assert.ok(all.subarray(at, at + 64).some(Boolean), String(at));
  assert.ok(!all.subarray(1000 + size).some(Boolean) && !all.subarray(900, 1000).some(Boolean));
});

test("there are no arguments, no settings and no files", () => {
  view().setUint32(0, 7, true);
  view().setUint32(4, 7, true);
  assert.equal(f.args_sizes_get(0, 4), 0);
  assert.deepEqual([view().getUint32(0, true), view().getUint32(4, true)], [0, 0]);
  for (const name of ["fd_prestat_get", "fd_fdstat_get", "fd_close"]) assert.equal(f[name](3, 0), 8, name);
  assert.equal(f.fd_write(3, 0, 0, 8), 8);
});

test("what the program says is kept, as far as it is short", () => {
  new Uint8Array(memory.buffer).set(new TextEncoder().encode("é!".repeat(1000)), 2000);
  for (const [i, n] of [2000, 3, 2003, 3].entries()) view().setUint32(4 * i, n, true);
  assert.equal(f.fd_write(2, 0, 2, 40), 0);
  assert.equal(view().getUint32(40, true), 6);
  assert.equal(said(), "é!é!");
  view().setUint32(4, 3000, true);
  for (let i = 0; i < 10; i++) f.fd_write(1, 0, 1, 40);
  assert.equal(said().length, 4000);
});

test("a wait is over at once, and its event names it", () => {
  view().setBigUint64(0, 42n, true);
  view().setUint8(8, 0);
  new Uint8Array(memory.buffer).fill(255, 200, 232);
  assert.equal(f.poll_oneoff(0, 200, 1, 300), 0);
  assert.deepEqual([view().getUint32(300, true), view().getBigUint64(200, true)], [1, 42n]);
  assert.ok(!new Uint8Array(memory.buffer, 208, 24).some(Boolean));
  view().setUint8(8, 1); // a file
  assert.notEqual(f.poll_oneoff(0, 200, 1, 300), 0);
});

test("a program can end", () => assert.throws(() => f.proc_exit(2), Exit));

test("memory that has grown is the one that is written", () => {
  memory.grow(1);
  assert.equal(f.random_get(4 * 65_536 + 10, 64), 0);
  assert.ok(new Uint8Array(memory.buffer, 4 * 65_536 + 10, 64).some(Boolean));
});
