// @ts-check
/**
 * An address of this site in the language that the page's own address names (`?lang=fr`), so that what
 * comes later speaks as the page does. Without one the server knows the language by itself.
 * @param {string} path without a fragment
 */
export function inLanguage(path) {
  const [lang] = /\blang=[\w-]+/.exec(globalThis.location?.search) ?? [];
  return lang ? path + (path.includes("?") ? "&" : "?") + lang : path;
}

/**
 * The text of an address, or "" if the server refuses, cannot be reached, or is lost while it answers.
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function textOf(path, options) {
  try {
    const answer = await fetch(inLanguage(path), options);
    return answer.ok ? await answer.text() : "";
  } catch {
    return "";
  }
}
