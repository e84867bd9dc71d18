// @ts-check
/**
 * Parts that only some games have. Their own bundles fill them in before the page is made (game.js,
 * eventgame.js, device/localplay.js), so that each loads only what it needs.
 */

import { Link } from "../lib/socket.js";

/**
 * Bar: the bar of a tournament's game; WaitingRoom: the place where a game waits for players; Link: what carries
 * commands and frames. A game without a server has another link.
 * @type {{Bar: typeof import("../event/bar.js").EventBar | null,
 *   WaitingRoom: typeof import("./waiting.js").WaitingRoom | null,
 *   Link: new (wiring: import("../lib/socket.js").Wiring) =>
 *     Pick<Link, "command" | "tell" | "subscribe" | "follow" | "retryNow" | "end">}}
 */
export const optional = { Bar: null, WaitingRoom: null, Link };
