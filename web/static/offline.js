// @ts-check
/**
 * The service worker, as pages see it.
 */

/**
 * Install the worker.
 * @param {() => void} updated there is a new release; nothing reloads by itself
 */
export function install(updated) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return; // not over plain http, except on this machine
  const before = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => before && updated());
  const register = async () => {
    if (!(await serviceWorker.register("/sw.js").catch(() => null))) return; // no network, or no room
    const { active } = await serviceWorker.ready;
    setTimeout(() => active?.postMessage("tidy"), 5_000); // later than all that somebody waits for
  };
  // The first view has the network for itself.
  if (document.readyState === "complete") void register();
  else addEventListener("load", register);
}

/** Let the worker keep what it may: a game of mine that has just ended. @param {string[]} paths */
export function keep(...paths) {
  navigator.serviceWorker?.controller?.postMessage({ keep: paths });
}

/**
 * On the page that stands in for one that cannot be had: come back when there is
 * a network again, and list what can be read until then.
 * @param {HTMLElement} list
 */
export async function wait(list) {
  addEventListener("online", () => location.reload());
  setInterval(async () => {
    if ((await fetch("/manifest.webmanifest", { cache: "no-store" }).catch(() => null))?.ok) location.reload();
  }, 10_000);
  if (!("caches" in window)) return;
  const cache = await caches.open("pages");
  for (const { url } of await cache.keys()) {
    const html = (await (await cache.match(url, { ignoreVary: true }))?.text()) ?? "";
    const title = html.match(/<title>(.*?) · [^<]*<\/title>/)?.[1];
    if (!title) continue;
    const link = Object.assign(document.createElement("a"), { href: url });
    link.textContent = new DOMParser().parseFromString(title, "text/html").documentElement.textContent;
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  /** @type {HTMLElement} */ (list.closest("section")).hidden = list.children.length === 0;
}
