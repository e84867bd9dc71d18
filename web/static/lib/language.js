// @ts-check
/**
 * An address of this site in the language that the page's own address names (`?lang=fr`), so that what
 * comes later speaks as the page does. Without one the server knows the language by itself.
 * @param {string} path
 */
export function inLanguage(path) {
  const lang = new URLSearchParams(globalThis.location?.search).get("lang");
  if (!lang) return path;
  const [rest, hash] = path.split("#");
  return `${rest}${rest.includes("?") ? "&" : "?"}lang=${encodeURIComponent(lang)}${hash ? `#${hash}` : ""}`;
}
