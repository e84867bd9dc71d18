// @ts-check
/**
 * The game without a server that this browser keeps: the choices and every command. It is a guess
 * until the engine has continued it: storage can be old, cut off or written by others.
 *
 * @typedef {{game: any, steps: any[], tab?: string}} Kept
 */

const key = "mancala.local";
const most = 1_000_000; // characters; the engine takes no longer request

export class Store {
  /** The kept game, also where storage is forbidden or full. @type {Kept | null} */
  kept = null;
  #tab = Math.random().toString(36).slice(2);

  /** @param {Pick<Storage, "getItem" | "setItem"> | null} storage null: it is forbidden */
  constructor(storage) {
    this.storage = storage;
    this.read();
  }

  /** Reads what is kept. @returns {Kept | null} */
  read() {
    try {
      const text = this.storage?.getItem(key) ?? "";
      const read = text && text.length < most ? JSON.parse(text) : null;
      this.kept = read?.game && Array.isArray(read.steps) ? { game: read.game, steps: read.steps } : null;
    } catch {
      this.kept = null; // no JSON, or the storage is forbidden
    }
    return this.kept;
  }

  /** Takes over what a reply tells to keep. @param {{game?: any, add?: any[]}} reply */
  take({ game, add }) {
    if (game) this.kept = { game, steps: [] };
    if (add) this.kept?.steps.push(...add);
    if (game || add) this.write();
  }

  /** Writes what is kept, and that this tab plays. */
  write() {
    try {
      if (this.kept) this.storage?.setItem(key, JSON.stringify({ ...this.kept, tab: this.#tab }));
    } catch {
      // Without storage the game ends with its tab.
    }
  }

  /** Reports whether a storage event tells that another tab plays. @param {Pick<StorageEvent, "key" | "newValue">} e */
  elsewhere(e) {
    return e.key === key && e.newValue !== null && !e.newValue.endsWith(`"tab":"${this.#tab}"}`);
  }
}
