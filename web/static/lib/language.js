// @ts-check
/**
 * Returns an address of this site in the language that the page's own address names (`?lang=fr`), so that the answer
 * has the page's language. Without such a name the server knows the language by itself.
 * @param {string} path without a fragment
 */
export function inLanguage(path) {
  const [lang] = /\blang=[\w-]+/.exec(globalThis.location?.search) ?? [];
  return lang ? path + (path.includes("?") ? "&" : "?") + lang : path;
}

/**
 * Returns the text of an address, or "" if the server refuses, cannot be reached, or is lost while it answers.
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
