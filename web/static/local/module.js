// @ts-check
/** The Go program that plays without a server (package web/local), as a function from texts to texts. */

import { wasi } from "./wasi.js";

/**
 * A request that the program does not take. It answers the next one. All other errors end the program.
 */
export class Refused extends Error {}

/**
 * Starts the program.
 * @param {(imports: WebAssembly.Imports) => Promise<WebAssembly.WebAssemblyInstantiatedSource>} load
 * @returns {Promise<(request: string) => string>}
 */
export async function start(load) {
  /** @type {WebAssembly.Memory} */
  let memory;
  const system = wasi(() => memory);
  const { instance } = await load({ wasi_snapshot_preview1: system.functions });
  const go = /** @type {any} */ (instance.exports);
  memory = go.memory;

  /** Calls a function of the program. @param {string} name @param {number[]} args @returns {number} */
  const call = (name, ...args) => {
    try {
      return go[name](...args);
    } catch (err) {
      throw new Error(`${err}\n${system.said()}`.trim(), { cause: err });
    }
  };
  call("_initialize");
  return (request) => {
    const bytes = new TextEncoder().encode(request);
    const at = call("request_at", bytes.length) >>> 0;
    if (at === 0) throw new Refused(`a request of ${bytes.length} bytes is too long`);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const size = call("answer_request") >>> 0;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, call("answer_at") >>> 0, size));
  };
}
