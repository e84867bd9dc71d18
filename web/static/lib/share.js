// @ts-check
/** Links and texts that leave the page. */

/**
 * Shares a link: through the device's share sheet if there is one, else through the clipboard. After a
 * game its picture goes with it, where the device takes files.
 * @param {string} title
 * @param {string} url
 * @returns {Promise<"shared" | "copied" | "refused">}
 */
export async function share(title, url) {
  if ("share" in navigator) {
    const files = await picture();
    const what = files.length > 0 && navigator.canShare?.({ files }) ? { title, url, files } : { title, url };
    // Closing the sheet is not a failure. But a picture that comes late may find that the press no longer counts.
    const done = await navigator.share(what).then(() => true, (e) => e.name === "AbortError");
    if (done) return "shared";
  }
  return (await copy(url)) ? "copied" : "refused";
}

/** Returns the picture of the game that is over, as a file, if the page offers one. @returns {Promise<File[]>} */
async function picture() {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-action=picture]"));
  if (!link?.checkVisibility()) return [];
  const body = await fetch(link.href).then((r) => (r.ok ? r.blob() : null)).catch(() => null);
  return body ? [new File([body], link.download, { type: "image/png" })] : [];
}

/**
 * Copies a text. The clipboard exists on secure pages only; a selected field can be copied
 * everywhere.
 * @param {string} text
 * @param {HTMLInputElement} [field] a field that shows the text and may stay selected
 */
export async function copy(text, field) {
  if (navigator.clipboard && (await navigator.clipboard.writeText(text).then(() => true, () => false))) return true;
  const box = field ?? Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  if (!field) (document.querySelector(":popover-open") ?? document.body).append(box);
  box.select();
  const done = document.execCommand("copy");
  if (!field) {
    box.remove();
    focused?.focus();
  }
  return done;
}
