// @ts-check
/**
 * The system functions that a Go program calls, as far as a browser has them: the time, random bytes,
 * and a place for what Go says before it ends. There are no files, arguments and settings. The
 * interface is wasi_snapshot_preview1; every number that a function returns is its errno.
 */

const fine = 0;
const badFile = 8; // EBADF
const unknown = 52; // ENOSYS
const clockEvent = 0;
const sizeOfSubscription = 48;
const sizeOfEvent = 32;
const mostRandom = 65_536; // bytes that a browser gives at once
const mostSaid = 4_000; // characters

/** The error that ends the program. */
export class Exit extends Error {}

/**
 * @param {() => WebAssembly.Memory} memory the program's memory, once there is one
 * @returns {{functions: Record<string, (...args: any[]) => number>, said: () => string}}
 *   said: the end of what the program wrote to its outputs
 */
export function wasi(memory) {
  let said = "";
  // The memory's buffer changes when the memory grows.
  const view = () => new DataView(memory().buffer);
  const bytes = (/** @type {number} */ at, /** @type {number} */ size) => new Uint8Array(memory().buffer, at, size);

  /**
   * Reports that there are none: writes 0 as the count and 0 as the size.
   * @param {number} count
   * @param {number} size
   */
  const none = (count, size) => {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return fine;
  };

  const functions = {
    args_sizes_get: none,
    environ_sizes_get: none,
    args_get: () => fine,
    environ_get: () => fine,
    fd_close: () => badFile,
    fd_read: () => badFile,
    fd_fdstat_get: () => badFile,
    fd_fdstat_set_flags: () => badFile,
    fd_prestat_get: () => badFile, // ends the search for folders
    fd_prestat_dir_name: () => badFile,
    sched_yield: () => fine,

    /** @param {number} clock 0 is the calendar's @param {bigint} _ @param {number} at */
    clock_time_get: (clock, _, at) => {
      const now = clock === 0 ? BigInt(Date.now()) * 1_000_000n : BigInt(Math.round(performance.now() * 1e6));
      view().setBigUint64(at, now, true);
      return fine;
    },

    /** @param {number} at @param {number} size */
    random_get: (at, size) => {
      for (let done = 0; done < size; done += mostRandom)
        crypto.getRandomValues(bytes(at + done, Math.min(mostRandom, size - done)));
      return fine;
    },

    /** @param {number} fd @param {number} parts @param {number} count @param {number} written */
    fd_write: (fd, parts, count, written) => {
      if (fd !== 1 && fd !== 2) return badFile;
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const [at, size] = [view().getUint32(parts + 8 * i, true), view().getUint32(parts + 8 * i + 4, true)];
        said = (said + new TextDecoder().decode(bytes(at, size))).slice(-mostSaid);
        sum += size;
      }
      view().setUint32(written, sum, true);
      return fine;
    },

    /**
     * Go waits. A worker cannot sleep, so each wait is over at once: Go looks at its clock and asks again.
     * @param {number} subscriptions @param {number} events @param {number} count @param {number} happened
     */
    poll_oneoff: (subscriptions, events, count, happened) => {
      let n = 0;
      for (let i = 0; i < count; i++) {
        const at = subscriptions + i * sizeOfSubscription;
        if (view().getUint8(at + 8) !== clockEvent) continue;
        const event = events + n++ * sizeOfEvent;
        bytes(event, sizeOfEvent).fill(0);
        view().setBigUint64(event, view().getBigUint64(at, true), true);
      }
      view().setUint32(happened, n, true);
      return n > 0 ? fine : unknown; // without a clock the wait would never end
    },

    /** @param {number} code */
    proc_exit: (code) => {
      throw new Exit(`the program ended with ${code}`);
    },
  };
  return { functions, said: () => said };
}
