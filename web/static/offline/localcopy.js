// @ts-check
/** The copy of the game without a server on this device: the service worker stores it for visitors who ask for it. */

/**
 * Asks the service worker to store the page, its program and the lessons, and to renew them with each
 * release. Reports whether the page and the program are stored; the lessons come after that.
 * @returns {Promise<boolean>}
 */
export async function storeLocal() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return false; // over plain http, except on this machine
  if (new URLSearchParams(location.search).has("lang")) return false; // the language of this page alone
  const { active } = await serviceWorker.ready;
  return new Promise((stored) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => stored(data);
    active?.postMessage({ local: document.documentElement.lang }, [port2]);
  });
}

/** Asks for the copy when the site is installed: people install it to open it anywhere. */
export function storeWhenInstalled() {
  addEventListener("appinstalled", () => void storeLocal());
  if (matchMedia("(display-mode: standalone)").matches) void storeLocal();
}
