// @ts-check
/**
 * The steps of lessons that the reader has done. The browser keeps them, and so does the reader's
 * account: what one of them knows comes to the other.
 */

const name = "lessons"; // in the browser's storage

/** @typedef {Record<string, string[]>} Done kinds of steps, by system */

/**
 * Joins what two places know.
 * @param {Done} a
 * @param {Done} b
 * @returns {Done}
 */
export function join(a, b) {
  /** @type {Done} */
  const all = { ...a };
  for (const [system, steps] of Object.entries(b)) all[system] = [...new Set([...(all[system] ?? []), ...steps])];
  return all;
}

/**
 * Reads what a browser has stored; anything else than lists of words is nothing.
 * @param {string | null} text @returns {Done}
 */
export function parse(text) {
  try {
    const stored = JSON.parse(text ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(
        ([, steps]) => Array.isArray(steps) && steps.every((step) => typeof step === "string"),
      ),
    );
  } catch {
    return {};
  }
}

export class Progress {
  /** @type {Done} */
  #done;
  /** @type {Set<string>} steps that the account may not know yet */
  #news = new Set();

  /** @param {string} system @param {boolean} account the server keeps the steps too */
  constructor(system, account) {
    this.system = system;
    this.account = account;
    this.#done = read();
    addEventListener("online", () => this.#send());
  }

  /** Reports whether a step was done. @param {string} kind */
  has(kind) {
    return (this.#done[this.system] ?? []).includes(kind);
  }

  /** Notes a step. @param {string} kind */
  add(kind) {
    this.#keep(join(read(), { [this.system]: [kind] })); // another tab may have added steps
    this.#news.add(kind);
    void this.#send();
  }

  /** Takes over what the account knows, and tells it what it does not. */
  async meet() {
    if (!this.account) return;
    const answer = await fetch("/api/v1/me/lessons").catch(() => null);
    const known = answer?.ok ? parse(await answer.text().catch(() => null)) : null;
    if (!known) return;
    this.#keep(join(read(), known));
    for (const kind of this.#done[this.system] ?? [])
      if (!known[this.system]?.includes(kind)) this.#news.add(kind);
    await this.#send();
  }

  /** @param {Done} done */
  #keep(done) {
    this.#done = join(this.#done, done);
    try {
      localStorage.setItem(name, JSON.stringify(this.#done));
    } catch {
      // without storage they are kept until the page is left
    }
  }

  /** Steps that do not arrive are sent with the next one, when the network is back, or when the next lesson opens. */
  async #send() {
    const steps = [...this.#news];
    if (!this.account || steps.length === 0) return;
    const answer = await fetch("/api/v1/me/lessons", {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ [this.system]: steps }),
      keepalive: true, // the request outlives the page
    }).catch(() => null);
    if (answer?.ok) for (const kind of steps) this.#news.delete(kind);
  }
}

/** @returns {Done} */
function read() {
  try {
    return parse(localStorage.getItem(name));
  } catch {
    return {};
  }
}
