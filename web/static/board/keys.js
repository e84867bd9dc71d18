// @ts-check
/**
 * The keys of the board and the words of the move field. Pure.
 *
 * @typedef {{kind: "pit", number: number, way: string} | {kind: "does", what: string} | {kind: "nothing"}} TextCommand
 */

/** What single keys do while the focus is on the board; digits play pits. @type {Record<string, string>} */
export const keys = {
  p: "preview",
  l: "last",
  b: "board",
  s: "score",
  t: "clocks",
  m: "playable",
  r: "repeat",
  f: "flip",
  h: "hint",
  u: "undo",
  "+": "faster",
  "-": "slower",
  "[": "back",
  "]": "forward",
  x: "step",
  "?": "help",
};

/** Words of the move field beside the single keys. @type {Record<string, string>} */
const commands = { draw: "draw", resign: "resign", takeback: "takeback", pass: "pass", keep: "keep", turn: "swap", help: "help" };

/** What a text in the move field orders: "3", "3>", "b", "draw". @param {string} text @returns {TextCommand} */
export function parseCommand(text) {
  const said = text.trim().toLowerCase();
  const [, number, way = ""] = said.match(/^(\d{1,2}) ?([<>])?$/) ?? [];
  if (number) return { kind: "pit", number: Number(number), way };
  const what = Object.hasOwn(keys, said) ? keys[said] : Object.hasOwn(commands, said) ? commands[said] : "";
  return what ? { kind: "does", what } : { kind: "nothing" };
}

/** The pit that a digit plays, 0 for 10; null for other keys. @param {string} key */
export const digit = (key) => (/^[0-9]$/.test(key) ? Number(key) || 10 : null);

/**
 * Whether a tap is only a question: small pits and games of days can bear one tap
 * more.
 * @param {string} setting always, never, or what seems best
 * @param {{side: number, pointed: boolean, days: boolean}} how side: the pit's smaller side in px; pointed: by mouse or finger
 */
export function needsConfirmation(setting, { side, pointed, days }) {
  if (setting === "always" || setting === "never") return setting === "always";
  return days || (pointed && side < 40);
}
