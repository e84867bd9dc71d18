// @ts-check
/** Answers requests in a game without a server. */

import { server } from "../lib/api.js";

/**
 * Answers the requests about the game of this device. Its page has the rules of the game in words already.
 * @param {import("./session.js").Session} session
 */
export function answerHere(session) {
  const elsewhere = server.fetch;
  server.fetch = async (url, options) => {
    if (url === location.pathname) return new Response(null, { status: 404 });
    const what = /^\/api\/v1\/games\/local\/(hint|replay)$/.exec(url)?.[1];
    if (!what) return elsewhere(url, options);
    const { error, json } = await session.ask({ do: what });
    return error ? Response.json(error, { status: 409 }) : Response.json(json);
  };
}
