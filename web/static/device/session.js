// @ts-check
/**
 * A game without a server, as the page asks for it: requests to the engine, the parts of the answers
 * that are kept, and another engine after one has ended.
 *
 * @typedef {import("../lib/socket.js").Frame} Frame
 * @typedef {{code: string, detail?: any}} Fault
 * @typedef {{error?: Fault, frames?: Frame[], game?: any, add?: any[], bot?: boolean, pause?: number, wake?: number,
 *   text?: string, json?: any}} Reply as in web/local
 * @typedef {{ask: (text: string) => Promise<string>}} Engine
 */

export class Session {
  /** @type {Promise<Engine> | null} */
  #engine = null;

  /** @param {() => Promise<Engine>} open @param {import("./store.js").Store} store */
  constructor(open, store) {
    this.open = open;
    this.store = store;
  }

  /** Begins a game in place of the one that is kept. @param {Record<string, any>} game */
  begin(game) {
    return this.#send({ do: "begin", game });
  }

  /** Goes on with the game that is kept. @returns {Promise<Reply>} */
  async goOn() {
    const { kept } = this.store;
    if (!kept) return { error: { code: "no-game" } };
    return this.#send({ do: "continue", kept: { game: kept.game, steps: kept.steps } });
  }

  /**
   * Asks something about the game. If the engine has ended, another one continues the game first.
   * @param {Record<string, any>} request
   * @returns {Promise<Reply>}
   */
  async ask(request) {
    const reply = await this.#send(request).catch(() => null);
    if (reply && !["no-game", "broken"].includes(reply.error?.code ?? "")) return reply;
    const again = await this.goOn();
    return again.error ? again : this.#send(request);
  }

  /** @param {Record<string, any>} request @returns {Promise<Reply>} */
  async #send(request) {
    this.#engine ??= this.open();
    const engine = await this.#engine.catch((e) => {
      this.#engine = null; // it is loaded again when it is needed next
      throw e;
    });
    /** @type {Reply} */
    const reply = JSON.parse(await engine.ask(JSON.stringify({ now: Date.now(), ...request })));
    if (!reply.error) this.store.take(reply);
    else if (reply.error.code === "broken") console.error("local:", reply.error.detail?.why); // a defect
    return reply;
  }
}
