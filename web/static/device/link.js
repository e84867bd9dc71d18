// @ts-check
/**
 * The link of a game without a server. It takes commands and gives frames, as the socket of other games
 * does (lib/socket.js), and lets bots think. It is always connected.
 *
 * @typedef {import("../lib/socket.js").Frame} Frame
 * @typedef {import("../lib/socket.js").Command} Command
 * @typedef {import("./session.js").Reply} Reply
 */

export class DeviceLink {
  #counter = 0;
  #thinking = false;
  #round = 0; // timer of the next round
  #left = false; // another tab plays

  /**
   * @param {import("../lib/socket.js").Wiring} wiring
   * @param {import("./session.js").Session} session
   * @param {(frame: Frame) => void} before called before a frame with a whole game is shown
   */
  constructor(wiring, session, before) {
    this.wiring = wiring;
    this.session = session;
    this.before = before;
    // The page makes its other parts first.
    queueMicrotask(() => wiring.onState?.("on", 0));
  }

  /**
   * @param {Command} command
   * @param {(err: Frame | null) => void} [answered]
   * @returns {string} the id, which a refusal names
   */
  command(command, answered) {
    const { kind, as, ...body } = command;
    const id = `c${this.#counter++}`;
    void this.#do({ do: "cmd", id, kind, as, body }, id).then((err) => answered?.(err));
    return id;
  }

  /** Does nothing: there is nobody else to tell. */
  tell() {
    return "";
  }

  follow() {}

  retryNow() {}

  end() {}

  /**
   * Asks for the whole game.
   * @param {{fresh?: boolean, take?: boolean}} [how] fresh: the page's game does not fit; take: another tab has
   *   played, and this one goes on
   */
  subscribe({ fresh = false, take = false } = {}) {
    if (take) void this.#takeOver();
    else if (fresh) void this.#do({ do: "read" });
  }

  /** Leaves the game to another tab, which plays from now on. */
  leave() {
    if (this.#left) return;
    this.#left = true;
    this.#show([{ t: "note", room: this.wiring.room, kind: "superseded" }]);
  }

  async #takeOver() {
    this.#left = false;
    this.session.store.read();
    const reply = await this.session.goOn().catch(() => null);
    if (!reply || reply.error) return this.#refused(reply);
    this.session.store.write(); // the other tab learns it
    this.next(reply);
  }

  /** Shows what a reply tells, and does what has to be done next. @param {Reply} reply */
  next({ frames = [], bot, wake }) {
    this.#show(frames);
    clearTimeout(this.#round);
    if (wake) this.#round = setTimeout(() => this.#do({ do: "wake" }), Math.max(0, wake - Date.now()));
    if (bot) void this.#think();
  }

  /** @param {Frame[]} frames */
  #show(frames) {
    for (const frame of frames) {
      if (frame.t === "snap") this.before(frame);
      this.wiring.onFrame(frame);
    }
  }

  /**
   * @param {Record<string, any>} request
   * @param {string} [id] of a command
   * @returns {Promise<Frame | null>} the refusal
   */
  async #do(request, id) {
    if (this.#left) return null;
    const reply = await this.session.ask(request).catch(() => null);
    if (!reply || reply.error) return this.#refused(reply, id);
    this.next(reply);
    return null;
  }

  /** @param {Reply | null} reply null: the engine has failed @param {string} [id] @returns {Frame} */
  #refused(reply, id) {
    const { code = "unavailable", detail } = reply?.error ?? {};
    const frame = { t: "err", room: this.wiring.room, id, code, detail };
    this.#show([frame]);
    return frame;
  }

  /** Lets the bots on turn think, one after the other, and waits until people have seen the ply before. */
  async #think() {
    if (this.#thinking) return;
    this.#thinking = true;
    try {
      for (let more = true; more && !this.#left; ) {
        const began = Date.now();
        const thought = await this.session.ask({ do: "think" });
        if (thought.error) return void this.#refused(thought);
        if (!thought.bot) break;
        await new Promise((go) => setTimeout(go, (thought.pause ?? 0) - (Date.now() - began)));
        if (this.#left) break;
        const reply = await this.session.ask({ do: "bot" });
        if (reply.error) return void this.#refused(reply);
        more = reply.bot ?? false; // also if the game went another way meanwhile
        this.next({ ...reply, bot: false });
      }
    } catch {
      this.#refused(null);
    } finally {
      this.#thinking = false;
    }
  }
}
