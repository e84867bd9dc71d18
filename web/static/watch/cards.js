// @ts-check
/**
 * Which games a page of small boards shows: those that are over give way to
 * others, calmly. Pure.
 *
 * @typedef {{room: string, over?: number}} Card over: since when it is known that the game is, ms
 */

export const resultTime = 6_000; // ms for which the end of a game is shown

/**
 * What to do now: games that take the place of others, and games that come after
 * them. A card that is held, because a pointer or the focus is on it, stays.
 * @param {Card[]} cards as they are shown
 * @param {string[]} live games that go on, best first
 * @param {number} most cards that there is room for
 * @param {number} now
 * @param {(card: Card) => boolean} held
 * @returns {{replace: {at: number, room: string}[], add: string[]}}
 */
export function changes(cards, live, most, now, held) {
  const fresh = live.filter((room) => !cards.some((c) => c.room === room));
  /** @type {{at: number, room: string}[]} */
  const replace = [];
  cards.forEach((card, at) => {
    if (fresh.length > 0 && mayBeReplaced(card, now) && !held(card)) replace.push({ at, room: /** @type {string} */ (fresh.shift()) });
  });
  return { replace, add: fresh.slice(0, Math.max(0, most - cards.length)) };
}

/**
 * Whether it is worth to ask which games go on.
 * @param {Card[]} cards @param {number} most @param {number} now
 */
export function needsGames(cards, most, now) {
  return cards.length < most || cards.some((c) => mayBeReplaced(c, now));
}

/** @param {Card} card @param {number} now */
function mayBeReplaced(card, now) {
  return card.over !== undefined && now - card.over >= resultTime;
}
