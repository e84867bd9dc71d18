// @ts-check
/** The time that a connection waits before it is tried again. Pure. */

const firstRetry = 500; // ms
const lastRetry = 10_000;

/**
 * Returns how long to wait before the next attempt to connect, in ms: what the server asks for,
 * else longer each time.
 * @param {string} reason of the close frame
 * @param {number} tries failed so far
 * @param {number} chance 0 to 1
 */
export function pause(reason, tries, chance) {
  const asked = reason.match(/^retry-ms=(\d+)$/)?.[1];
  if (asked !== undefined) return Math.min(lastRetry, Number(asked));
  return Math.min(lastRetry, firstRetry * 2 ** tries) * (0.75 + chance / 2);
}
