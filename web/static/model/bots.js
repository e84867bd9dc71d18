// @ts-check
/** Who is a bot (match/bot.go). Pure. */

/** @param {string} player */
export const isBot = (player) => /^bot\d/.test(player);

/** Whether a seat plays against bots alone: then moves are undone, and hints given. @param {{seats: string[]}} snap @param {number} as */
export const againstBots = ({ seats }, as) => as >= 0 && seats.length > 1 && seats.every((player, seat) => seat === as || isBot(player));
