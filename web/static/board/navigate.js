// @ts-check
/**
 * Directions on the screen: moving about the board with the arrow keys, and strokes of a finger.
 *
 * @typedef {{x: number, y: number}} Point
 */

/**
 * Returns the index of the nearest point in a direction, or -1. A sideways distance counts three
 * times.
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
 * Returns the cell that is nearest to another one in a direction.
 * @template {Element} E
 * @param {E} from
 * @param {E[]} cells
 * @param {"Up" | "Down" | "Left" | "Right"} way
 * @returns {E | undefined}
 */
export function neighbour(from, cells, way) {
  const others = cells.filter((cell) => cell !== from);
  const centre = (/** @type {Element} */ el) => {
    const r = el.getBoundingClientRect();
    return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
  };
  return others[nearest(centre(from), others.map(centre), way)];
}

/**
 * Returns the direction of a stroke, or null if it is not clear.
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
