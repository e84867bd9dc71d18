// @ts-check
/**
 * The worker in which the program runs, so that a search does not stop the page. A bundle of its own. It
 * gets requests as texts and answers each, one after the other.
 *
 * @typedef {{ready: true} | {answer: string} | {refused: string} | {failed: string}} FromWorker
 *   ready: the program is loaded; refused: this request has no answer; failed: there will be no more answers
 */

import { Refused, start } from "./module.js";

const worker = /** @type {any} */ (self);
const say = (/** @type {FromWorker} */ message) => worker.postMessage(message);

// The server puts the module's own address here.
const program = start((imports) => WebAssembly.instantiateStreaming(fetch("/static/local.wasm"), imports));

program.then(
  () => say({ ready: true }),
  (err) => say({ failed: String(err) }),
);

worker.addEventListener("message", async (/** @type {MessageEvent<string>} */ { data }) => {
  try {
    const ask = await program;
    say({ answer: ask(data) });
  } catch (err) {
    say(err instanceof Refused ? { refused: err.message } : { failed: String(err) });
  }
});
