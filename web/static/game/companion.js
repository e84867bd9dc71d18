// @ts-check
/**
 * What the page of a tournament's game has and other games have not. Its own bundle fills it in
 * (eventgame.js), so that the first view of every other game is small.
 */

/** @type {{Bar: typeof import("../event/bar.js").EventBar | null}} */
export const companion = { Bar: null };
