// @ts-check
/** Tells bots from other players (match/bot.go). Pure. */

/** @param {string} player */
export const isBot = (player) => /^bot\d/.test(player);

/**
 * Reports whether all opponents of a seat are bots: then moves can be undone, and hints are given.
 * @param {{seats: string[]}} snap
 * @param {number} as
 */
export const againstBots = ({ seats }, as) =>
  as >= 0 && seats.length > 1 && seats.every((player, seat) => seat === as || isBot(player));
