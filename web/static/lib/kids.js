// @ts-check
/** What counts for children, whatever else has been chosen. Pure. */

/** @param {string} name of a setting @param {string} value as it was chosen @returns {string} */
export function forChildren(name, value) {
  if (name === "confirm") return "always"; // a look before each move, and a second tap
  if (name === "preview") return "on";
  if (name === "chat" && value === "free") return "presets";
  return value;
}
