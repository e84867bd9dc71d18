// @ts-check
/**
 * Requests to the server's API. A page that plays without a server answers some of them itself
 * (device/server.js).
 */
import { inLanguage } from "./language.js";

export const server = {
  /** @param {string} url @param {RequestInit} [options] @returns {Promise<Response>} */
  fetch: (url, options) => fetch(inLanguage(url), options),
};

/**
 * Asks the API. Its answer is empty when the server cannot be reached.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<{ok: boolean, body: any}>}
 */
export async function ask(method, path, body) {
  const headers = { accept: "application/json", ...(body && { "content-type": "application/json" }) };
  const answer = await server.fetch(path, { method, headers, body: body && JSON.stringify(body) }).catch(() => null);
  return { ok: answer?.ok ?? false, body: (await answer?.json().catch(() => null)) ?? {} };
}

/**
 * Sends a request and returns the JSON of the answer, or null when the server refuses
 * or cannot be reached.
 * @param {string} url
 * @param {RequestInit} options
 * @param {(text: string) => void} refused gets the server's sentence, or `failed` if there is none
 * @param {string} [failed] "": only the server's sentence is told
 * @returns {Promise<any>}
 */
export async function request(url, options, refused, failed = "") {
  const answer = await fetch(inLanguage(url), options).catch(() => null);
  const body = await answer?.json().catch(() => null);
  if (answer?.ok) return body;
  const text = body?.msg ?? failed;
  if (text) refused(text);
  return null;
}
