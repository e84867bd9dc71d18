// @ts-check
/** The browser's subscription to messages about the viewer's turns, here and on the server. */

import { request } from "../lib/api.js";
import { text } from "../lib/base64url.js";

const ADDRESS = "/api/v1/me/push";
const KEPT = "push"; // in localStorage: the player for whom the viewer has turned it on
const PATIENCE = 10_000; // ms for a service worker that is being installed

/**
 * The ability of this browser: "install" on iOS, where it works for sites on the home screen only; "denied"
 * where the viewer or their browser has forbidden it.
 * @typedef {"able" | "install" | "denied" | "unable"} Ability
 */

/** @returns {Ability} */
export function ability() {
  const { navigator } = globalThis;
  if (navigator.serviceWorker && "PushManager" in globalThis && "Notification" in globalThis)
    return Notification.permission === "denied" ? "denied" : "able";
  const { standalone } = /** @type {any} */ (navigator);
  return standalone === false ? "install" : "unable";
}

/** Returns the server's name for a device. @param {string} endpoint */
export async function deviceOf(endpoint) {
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return text(sum.slice(0, 16));
}

/**
 * @param {RequestInit} [options]
 * @param {string} [device]
 * @returns {Promise<{key: string, player?: string, devices: string[]} | null>}
 */
const ask = (options, device) => request(device ? `${ADDRESS}/${device}` : ADDRESS, options ?? {}, () => {});

/** @returns {Promise<ServiceWorkerRegistration | null>} null: there is none after a while */
async function registration() {
  const late = new Promise((end) => setTimeout(() => end(null), PATIENCE));
  return /** @type {any} */ (await Promise.race([navigator.serviceWorker.ready, late]));
}

/**
 * Reports whether it is on. If the viewer has turned it on and the browser or the server has lost it
 * since, it is turned on again.
 */
export async function isOn() {
  if (ability() !== "able" || Notification.permission !== "granted") return false;
  const told = await ask();
  const stored = await (await registration())?.pushManager.getSubscription();
  if (told && stored && told.devices.includes(await deviceOf(stored.endpoint))) return true;
  return told?.player !== undefined && told.player === read() && (await subscribe());
}

/**
 * Turns it on, with the browser's question. It must be called by a click.
 * @returns {Promise<"on" | "denied" | "later" | "failed">} later: the viewer has not decided
 */
export async function turnOn() {
  const said = await Notification.requestPermission();
  if (said !== "granted") return said === "denied" ? "denied" : "later";
  return (await subscribe()) ? "on" : "failed";
}

async function subscribe() {
  const [told, worker] = [await ask(), await registration()];
  if (!told || !worker) return false;
  try {
    const { pushManager } = worker;
    let mine = await pushManager.getSubscription();
    const key = mine?.options.applicationServerKey;
    if (mine && (!key || text(key) !== told.key)) {
      await mine.unsubscribe(); // it was made for another service at this address
      mine = null;
    }
    mine ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: told.key });
    const { endpoint, keys } = mine.toJSON();
    const headers = { "content-type": "application/json" };
    const now = await ask({ method: "POST", headers, body: JSON.stringify({ endpoint, keys }) });
    if (now?.player) write(now.player);
    return now !== null;
  } catch {
    return false; // no push service, or no network
  }
}

/** Turns it off. Returns whether the server knows it. */
export async function turnOff() {
  write(null);
  const mine = await (await registration())?.pushManager.getSubscription();
  if (!mine) return true;
  const told = await ask({ method: "DELETE" }, await deviceOf(mine.endpoint));
  return (await mine.unsubscribe()) || told !== null; // the push service tells the server
}

/** Removes the messages about a game, which the viewer looks at now. @param {string} room */
export async function clear(room) {
  if (ability() !== "able") return;
  const found = await (await registration())?.getNotifications({ tag: room });
  for (const message of found ?? []) message.close();
}

function read() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** @param {string | null} player */
function write(player) {
  try {
    if (player) localStorage.setItem(KEPT, player);
    else localStorage.removeItem(KEPT);
  } catch {
    // without storage nothing is repaired
  }
}
