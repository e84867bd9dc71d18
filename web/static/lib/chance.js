// @ts-check
/** Chance that is the same for everybody: a number that depends on a text alone. Pure. */

/** Returns the FNV-1a hash of a text, mixed further and scaled to a number from 0 to below 1. @param {string} text */
export function chance(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return ((hash ^ (hash >>> 12)) >>> 0) / 2 ** 32;
}
