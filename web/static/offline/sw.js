// @ts-check
/**
 * The service worker: it lets the pages open without a network. It stores the scripts and styles of
 * this release, and the pages that the server allows to be stored (rules, the viewer's finished
 * games). For a visitor who asked for it, it also stores the lessons and what plays without a server.
 * Every other page comes from the network. The server writes `release` above this text.
 */

import "./push.js";

const worker = /** @type {any} */ (self);
/**
 * The files of this release that the page of games without a server needs.
 * @typedef {{page: string, script: string, files: string[]}} Local
 *   page: its path; script: a file that only the page of this release names
 */
/**
 * pages: the page of all games, and that of each game's rules
 * @type {{version: string, shell: string[], own: Record<string, string[]>, pages: string[], local: Local}}
 */
const release = worker.release;
const SHELL = `shell-${release.version}`;
const LOCAL = `local-${release.version}`; // it is there if a visitor asked for it
const PAGES = "pages";
const MOST = 150; // pages stored
const PAUSE = 500; // ms between two pages that are fetched ahead

/**
 * Returns a function that begins work when all work that it got before has ended, so nothing is fetched twice.
 * @returns {<T>(work: () => Promise<T>) => Promise<T>}
 */
function queue() {
  /** @type {Promise<any>} */
  let last = Promise.resolve();
  return (work) => (last = last.then(work, work));
}
const inTurn = queue(); // the work that fetches pages, which takes a minute
const inLocalTurn = queue(); // the work that fetches the program: it does not wait for that

worker.addEventListener("install", (/** @type {any} */ e) => {
  const fill = async () => {
    await complete(); // files that fail now are fetched again by tidy
    await worker.skipWaiting(); // an open page has its whole release: it fetches nothing later
  };
  e.waitUntil(fill());
});

worker.addEventListener("activate", (/** @type {any} */ e) => {
  const begin = async () => {
    await worker.clients.claim();
    const { shell, local } = release;
    const own = [...shell, ...(local ? [local.script, ...local.files] : [])];
    for (const page of await worker.clients.matchAll()) page.postMessage({ release: own });
  };
  e.waitUntil(begin());
});

worker.addEventListener("message", (/** @type {any} */ e) => {
  if (e.data === "claim") e.waitUntil(worker.clients.claim());
  else if (e.data.tidy) e.waitUntil(inTurn(() => tidy(e.data.tidy)));
  else if (e.data.keep) e.waitUntil(renew(e.data.keep));
  else if (e.data.local) {
    const stored = storeLocal(e.data.local);
    const told = stored.then((all) => e.ports[0]?.postMessage(all));
    e.waitUntil(told.then(() => inTurn(() => tidy(e.data.local))));
  }
});

worker.addEventListener("fetch", (/** @type {any} */ e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/")) e.respondWith(asset(e.request));
  else if (e.request.mode === "navigate" || url.pathname.endsWith("/replay")) e.respondWith(page(e));
});

/**
 * Answers with the stored file if there is one: a name with a hash always stands for the same content.
 * @param {Request} request
 */
async function asset(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/**
 * Answers with the page from the network; without a network, with its stored copy. The page opens before it
 * is stored: a disk may be slow or full.
 * @param {any} e
 */
async function page(e) {
  const { request } = e;
  const url = new URL(request.url);
  const isLocal = url.pathname === release.local.page;
  const stored = async () => {
    const exact = await caches.match(request.url, { ignoreVary: true, ignoreSearch: isLocal }); // one for all games
    url.searchParams.delete("ply"); // the page of a finished game finds the moment itself
    return exact ?? caches.match(url.href, { ignoreVary: true });
  };
  const answer = await fetch(request).catch(() => null);
  if (!answer)
    return (
      (await stored()) ??
      ((request.mode === "navigate" && (await caches.match("/offline", { ignoreVary: true }))) || Response.error())
    );
  // While instances of two releases run, the older one may not have this page.
  if (isLocal && answer.status === 404) return (await stored()) ?? answer;
  e.waitUntil(keep(request.url, answer.clone()).catch(() => {}));
  return answer;
}

/** Stores an answer if the server allows it. @param {string} url @param {Response} answer */
async function keep(url, answer) {
  const { pathname, searchParams } = new URL(url, location.origin);
  if (pathname === release.local.page) {
    if (!searchParams.has("lang") && (await hasLocal())) await completeLocal(undefined, answer);
    return;
  }
  const cache = await caches.open(PAGES);
  if (answer.ok && answer.headers.get("x-offline") === "keep") await cache.put(url, answer);
  // the page is no longer the viewer's, or no longer there
  else if (answer.ok || answer.status === 404) await cache.delete(url);
}

/**
 * Fetches what is missing of this release in the viewer's language. Reports whether everything is there.
 * @param {string} [lang] the language of the viewer's last page; without it, the one in which the server answers
 */
async function complete(lang) {
  const cache = await caches.open(SHELL);
  if (await isForeign(cache, "/offline", lang)) await cache.delete("/offline");
  const shell = await add(cache, release.shell);
  const own = release.own[lang ?? languageOf(await cache.match("/offline"))];
  return (await add(cache, own ?? [])) && shell;
}

/** Fetches what a cache lacks. Reports whether everything is there. @param {Cache} cache @param {string[]} paths */
async function add(cache, paths) {
  const have = (await cache.keys()).map((request) => new URL(request.url).pathname);
  const missing = paths.filter((path) => !have.includes(path));
  const added = await Promise.allSettled(missing.map((path) => cache.add(path)));
  return added.every(({ status }) => status === "fulfilled");
}

/** Reports whether a visitor asked for what plays without a server: in this release or in one before. */
async function hasLocal() {
  return (await caches.keys()).some((name) => name.startsWith("local-"));
}

/**
 * Fetches what is missing to play without a server. Reports whether everything is there. The page, its
 * scripts and the module belong together, so they are in one cache. Until it is complete, the copy of the
 * release before stays, and is the one that opens.
 * @param {string} [lang] the language of the viewer's last page
 * @param {Response} [fresh] the page, if it was just fetched
 */
const completeLocal = (lang, fresh) => inLocalTurn(() => fillLocal(lang, fresh));

/** Does the work of {@link completeLocal}, whose turn has come. @param {string} [lang] @param {Response} [fresh] */
async function fillLocal(lang, fresh) {
  const { page, script, files } = release.local;
  const cache = await caches.open(LOCAL);
  if (!(await add(cache, files))) return false;
  if (!fresh && (await cache.match(page)) && !(await isForeign(cache, page, lang))) return true;
  const answer = fresh ?? (await fetch(page).catch(() => Response.error()));
  const text = await answer.clone().text();
  // While instances of two releases run, the page may be of the other one. It is fetched again later.
  if (!answer.ok || !text.includes(script)) return false;
  const named = Array.from(text.matchAll(/"(\/static\/[\w.-]+)"/g), ([, path]) => path);
  if (!(await add(cache, named))) return false;
  await cache.put(page, answer);
  return true;
}

/**
 * Deletes what releases before this one have stored to play without a server, except the newest copy that
 * opens, while there is none of this release. A release whose copy never became complete leaves nothing.
 */
async function dropOldLocal() {
  const names = (await caches.keys()).filter((name) => name.startsWith("local-") && name !== LOCAL);
  let opens = "";
  for (const name of [...names, LOCAL]) {
    const cache = await caches.open(name);
    if (await cache.match(release.local.page, { ignoreVary: true })) opens = name;
  }
  for (const name of names) if (name !== opens) await caches.delete(name);
}

/** Stores the files of the game without a server. @param {string} lang the language of their page */
async function storeLocal(lang) {
  await caches.open(LOCAL); // tells later workers that it was asked for
  return completeLocal(lang).catch(() => false);
}

/** @param {Response | undefined} answer */
const languageOf = (answer) => answer?.headers.get("content-language") ?? "";

/**
 * Reports whether a stored page is in another language.
 * @param {Cache} cache
 * @param {string} url
 * @param {string} [lang]
 */
async function isForeign(cache, url, lang) {
  const stored = languageOf(await cache.match(url, { ignoreVary: true }));
  return stored !== "" && lang !== undefined && stored !== lang;
}

/**
 * Fetches pages that may be stored. Reports whether all of them came. A busy server is left alone.
 * @param {string[]} urls
 * @param {number} [pause] ms between two pages
 */
async function renew(urls, pause = 0) {
  for (const url of urls) {
    const answer = await fetch(url).catch(() => Response.error());
    if ([0, 429, 503].includes(answer.status)) return false;
    await keep(url, answer);
    if (pause) await new Promise((after) => setTimeout(after, pause));
  }
  return true;
}

/**
 * Fetches the pages that are the same for all visitors. After an update it fetches every
 * stored page again, since pages name the scripts of their release; after a change of language, those
 * in the other one. It takes its time: a whole class may share one address and must not wait for
 * this. A page that fails is fetched when the next page opens; until then the old scripts stay for
 * the old pages.
 * @param {string} lang the language of the viewer's last page
 */
async function tidy(lang) {
  if (!(await complete(lang))) return;
  const local = await hasLocal();
  const old = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== SHELL);
  const cache = await caches.open(PAGES);
  const kept = (await cache.keys()).map((request) => request.url);
  const lessons = local ? release.pages.slice(1).map((path) => `${path}/lesson`) : [];
  const ahead = [...lessons, ...release.pages].map((path) => new URL(path, location.origin).href);
  const missing = ahead.filter((url) => !kept.includes(url));
  const stale = [];
  for (const url of kept) if (old.length > 0 || (await isForeign(cache, url, lang))) stale.push(url);
  if (local) {
    await completeLocal(lang).catch(() => false);
    await dropOldLocal();
  }
  if (!(await renew([...missing, ...stale], PAUSE))) return;
  for (const name of old) await caches.delete(name);
  for (const request of (await cache.keys()).slice(0, -MOST)) await cache.delete(request);
}
