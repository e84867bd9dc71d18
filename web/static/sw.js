// @ts-check
/**
 * The service worker: what makes the program open without a network. It keeps the
 * scripts and styles of this release, and the pages that the server allows to be
 * kept (rules, one's own finished games); every other page comes from the network
 * alone. The server writes `release` above it.
 */

const worker = /** @type {any} */ (self);
/** @type {{version: string, shell: string[], pages: string[]}} */
const release = worker.release;
const SHELL = `shell-${release.version}`;
const PAGES = "pages";
const MOST = 100; // pages kept

worker.addEventListener("install", (/** @type {any} */ e) => {
  const fill = async () => {
    const cache = await caches.open(SHELL);
    await cache.addAll(release.shell);
    await worker.skipWaiting(); // nothing is fetched later by a page that is open: it has all of its release
  };
  e.waitUntil(fill());
});

worker.addEventListener("activate", (/** @type {any} */ e) => e.waitUntil(worker.clients.claim()));

worker.addEventListener("message", (/** @type {any} */ e) => e.waitUntil(e.data === "tidy" ? tidy() : renew(e.data.keep).catch(() => {})));

worker.addEventListener("fetch", (/** @type {any} */ e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/")) e.respondWith(asset(e.request));
  else if (e.request.mode === "navigate" || url.pathname.endsWith("/replay")) e.respondWith(page(e.request));
});

/** A name with a hash stands for one content for ever. @param {Request} request */
async function asset(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** The network's answer; without a network what was kept of it. @param {Request} request */
async function page(request) {
  try {
    const answer = await fetch(request);
    await keep(request.url, answer.clone());
    return answer;
  } catch {
    const kept = await caches.match(request.url, { ignoreVary: true });
    return kept ?? (request.mode === "navigate" && (await caches.match("/offline", { ignoreVary: true }))) ?? Response.error();
  }
}

/** Keep an answer if the server allows it. @param {string} url @param {Response} answer */
async function keep(url, answer) {
  const cache = await caches.open(PAGES);
  if (answer.ok && answer.headers.get("x-offline") === "keep") await cache.put(url, answer);
  else if (answer.ok || answer.status === 404) await cache.delete(url); // no longer mine, or no longer there
}

/** @param {string[]} urls */
async function renew(urls) {
  for (const url of urls) await keep(url, await fetch(url));
}

/** Fetch the pages that everybody has, and after an update all kept ones anew, since they name the scripts of their release. */
async function tidy() {
  const old = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== SHELL);
  const cache = await caches.open(PAGES);
  const kept = (await cache.keys()).map((request) => request.url);
  const missing = release.pages.map((path) => new URL(path, location.origin).href).filter((url) => !kept.includes(url));
  try {
    await renew([...missing, ...(old.length > 0 ? kept : [])]);
  } catch {
    return; // the next page tries again; until then the old scripts stay for the old pages
  }
  for (const name of old) await caches.delete(name);
  for (const request of (await cache.keys()).slice(0, -MOST)) await cache.delete(request);
}
