// @ts-check
/**
 * Walking about a board with the arrow keys, as the eye sees it. Pure.
 *
 * @typedef {{x: number, y: number}} Point
 */

/**
 * The nearest point in a direction, or -1: what lies aside counts three times.
 * @param {Point} from
 * @param {Point[]} points
 * @param {"Up" | "Down" | "Left" | "Right"} way
 */
export function nearest(from, points, way) {
  const across = way === "Up" || way === "Down";
  const sign = way === "Left" || way === "Up" ? -1 : 1;
  let best = -1;
  let least = Infinity;
  points.forEach(({ x, y }, i) => {
    const ahead = sign * (across ? y - from.y : x - from.x);
    const far = ahead + 3 * Math.abs(across ? x - from.x : y - from.y);
    if (ahead > 4 && far < least) [best, least] = [i, far];
  });
  return best;
}

/**
 * Which way a finger was drawn, as long as that is clear.
 * @param {Point} from
 * @param {Point} to
 * @returns {"up" | "down" | "left" | "right" | null}
 */
export function strokeDirection(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const [along, aside] = [Math.max(Math.abs(dx), Math.abs(dy)), Math.min(Math.abs(dx), Math.abs(dy))];
  if (along < 24 || aside > along / 2) return null;
  if (Math.abs(dx) > Math.abs(dy)) return dx < 0 ? "left" : "right";
  return dy < 0 ? "up" : "down";
}
