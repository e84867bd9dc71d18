// @ts-check
/** The page's side of the service worker. */

import { find } from "../lib/dom.js";

/**
 * Installs the worker.
 * @param {() => void} updated called when there is a new release; nothing reloads by itself
 */
export function install(updated) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return; // there is none over plain http, except on this machine
  const own = new URL(import.meta.url).pathname;
  serviceWorker.addEventListener("message", ({ data }) => data.release.includes(own) || updated());
  serviceWorker.startMessages();
  const came = serviceWorker.controller !== null; // this page came through the worker
  const register = async () => {
    if (!(await serviceWorker.register("/sw.js").catch(() => null))) return; // no network, or no space
    const { active } = await serviceWorker.ready;
    // A worker that starts takes over the open pages, but not a page that is just loading.
    if (!serviceWorker.controller) active?.postMessage("claim");
    const { pathname, search } = location;
    if (!came && pathname.startsWith("/learn/")) active?.postMessage({ keep: [pathname + search] });
    setTimeout(tidy, 5_000); // after everything that the viewer waits for
  };
  // The first view has the network and the processor to itself.
  const later = () => setTimeout(register, 3_000);
  if (document.readyState === "complete") later();
  else addEventListener("load", later);
}

/** Asks the worker to tidy up, if it is the newest one: only that one knows what is old. */
async function tidy() {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration || registration.installing || registration.waiting) return;
  if (new URLSearchParams(location.search).has("lang")) return; // the language of this page alone
  registration.active?.postMessage({ tidy: document.documentElement.lang });
}

/** Asks the worker to store pages: one of the viewer's games that has just ended. @param {string[]} paths */
export function keep(...paths) {
  navigator.serviceWorker?.controller?.postMessage({ keep: paths });
}

/**
 * Waits for the network on the page that replaces an unreachable one: reloads when it is back, and
 * lists what can be done and read until then.
 * @param {HTMLElement} list what can be read @param {HTMLElement} lessons
 */
export async function wait(list, lessons) {
  addEventListener("online", () => location.reload());
  setInterval(async () => {
    if ((await fetch("/manifest.webmanifest", { cache: "no-store" }).catch(() => null))?.ok) location.reload();
  }, 10_000);
  if (!("caches" in window)) return;
  find("#local").hidden = !(await caches.match("/local", { ignoreVary: true }));
  const cache = await caches.open("pages");
  const foreign = [];
  for (const { url } of await cache.keys()) {
    const answer = await cache.match(url, { ignoreVary: true });
    const title = (await answer?.text())?.match(/<title>(.*?) · [^<]*<\/title>/)?.[1];
    if (!title) continue;
    const link = Object.assign(document.createElement("a"), { href: url });
    link.textContent = new DOMParser().parseFromString(title, "text/html").documentElement.textContent;
    const item = document.createElement("li");
    item.append(link);
    const place = new URL(url).pathname.endsWith("/lesson") ? lessons : list;
    const language = answer?.headers.get("content-language");
    if (!language || language === document.documentElement.lang) place.append(item);
    else foreign.push(() => place.append(inLanguage(item, link, language)));
  }
  for (const add of foreign) add(); // after those in the reader's language
  for (const shown of [list, lessons])
    /** @type {HTMLElement} */ (shown.closest("section")).hidden = shown.children.length === 0;
}

/**
 * Marks a page that is stored in another language: the reader has changed theirs, and the page is fetched again
 * when the network is back.
 * @param {HTMLElement} item @param {HTMLAnchorElement} link @param {string} language
 */
function inLanguage(item, link, language) {
  const name = new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(language);
  Object.assign(link, { lang: language, hreflang: language, dir: "auto" });
  item.append(` (${name})`);
  return item;
}
