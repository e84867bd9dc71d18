// @ts-check
/** The part of the service worker that shows messages of the service: it is the viewer's turn. */

export {}; // a module of its own

const worker = /** @type {any} */ (self);

worker.addEventListener("push", (/** @type {any} */ e) => e.waitUntil(show(e.data)));

/**
 * Shows a message. Browsers demand that each one is shown, also one that cannot be read.
 * @param {{json: () => any} | null} data
 */
async function show(data) {
  let message = {};
  try {
    message = data?.json() ?? {};
  } catch {
    // of a release that writes another form
  }
  const { title = "Mancala", body, tag, path, icon, lang, dir } = /** @type {any} */ (message);
  const how = { body, tag, renotify: Boolean(tag), icon, lang, dir, data: { path } };
  await worker.registration.showNotification(title, how);
}

worker.addEventListener("notificationclick", (/** @type {any} */ e) => {
  e.notification.close();
  e.waitUntil(open(e.notification.data?.path));
});

/** Goes to a tab with the page, or opens one. @param {unknown} path */
async function open(path) {
  let url = new URL("/", location.origin);
  if (typeof path === "string" && path.startsWith("/")) url = new URL(path, location.origin);
  if (url.origin !== location.origin) url = new URL("/", location.origin); // as of "//elsewhere"
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find((/** @type {any} */ t) => new URL(t.url).pathname === url.pathname);
  if (tab) await tab.focus();
  else await worker.clients.openWindow(url.href);
}

worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ e) => e.waitUntil(renew(e)));

/**
 * Sends the new subscription to the server: the browser has replaced the old one, or wants to have it replaced.
 * @param {any} e
 */
async function renew(e) {
  const { pushManager } = worker.registration;
  const options = e.oldSubscription?.options;
  const next = e.newSubscription ?? (options && (await pushManager.subscribe(options)));
  if (!next) return; // the next page of a game subscribes again
  const { endpoint, keys } = next.toJSON();
  await fetch("/api/v1/me/push", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, keys }),
  });
}
