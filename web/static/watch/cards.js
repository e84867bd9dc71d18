// @ts-check
/**
 * Decides which games a page of small boards shows. Finished games are replaced, but not at once.
 * Pure.
 *
 * @typedef {{room: string, over?: number}} Card over: when the end of the game was noticed, in ms
 */

export const resultTime = 6_000; // ms for which the end of a game is shown

/**
 * Returns the games that replace others, and the games to append. A card that is held, because a
 * pointer or the focus is on it, stays.
 * @param {Card[]} cards as shown
 * @param {string[]} live games in progress, best first
 * @param {number} most cards that fit
 * @param {number} now
 * @param {(card: Card) => boolean} held
 * @returns {{replace: {at: number, room: string}[], add: string[]}}
 */
export function changes(cards, live, most, now, held) {
  const fresh = live.filter((room) => !cards.some((c) => c.room === room));
  /** @type {{at: number, room: string}[]} */
  const replace = [];
  cards.forEach((card, at) => {
    if (fresh.length > 0 && mayBeReplaced(card, now) && !held(card))
      replace.push({ at, room: /** @type {string} */ (fresh.shift()) });
  });
  return { replace, add: fresh.slice(0, Math.max(0, most - cards.length)) };
}

/** Reports whether new games are needed. @param {Card[]} cards @param {number} most @param {number} now */
export function needsGames(cards, most, now) {
  return cards.length < most || cards.some((c) => mayBeReplaced(c, now));
}

/** @param {Card} card @param {number} now */
function mayBeReplaced(card, now) {
  return card.over !== undefined && now - card.over >= resultTime;
}
