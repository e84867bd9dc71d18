// @ts-check
/** The settings that kids mode fixes. Pure. */

/** @param {string} name of a setting @param {string} value as the person chose it @returns {string} */
export function forChildren(name, value) {
  if (name === "confirm") return "always"; // every move is previewed and needs a second tap
  if (name === "preview") return "on";
  if (name === "chat" && value === "free") return "presets";
  return value;
}
