// @ts-check
/** Requests to the server's API. */

/**
 * Sends a request and returns the JSON of the answer, or null when the server refuses
 * or cannot be reached.
 * @param {string} url
 * @param {RequestInit} options
 * @param {(text: string) => void} refused gets the server's sentence
 * @returns {Promise<any>}
 */
export async function request(url, options, refused) {
  const answer = await fetch(url, options).catch(() => null);
  if (!answer) return null; // without a network the player can still walk through the game
  const body = await answer.json().catch(() => null);
  if (answer.ok) return body;
  if (body?.msg) refused(body.msg);
  return null;
}
