// @ts-check
/**
 * The key of the host link, behind the "#" of the address. Browsers send it to no server and in no
 * referrer. The page takes it out of the address at once, so that it is neither in the history nor on a
 * screen that others see, and sends it in the body of a request.
 */

import { pause } from "../lib/backoff.js";
import { inLanguage } from "../lib/language.js";

export function takeKey() {
  const key = location.hash.slice(1);
  if (!/^[A-Z0-9]{20,64}$/.test(key)) return;
  history.replaceState(null, "", inLanguage(location.pathname));
  if (document.querySelector("#host-key")) void show(key);
}

/** Shows the key to the server until it answers. @param {string} key */
async function show(key) {
  for (let tries = 0; ; tries++) {
    const body = new URLSearchParams({ key });
    const r = await fetch(inLanguage(location.pathname), { method: "POST", body }).catch(() => null);
    if (r?.ok) return location.reload();
    if (r && r.status < 500) {
      const page = new DOMParser().parseFromString(await r.text(), "text/html");
      const problem = /** @type {HTMLElement} */ (document.querySelector("#key-problem"));
      problem.textContent = page.querySelector("#key-problem, .error .lead")?.textContent ?? String(r.status);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, pause("", tries, Math.random())));
  }
}
