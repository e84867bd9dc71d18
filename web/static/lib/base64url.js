// @ts-check
/** Bytes as text, in the form of base64 that addresses may contain. Pure. */

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer */
export function text(buffer) {
  const binary = Array.from(new Uint8Array(buffer), (b) => String.fromCharCode(b)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
