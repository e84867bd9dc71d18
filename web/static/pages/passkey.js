// @ts-check
/**
 * Passkeys. The browser creates or uses one. Its answer goes into a form of the page and is sent
 * like any other form, so the server answers with a page.
 */

import { bytes, text } from "../lib/base64url.js";
import { inLanguage } from "../lib/language.js";

/**
 * @typedef {{challenge: string, [key: string]: any}} Options as the server writes them
 */

/** Converts the server's options into the browser's. @param {Options} o */
export function question(o) {
  const ids = (/** @type {{id: string}[] | undefined} */ list) => list?.map((key) => ({ ...key, id: bytes(key.id) }));
  return {
    ...o,
    challenge: bytes(o.challenge),
    ...(o.user && { user: { ...o.user, id: bytes(o.user.id) } }),
    ...(o.excludeCredentials && { excludeCredentials: ids(o.excludeCredentials) }),
    ...(o.allowCredentials && { allowCredentials: ids(o.allowCredentials) }),
  };
}

/** Converts the browser's answer into the server's. @param {any} key a PublicKeyCredential */
export function answer(key) {
  /** @type {Record<string, unknown>} */
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (key.response[name]) response[name] = text(key.response[name]);
  }
  if (key.response.getTransports) response.transports = key.response.getTransports();
  return {
    id: key.id,
    rawId: text(key.rawId),
    type: key.type,
    response,
    clientExtensionResults: {},
    authenticatorAttachment: key.authenticatorAttachment ?? undefined,
  };
}

/** @param {{for: "create" | "add" | "sign-in", name?: string}} what */
async function ask(what) {
  const r = await fetch(inLanguage("/account/passkey"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
  });
  const body = await r.json();
  if (!r.ok) throw new Error(body.msg);
  return question(body.publicKey);
}

/** Cancels the ceremony that waits behind the name field. */
let waiting = new AbortController();

/** @param {HTMLFormElement} form @param {unknown} key */
function send(form, key) {
  form.append(
    Object.assign(document.createElement("input"), {
      type: "hidden",
      name: "credential",
      value: JSON.stringify(answer(key)),
    }),
  );
  form.submit(); // without validation: empty fields are not asked for
}

/** @param {HTMLButtonElement} button */
async function press(button) {
  const form = /** @type {HTMLFormElement} */ (button.form);
  const problem = /** @type {HTMLElement} */ (document.querySelector("#passkey-problem"));
  const name = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("name"));
  const what = /** @type {"create" | "add" | "sign-in"} */ (button.dataset.passkey);
  if (what === "create" && !name?.reportValidity()) return;
  problem.hidden = true;
  waiting.abort();
  let said = problem.dataset.text ?? "";
  try {
    const publicKey = /** @type {any} */ (
      await ask({ for: what, ...(what === "create" && { name: name?.value }) }).catch((/** @type {Error} */ e) => {
        said = e.message || said;
        throw e;
      })
    );
    const key = await (what === "sign-in"
      ? navigator.credentials.get({ publicKey })
      : navigator.credentials.create({ publicKey }));
    if (key) return send(form, key);
  } catch {
    // A person who changes their mind makes no mistake: they are told how to go on.
  }
  problem.textContent = said;
  problem.hidden = false;
}

/** Offers the passkeys of this device in the name field. @param {HTMLFormElement} form */
async function offerInField(form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  const publicKey = /** @type {any} */ (await ask({ for: "sign-in" }));
  if (waiting.signal.aborted) return;
  const key = await navigator.credentials.get({ publicKey, mediation: "conditional", signal: waiting.signal });
  if (key) send(form, key);
}

/** Enables the page's passkey buttons, if the browser has passkeys. */
export function passkeys() {
  if (!("PublicKeyCredential" in window)) return;
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
    document.querySelectorAll("button[data-passkey]")
  )) {
    button.hidden = false;
    button.closest("[hidden]")?.removeAttribute("hidden"); // the part that holds the button
    button.addEventListener("click", () => void press(button));
    if (button.dataset.passkey === "sign-in")
      void offerInField(/** @type {HTMLFormElement} */ (button.form)).catch(() => {});
  }
}
