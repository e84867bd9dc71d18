// @ts-check
/**
 * The keys of the board, and the words of the move field. Pure.
 *
 * @typedef {{kind: "pit", number: number, way: string} | {kind: "does", what: string} |
 *   {kind: "nothing"}} TextCommand
 */

/**
 * The commands of single keys. They work on the whole page, except in fields. Digits play pits.
 * @type {Record<string, string>}
 */
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

/** The keys that step through a replay. @type {Record<string, string>} */
export const steps = { ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end" };

/** Words of the move field besides the single keys. @type {Record<string, string>} */
const commands = {
  draw: "draw",
  resign: "resign",
  takeback: "takeback",
  pass: "pass",
  keep: "keep",
  turn: "swap",
  help: "help",
};

/** Stands for a move in a lay-out: one more seed in the pit. */
export const addSeed = "+";

/**
 * Reports whether an event is the repeat of a held key that must not choose a pit again: that would plan the next
 * move. In a lay-out it adds seeds, as a long press does.
 * @param {{repeat: boolean}} e
 * @param {string[]} moves those of the pit
 */
export const isHeld = (e, moves) => e.repeat && moves[0] !== addSeed;

/** Parses a text of the move field: "3", "3>", "3>*", "b", "draw". @param {string} text @returns {TextCommand} */
export function parseCommand(text) {
  const said = text.trim().toLowerCase();
  const [, number, way = ""] = said.match(/^(\d{1,2}) ?([<>]?\*?)$/) ?? [];
  if (number) return { kind: "pit", number: Number(number), way };
  const what = Object.hasOwn(keys, said) ? keys[said] : Object.hasOwn(commands, said) ? commands[said] : "";
  return what ? { kind: "does", what } : { kind: "nothing" };
}

/** Returns the pit that a digit plays, 10 for 0; null for other keys. @param {string} key */
export const digit = (key) => (/^[0-9]$/.test(key) ? Number(key) || 10 : null);

/**
 * Reports whether a tap needs a second one: the pit is small, or the game lasts days.
 * @param {string} setting "always", "never", or "auto"
 * @param {{side: number, pointed: boolean, days: boolean}} how side: the smaller side of the pit in
 *   px; pointed: by mouse or finger; days: the clock counts days
 */
export function needsConfirmation(setting, { side, pointed, days }) {
  if (setting === "always" || setting === "never") return setting === "always";
  return days || (pointed && side < 40);
}
