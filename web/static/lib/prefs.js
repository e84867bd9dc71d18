// @ts-check
/**
 * The viewer's settings. They are attributes of the page's root element: the server renders them,
 * so style sheets can read them too. A change takes effect at once, here and in the browser's other
 * tabs; the server is told in the background and stores it.
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

/** Sends the changes to the server, one request at a time: a slider changes faster than the server answers. */
async function save() {
  if (saving || Object.keys(unsaved).length === 0) return;
  saving = true;
  const change = unsaved;
  unsaved = {};
  const kept = await send(change);
  saving = false;
  if (kept) {
    await save();
    if ((change.language ?? root.lang) !== root.lang) location.reload(); // the server writes the texts of a page
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
      keepalive: true, // the request outlives the page
    });
    return answer.ok || (answer.status < 500 && answer.status !== 429);
  } catch {
    return false;
  }
}

export const prefs = {
  /** Returns the value in force. @param {string} name @returns {string} */
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

/** Reports whether the viewer wants no motion. */
export const still = () => prefs.get("motion") === "on" || (prefs.get("motion") !== "off" && reduced.matches);

tabs?.addEventListener("message", ({ data }) => apply(data.name, data.value));
addEventListener("online", () => void save());
