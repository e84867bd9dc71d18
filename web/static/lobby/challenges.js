// @ts-check
/**
 * Challenges that concern one person. Pure.
 *
 * @typedef {{seek: string, mine: boolean, name: string, text: string, key?: string, to?: string, until?: number,
 *   rules: string, options?: string, clock: string, rated?: boolean}} Challenge
 */

/** Those that were not there before. @param {Challenge[]} before @param {Challenge[]} now @returns {Challenge[]} */
export const added = (before, now) => now.filter((a) => !before.some((b) => b.seek === a.seek));

/**
 * One's own that a lobby which knows of none has forgotten, because a server has been
 * started anew: they are said again until their time is over.
 * @param {Challenge[]} before @param {number} at ms @returns {Challenge[]}
 */
export const toRepeat = (before, at) => before.filter((a) => a.mine && (a.until ?? 0) > at);

/**
 * Whether a tab goes to a game by itself: it has asked for one, or said yes to it,
 * and shows no other.
 * @param {string} game @param {string} asked what this tab has to do with; "*" for whatever comes first @param {boolean} playing
 */
export const goesBySelf = (game, asked, playing) => !playing && (asked === "*" || asked === game);
