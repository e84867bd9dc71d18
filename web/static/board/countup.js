// @ts-check
/** A number that runs up. */

const longest = 500; // ms
const slowest = 40; // ms between two numbers, at most

/**
 * Writes the numbers from one to another, one after the other.
 * @param {number} from
 * @param {number} to
 * @param {(n: number) => void} write
 * @returns {() => void} ends it: the last number is written
 */
export function countUp(from, to, write) {
  let n = from;
  let timer = 0;
  const go = () => {
    write(n);
    if (n++ < to) timer = window.setTimeout(go, Math.min(slowest, longest / (to - from)));
  };
  go();
  return () => {
    clearTimeout(timer);
    if (n <= to) write(to);
  };
}
