// @ts-check
/**
 * The pages of the projector, and the time for which each is shown. Pure.
 *
 * @typedef {{kind: "join" | "pairings" | "table" | "best" | "winners", page: number}} Slide
 * @typedef {{stage: string, boards: number, ranks: number, perPage: number, playing: boolean,
 *   sinceStart: number}} Facts
 *   boards: of the round; ranks: rows of the standings; perPage: rows that fit; playing: there is a game
 *   to show; sinceStart: ms since the round started
 */

export const turn = 12_000; // ms for which a page is shown
export const stay = 180_000; // ms from the start of a round in which only its pairings are shown
const tablePages = 3; // of the standings, since those who lead are looked for

/** Returns all pages in their order. @param {Facts} facts @returns {Slide[]} */
export function slides({ stage, boards, ranks, perPage, playing, sinceStart }) {
  const pages = (/** @type {Slide["kind"]} */ kind, /** @type {number} */ rows, most = Infinity) =>
    Array.from({ length: Math.min(most, Math.ceil(rows / Math.max(1, perPage))) }, (_, page) => ({ kind, page }));
  /** @type {Slide[]} */
  const join = [{ kind: "join", page: 0 }];
  if (stage === "entry") return join;
  const pairings = pages("pairings", boards);
  const table = pages("table", ranks, stage === "over" ? Infinity : tablePages);
  /** @type {Slide[]} */
  const winners = [{ kind: "winners", page: 0 }];
  if (stage === "over") return table.length > 0 ? [...winners, ...table] : pairings.length > 0 ? pairings : join;
  if (sinceStart < stay && pairings.length > 0) return pairings;
  /** @type {Slide[]} */
  const best = playing ? [{ kind: "best", page: 0 }] : [];
  const all = [...pairings, ...table, ...best];
  return all.length > 0 ? all : join;
}

/**
 * Returns the page after another. If that is not there any more, the first of its kind is next, or
 * else the first of all.
 * @param {Slide[]} all
 * @param {Slide | null} shown
 */
export function next(all, shown) {
  const at = all.findIndex((s) => s.kind === shown?.kind && s.page === shown.page);
  if (at >= 0) return all[(at + 1) % all.length];
  return all.find((s) => s.kind === shown?.kind) ?? all[0];
}

/**
 * Returns the page that stays if it is still there, or else the one after it.
 * @param {Slide[]} all
 * @param {Slide | null} shown
 */
export function kept(all, shown) {
  return all.find((s) => s.kind === shown?.kind && s.page === shown.page) ?? next(all, shown);
}

/**
 * Returns the game that is the closest: the one with the smallest difference of seeds. Games whose seeds
 * are not known come last.
 * @param {string[]} rooms of the games that are played
 * @param {(room: string, seat: number) => number | undefined} seeds
 */
export function closest(rooms, seeds) {
  let best = rooms[0] ?? "";
  let least = Infinity;
  for (const room of rooms) {
    const [one, two] = [seeds(room, 0), seeds(room, 1)];
    const apart = one === undefined || two === undefined ? Infinity : Math.abs(one - two);
    if (apart < least) [best, least] = [room, apart];
  }
  return best;
}
