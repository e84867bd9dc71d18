// @ts-check
/**
 * The sizes of a board's pits. Pure. The style sheet (board.css) computes the same numbers for the
 * first paint; a test in a browser compares the two. All sizes are CSS pixels.
 *
 * @typedef {{w: number, h: number}} Size
 * @typedef {Pick<import("../model/shape.js").Shape, "sides" | "rows" | "cols" | "stores">} Form
 * @typedef {"auto" | "h" | "v"} Pin the orientation that the viewer has pinned
 * @typedef {{orient: "h" | "v" | "ring", w: number, h: number, gap: number, bar: number, board: Size}} Lay
 *   w, h: of a pit, on a ring of a pit on the own edge; bar: the thickness of a store
 */

const padding = 6;
const least = 24; // the smallest target for a finger (WCAG 2.5.8)
const easy = 44; // boards with pits of this size are not turned
const thick = 52; // stores on phones
const depth = 0.16; // of a ring's edge, as a part of its side
const narrow = 26; // rings with smaller pits are folded

/** @param {Size} window */
const isPhone = ({ w }) => w < 600;

/** Reports whether the window is a phone in landscape orientation. @param {Size} window */
const isLying = ({ w, h }) => h < 480 && w >= 480 && w < 1200;

/** Returns the size that the board may have. @param {Size} window @param {boolean} projected @returns {Size} */
export function room(window, projected = false) {
  const { w, h } = window;
  if (projected) return { w: w - 48, h: h - 330 };
  if (isLying(window)) return { w: w - 216, h: h - 56 };
  if (isPhone(window)) return { w: w - 16, h: h - 236 };
  return w < 1200 ? { w: w - 48, h: h - 260 } : { w: w - 392, h: h - 250 };
}

/**
 * Returns the gap between pits.
 * @param {number} cols
 * @param {number} all the width for the board
 * @param {boolean} phone
 */
function gapOf(cols, all, phone) {
  if (!phone) return Math.max(8, 0.01 * all);
  return cols > 11 ? 2 : cols > 7 ? 4 : 6;
}

/**
 * @param {Size} window
 * @param {Form} form
 * @param {Pin} [pin]
 * @param {boolean} [projected]
 * @returns {Lay}
 */
export function lay(window, form, pin = "auto", projected = false) {
  const space = room(window, projected);
  if (form.sides === 4) return ring(space, form.cols);
  const phone = isPhone(window) && !projected;
  const across = horizontal(space, form, phone, tallest(window, form));
  if (!phone || pin === "h") return across;
  const turned = vertical(space, form);
  if (pin === "v") return turned;
  const [here, there] = [across, turned].map(({ w, h }) => Math.min(w, h));
  return isLying(window) || here >= easy || here >= there ? across : turned;
}

/** Returns the sums that both orientations need. @param {Size} space @param {Form} form @param {boolean} phone */
function frame(space, { rows, cols, stores }, phone) {
  const gap = gapOf(cols, space.w, phone);
  // leaves enough width for the pits between the stores
  const slim = (space.w - 12 - (cols + 1) * gap - cols * least) / 2;
  return {
    gap,
    bar: phone ? thick : Math.max(least, Math.min(140, 0.1 * space.w, slim)),
    lines: 2 * rows, // rows of pits on the board
    river: rows === 2 ? gap : 0, // between the territories
    has: stores ? 1 : 0,
  };
}

/** Returns how many times as high as wide a pit may be. @param {Size} window @param {Form} form */
const tallest = ({ w }, { stores }) =>
  w < 600 ? (stores ? 2.3 : 2.7) : w < 1200 || stores ? 2.2 : 1.75; // else names would be no plates

/** @param {Size} space @param {Form} form @param {boolean} phone @param {number} tall @returns {Lay} */
function horizontal(space, form, phone, tall) {
  const { gap, bar, lines, river, has } = frame(space, form, phone);
  const ends = phone ? 0 : has * 2 * (bar + gap);
  const bars = phone ? has * 2 * (bar + gap) : 0;
  const most = (space.h - 2 * padding - bars - (lines - 1) * gap - river) / lines;
  const all = (space.w - 2 * padding - ends - (form.cols - 1) * gap) / form.cols;
  const w = phone ? all : Math.min(all, 1.25 * Math.max(least, most));
  const h = Math.max(least, Math.min(tall * w, most));
  const board = {
    w: 2 * padding + ends + form.cols * (w + gap) - gap,
    h: 2 * padding + bars + lines * (h + gap) - gap + river,
  };
  return { orient: "h", w, h, gap, bar, board };
}

/**
 * Lays the board out turned 90° clockwise: the viewer's row is the left column.
 * @param {Size} space
 * @param {Form} form
 * @returns {Lay}
 */
function vertical(space, form) {
  const { gap, bar, lines, river, has } = frame(space, form, true);
  const bars = has * 2 * (bar + gap);
  const h = Math.max(least, (space.h - 2 * padding - bars - (form.cols - 1) * gap) / form.cols);
  const w = Math.min((space.w - 2 * padding - (lines - 1) * gap - river) / lines, 2.2 * h);
  const board = {
    w: 2 * padding + lines * (w + gap) - gap + river,
    h: 2 * padding + bars + form.cols * (h + gap) - gap,
  };
  return { orient: "v", w, h, gap, bar, board };
}

/**
 * Lays out four edges around a square, with a store in each corner. Where pits side by side would
 * be narrow, each edge is folded: every second pit lies further in, and all pits are nearly twice
 * as wide (deploy/decisions/0011).
 * @param {Size} space
 * @param {number} cols
 * @returns {Lay}
 */
function ring(space, cols) {
  const side = Math.min(space.w, space.h);
  const along = (1 - 2 * depth) * side; // between the corners
  if (along - 2 * padding - 4 * (cols + 1) >= narrow * cols) {
    const d = depth * side;
    return {
      orient: "ring",
      w: (along - 2 * padding - 4 * (cols + 1)) / cols,
      h: d,
      gap: 4,
      bar: d,
      board: { w: side, h: side },
    };
  }
  return folded(space, cols);
}

/** @param {Size} space @param {number} cols @returns {Lay} */
function folded(space, cols) {
  const gap = 2;
  const steps = cols + 1; // half pits, along an edge
  const around = 2 * padding + 3 * gap + (least / 2 + gap / 2) * steps; // everything but the depth of two edges
  const side = Math.min(space.w, Math.max(space.h, around + 4 * least));
  const d = Math.max(least, Math.min(0.09 * side, (side - around) / 4));
  const bar = 2 * d + gap;
  const w = (2 * (side - 2 * padding - 2 * bar - gap)) / steps - gap;
  return { orient: "ring", w, h: d, gap, bar, board: { w: side, h: side } };
}
