// @ts-check
/**
 * Challenges to one person, and from them. Pure.
 *
 * @typedef {{seek: string, mine: boolean, name: string, text: string, key?: string, to?: string, until?: number,
 *   rules: string, options?: string, clock: string, rated?: boolean}} Challenge
 */

/**
 * Returns the challenges that were not there before.
 * @param {Challenge[]} before
 * @param {Challenge[]} now
 * @returns {Challenge[]}
 */
export const added = (before, now) => now.filter((a) => !before.some((b) => b.seek === a.seek));

/**
 * Returns the viewer's own challenges that must be sent again until they expire: the server has
 * restarted and knows of none.
 * @param {Challenge[]} before
 * @param {number} at ms
 * @returns {Challenge[]}
 */
export const toRepeat = (before, at) => before.filter((a) => a.mine && (a.until ?? 0) > at);

/**
 * Reports whether a tab goes to a game by itself: it has asked for the game or accepted it, and
 * shows no other.
 * @param {string} game
 * @param {string} asked the seek that this tab waits for; "*" for any
 * @param {boolean} playing
 */
export const goesBySelf = (game, asked, playing) => !playing && (asked === "*" || asked === game);
