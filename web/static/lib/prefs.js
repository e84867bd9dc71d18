// @ts-check
/**
 * The settings of the person who looks: attributes of the page's root, which the
 * server renders, so that style sheets may read them too. A change counts at
 * once, here and in this browser's other tabs; the server is told meanwhile and
 * keeps it.
 *
 *     prefs.get("speed")         // "normal"
 *     prefs.set("theme", "wood")
 *     prefs.on((name) => name === "volume" && …)
 */

import { forChildren } from "./kids.js";

const root = document.documentElement;
const tabs = "BroadcastChannel" in self ? new BroadcastChannel("prefs") : null;
/** @type {((name: string, value: string) => void)[]} */
const listeners = [];
/** @type {Record<string, string>} changes that the server has not confirmed */
let unsaved = {};
let saving = false;

/** @param {string} name @param {string} value */
function apply(name, value) {
  if (root.dataset[name] === value) return;
  root.dataset[name] = value;
  for (const tell of listeners) tell(name, value);
}

/** Tell the server, one request at a time: a slider changes faster than it answers. */
async function save() {
  if (saving || Object.keys(unsaved).length === 0) return;
  saving = true;
  const change = unsaved;
  unsaved = {};
  const kept = await send(change);
  saving = false;
  if (kept) {
    await save();
    if ((change.language ?? root.lang) !== root.lang) location.reload(); // pages are the server's words
    return;
  }
  unsaved = { ...change, ...unsaved };
  setTimeout(save, 5_000);
}

/** @param {Record<string, string>} change @returns {Promise<boolean>} false: worth another attempt */
async function send(change) {
  try {
    const answer = await fetch("/api/v1/me/settings", {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(change),
      keepalive: true, // also when the page is left at once
    });
    return answer.ok || (answer.status < 500 && answer.status !== 429);
  } catch {
    return false;
  }
}

export const prefs = {
  /** What counts. @param {string} name @returns {string} */
  get(name) {
    const chosen = root.dataset[name] ?? "";
    return root.dataset.kids === "on" ? forChildren(name, chosen) : chosen;
  },

  /** @param {string} name @param {string | number} value */
  set(name, value) {
    if (root.dataset[name] === String(value)) return;
    unsaved[name] = String(value);
    tabs?.postMessage({ name, value: String(value) });
    apply(name, String(value));
    void save();
  },

  /** @param {(name: string, value: string) => void} tell called after each change, here or in another tab */
  on: (tell) => void listeners.push(tell),
};

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether things are to change without moving. */
export const still = () => prefs.get("motion") === "on" || (prefs.get("motion") !== "off" && reduced.matches);

tabs?.addEventListener("message", ({ data }) => apply(data.name, data.value));
addEventListener("online", () => void save());
