// @ts-check
/**
 * The geometry of a game's board: sides, rows as they are seen, numbers of pits. Pure: it knows
 * places, not rules.
 *
 * @typedef {{sides: number, partners: number, pits: number, rows: number, cols: number, stores: boolean,
 *   sow: string, made: Made}} Shape
 * @typedef {"maple" | "boat" | "plank" | "sand" | "clay" | "stone"} Made
 *   pits: on a side; cols: in a row; stores: seeds are sown into them, otherwise they are piles;
 *   sow: which way seeds are sown, "ccw", "cw" or "choice"; made: what the board is made of (UX.md §5)
 * @typedef {"top" | "bottom" | "left" | "right"} Place
 * @typedef {{side: number, place: Place, pits: number[], store: boolean, outer: boolean}} Row
 *   pits: ids, left to right as seen from the bottom side, the other edges of a ring from their
 *   owner's right to left; store: the store stands at the end of this row
 */

/**
 * @param {{shape: number[], canonical: string}} rules
 * @returns {Shape}
 */
export function shapeOf({ shape: [sides, partners, pits], canonical }) {
  const rows = Number(option(canonical, "rows") ?? 1);
  const stores = option(canonical, "store") === "true";
  const sow = option(canonical, "direction") ?? "ccw";
  const round = sow !== "choice" && option(canonical, "backward") === undefined; // every sowing goes the same way round
  const laid = ["free", "paired"].includes(option(canonical, "opening") ?? "");
  return {
    sides,
    partners,
    pits,
    rows,
    cols: pits / rows,
    stores,
    sow,
    made: sides === 4 ? "clay" : rows === 2 ? (round ? "sand" : "plank") : laid ? "stone" : stores ? "maple" : "boat",
  };
}

let lastRules = ""; // read last; the next question is nearly always about the same rules
/** @type {Map<string, string>} */
let options = new Map();

/**
 * Returns the value of an option in the canonical form of the rules; undefined for the default.
 * @param {string} canonical
 * @param {string} key
 */
export function option(canonical, key) {
  if (canonical !== lastRules) {
    lastRules = canonical;
    options = new Map(canonical.split(" ").map((pair) => /** @type {[string, string]} */ (pair.split(/=(.*)/))));
  }
  return options.get(key);
}

/** @param {Shape} shape @param {number} seat */
export const sideOf = (shape, seat) => seat % shape.sides;

/** @param {Shape} shape @param {number} pit its id */
export const ownerOf = (shape, pit) => Math.floor(pit / shape.pits);

/** Returns the number of a pit as people count: a = 1. @param {Shape} shape @param {number} pit its id */
export const numberOf = (shape, pit) => (pit % shape.pits) + 1;

/** Returns the letter of a pit in moves. @param {Shape} shape @param {number} pit its id */
export const letterOf = (shape, pit) => String.fromCharCode(97 + (pit % shape.pits));

/**
 * Returns the pit that a move lifts or gives from; null for moves without one.
 * @param {Shape} shape
 * @param {number} side of the player who moves
 * @param {string} move
 */
export function pitOf(shape, side, move) {
  const letter = move.match(/^\+?([a-z])[<>]?\*?$/)?.[1];
  return letter === undefined ? null : side * shape.pits + letter.charCodeAt(0) - 97;
}

/**
 * Returns the signs of a move's direction: "<", ">", or "" for the ordinary one, and "*" if it sows the house on.
 * @param {string} move
 */
export const wayOf = (move) => move.match(/[<>]?\*?$/)?.[0] ?? "";

/** @param {Shape} shape @param {number} pit its id */
const isInner = (shape, pit) => shape.rows === 2 && pit % shape.pits >= shape.cols;

/**
 * Returns the direction of a move as its player sees it: an inner row runs back above its outer row.
 * @param {Shape} shape
 * @param {number} pit its id
 * @param {string} move
 * @returns {"left" | "right" | ""}
 */
export function heading(shape, pit, move) {
  const way = wayOf(move);
  if (way === "" || way === "*") return "";
  return (way[0] === ">") !== isInner(shape, pit) ? "right" : "left";
}

/**
 * Returns the signs of a direction as people read and write them, so that an arrow points where the seeds go: in
 * an inner row, which runs back, those of a move change places. It is its own inverse.
 * @param {Shape} shape
 * @param {number} pit its id
 * @param {string} way
 */
export const signOf = (shape, pit, way) =>
  isInner(shape, pit) ? way.replace(/[<>]/, (sign) => (sign === "<" ? ">" : "<")) : way;

/**
 * Returns the move of a pit that goes a way. Beside a move with a sign, the move without one goes the
 * other way; it never sows a house on.
 * @param {string[]} moves of one pit
 * @param {string} way
 */
export function going(moves, way) {
  const exact = moves.find((m) => wayOf(m) === way);
  return exact ?? (moves.length > 1 && !way.endsWith("*") ? moves.find((m) => wayOf(m) === "") : undefined);
}

/**
 * Reports whether a pit cannot be sown this way, though it may be in another one. A way that the rules name only if it
 * goes against the ordinary direction is that of the move without a sign.
 * @param {Shape} shape
 * @param {string[]} moves of one pit
 * @param {string} way
 */
export const forbids = ({ sow }, moves, way) =>
  way !== "" && !going(moves, way) && !(moves.some((m) => wayOf(m) === "") && way === (sow === "cw" ? "<" : ">"));

/** Returns the opposite pit, in games with one row a side. @param {Shape} shape @param {number} pit */
export function facing(shape, pit) {
  const side = (ownerOf(shape, pit) + shape.sides / 2) % shape.sides;
  return side * shape.pits + shape.pits - 1 - (pit % shape.pits);
}

/**
 * Returns the rows in reading order, as the player at the bottom sees them.
 * @param {Shape} shape
 * @param {number} bottom the side at the bottom
 * @returns {Row[]}
 */
export function rowsOf(shape, bottom) {
  const { sides, cols } = shape;
  /** @param {number} side @param {number} from @param {boolean} reversed the row's pits, left to right */
  const row = (side, from, reversed) => {
    const ids = Array.from({ length: cols }, (_, i) => side * shape.pits + from + i);
    return reversed ? ids.reverse() : ids;
  };
  if (sides === 4) {
    const at = (/** @type {number} */ n) => (bottom + n) % 4;
    return [
      { side: at(3), place: "left", pits: row(at(3), 0, true), store: true, outer: true },
      { side: at(2), place: "top", pits: row(at(2), 0, true), store: true, outer: true },
      { side: at(1), place: "right", pits: row(at(1), 0, true), store: true, outer: true },
      { side: at(0), place: "bottom", pits: row(at(0), 0, false), store: true, outer: true },
    ];
  }
  const other = 1 - bottom;
  /** @type {Row[]} */
  const rows = [
    { side: other, place: "top", pits: row(other, 0, true), store: true, outer: true },
    { side: bottom, place: "bottom", pits: row(bottom, 0, false), store: true, outer: true },
  ];
  if (shape.rows === 2) {
    rows.splice(
      1,
      0,
      { side: other, place: "top", pits: row(other, cols, false), store: false, outer: false },
      { side: bottom, place: "bottom", pits: row(bottom, cols, true), store: false, outer: false },
    );
  }
  return rows;
}
