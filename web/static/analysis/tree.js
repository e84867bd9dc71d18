// @ts-check
/**
 * A game as a tree: the moves that were played, and variations beside them. Pure: the server knows
 * which moves are legal and what they do.
 *
 * @typedef {import("../model/trace.js").Board} Board
 * @typedef {import("../model/trace.js").Step} Step
 * @typedef {{seat: number, move: string, trace: Step[], pits: number[], stores: number[],
 *   marks?: import("../model/trace.js").Marks, position: string}} Made
 *   a move and the position after it
 * @typedef {{at: number, made: Made | null, board: Board, position: string, turn: number, phase: string,
 *   main: boolean, parent: Node | null, children: Node[]}} Node
 *   at: plies from the root; made: the move that led here; main: it is part of the game
 */

/**
 * Returns the seat on turn in a position, and its phase.
 * @param {string} position as text (RULES.md §2)
 * @param {number} sides
 */
export function turnOf(position, sides) {
  const [, , seat = "S", phase = "play"] = position.split(" ");
  const side = (sides === 4 ? "SENW" : "SN").indexOf(seat[0]);
  return { turn: side + sides * (Number(seat[1] ?? 1) - 1), phase };
}

/**
 * @param {Board} board
 * @param {string} position
 * @param {number} sides
 * @returns {Node}
 */
export function root({ pits, stores, marks }, position, sides) {
  return {
    at: 0,
    made: null,
    board: { pits, stores, marks },
    position,
    ...turnOf(position, sides),
    main: true,
    parent: null,
    children: [],
  };
}

/**
 * Adds the position after a move. The same move twice is one node.
 * @param {Node} from
 * @param {Made} made
 * @param {number} sides
 * @param {boolean} [main] the move is part of the game
 * @returns {Node}
 */
export function add(from, made, sides, main = false) {
  const there = from.children.find((child) => child.made?.move === made.move);
  if (there) return there;
  const { pits, stores, marks, position } = made;
  const child = {
    at: from.at + 1,
    made,
    board: { pits, stores, marks },
    position,
    ...turnOf(position, sides),
    main,
    parent: from,
    children: [],
  };
  from.children.push(child);
  return child;
}

/**
 * Builds the tree of a round.
 * @param {import("../model/history.js").Round} round
 * @param {{start: string, positions: string[]}} places
 * @param {number} sides
 */
export function treeOf(round, { start, positions }, sides) {
  const first = root(round.first, start, sides);
  round.plies.reduce((from, ply, i) => add(from, { ...ply, position: positions[i] }, sides, true), first);
  return first;
}

/** Returns the nodes from the root to this one. @param {Node} node @returns {Node[]} */
export const path = (node) => (node.parent ? [...path(node.parent), node] : [node]);

/** Returns the number of the turn that led to a node; 0: the start. @param {Node} node */
export const turnTo = (node) =>
  path(node).filter(({ made, parent }) => made && made.seat !== parent?.made?.seat).length;

/** Returns the node of the game at which a variation begins. @param {Node} node @returns {Node} */
export const branchPoint = (node) => (node.main || !node.parent ? node : branchPoint(node.parent));

/**
 * Returns the next node of the line: the game's move if there is one, else the first variation.
 * @param {Node} node
 * @returns {Node | null}
 */
export const next = (node) => node.children[0] ?? null;

/**
 * Returns the node of the game after the given number of plies, or its last one.
 * @param {Node} first
 * @param {number} at
 * @returns {Node}
 */
export function mainAt(first, at) {
  let node = first;
  while (node.at < at && node.children[0]?.main) [node] = node.children;
  return node;
}

/**
 * Returns another move instead of the one that led here.
 * @param {Node} node
 * @param {1 | -1} way
 * @returns {Node | null}
 */
export function sibling(node, way) {
  const all = node.parent?.children ?? [];
  return all.length < 2 ? null : all[(all.indexOf(node) + way + all.length) % all.length];
}

/**
 * Returns the variations beside a line of nodes, and their variations in turn.
 *
 * @typedef {{from: Node, line: Node[], others: Variation[]}} Variation
 *   from: the node at which it leaves the line
 * @param {Node[]} line
 * @returns {Variation[]}
 */
export function variations(line) {
  return line.flatMap((from, i) =>
    from.children
      .filter((child) => child !== line[i + 1])
      .map((first) => {
        const own = [first];
        for (let on = next(first); on; on = next(on)) own.push(on);
        return { from, line: own, others: variations(own) };
      }),
  );
}
