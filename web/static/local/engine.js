// @ts-check
/**
 * The page's side of the worker that plays without a server.
 *
 *     const engine = await open();
 *     const answer = JSON.parse(await engine.ask(JSON.stringify(request)));
 *
 * @typedef {import("./localworker.js").FromWorker} FromWorker
 */

const patience = 60_000; // ms; the longest search takes a few seconds on a slow telephone

export class Engine {
  /** @type {Program | null} null until the next request needs one */
  #program = null;
  /** @type {Promise<any>} ends when the last request is answered */
  #last = Promise.resolve();

  /** Loads the program if there is none. It fails if it cannot be loaded; a later call tries again. */
  async start() {
    const program = (this.#program ??= new Program());
    const message = await program.loaded;
    if (!("ready" in message)) this.#fail(program, message);
    return program;
  }

  /**
   * Asks the program. A request waits until those before it are answered. If the program ends or does not
   * answer, the promise is rejected, and the next request gets a new program, which knows of none before.
   * @param {string} text @returns {Promise<string>}
   */
  ask(text) {
    const answer = this.#last.then(() => this.#exchange(text));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Ends the program, also in the middle of a search. The next request starts a new one. */
  close() {
    this.#program?.end("closed");
    this.#program = null;
  }

  /** @param {string} text @returns {Promise<string>} */
  async #exchange(text) {
    const program = await this.start();
    const message = await program.ask(text);
    if ("answer" in message) return message.answer;
    if ("refused" in message) throw new Error(`local: ${message.refused}`);
    return this.#fail(program, message);
  }

  /** @param {Program} program @param {FromWorker} message @returns {never} */
  #fail(program, message) {
    program.end("closed");
    if (this.#program === program) this.#program = null;
    throw new Error(`local: ${"failed" in message ? message.failed : "an unexpected message"}`);
  }
}

/** Loads the program. It can be loaded without a network if the service worker keeps it. */
export async function open() {
  const engine = new Engine();
  await engine.start();
  return engine;
}

/** A worker with the program in it. */
class Program {
  /** @type {(message: FromWorker) => void} */
  #told = () => {};

  constructor() {
    this.worker = new Worker("/static/localworker.js"); // the server puts the address of this release here
    this.worker.onmessage = ({ data }) => this.#told(data);
    this.worker.onerror = (e) => this.#told({ failed: e.message || "the worker cannot be loaded" });
    this.worker.onmessageerror = () => this.#told({ failed: "a message that cannot be read" });
    this.loaded = this.#message();
  }

  /** @param {string} text */
  ask(text) {
    const message = this.#message();
    this.worker.postMessage(text);
    return message;
  }

  /** Stops the worker. What waits for a message gets this one. @param {string} why */
  end(why) {
    this.worker.terminate();
    this.#told({ failed: why });
  }

  /** Waits for the next message. @returns {Promise<FromWorker>} */
  #message() {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ failed: "no answer" }), patience);
      this.#told = (message) => {
        clearTimeout(timer);
        resolve(message);
      };
    });
  }
}
