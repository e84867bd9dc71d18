// @ts-check
/**
 * What some games have and others have not. Their own bundles fill it in before the page is made
 * (eventgame.js, device/localplay.js), so that the first view of every other game is small.
 */

import { Link } from "../lib/socket.js";

/**
 * Bar: the bar of a tournament's game; Link: what carries commands and frames. A game without a server
 * has another link.
 * @type {{Bar: typeof import("../event/bar.js").EventBar | null,
 *   Link: new (wiring: import("../lib/socket.js").Wiring) =>
 *     Pick<Link, "command" | "tell" | "subscribe" | "follow" | "retryNow" | "end">}}
 */
export const companion = { Bar: null, Link };
