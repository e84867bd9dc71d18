// @ts-check
/**
 * The page of an analysis: walking through a finished game, what each move cost, trying other moves
 * on the same board, and puzzles. study.js holds what is shown, analysisview.js draws it.
 *
 * @typedef {import("./tree.js").Node} Node
 * @typedef {typeof parts} Parts
 */

import { MoveAnimation } from "../board/animation.js";
import "../board/board.js";
import { Input } from "../board/input.js";
import { request } from "../lib/api.js";
import { find, intoView } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import { copy } from "../lib/share.js";
import { translator } from "../lib/text.js";
import { placeOf, rounds } from "../model/history.js";
import { preview } from "../model/preview.js";
import { pitOf, sideOf } from "../model/shape.js";
import { open } from "../model/state.js";
import { AnalysisRequest } from "../review/analysisrequest.js";
import { Story } from "../review/story.js";
import { enableSound } from "../sound/sound.js";
import { answers, bubble } from "../speech/answers.js";
import { Voice } from "../speech/voice.js";
import { speaker } from "../speech/words.js";
import { AnalysisView } from "./analysisview.js";
import { bracketKeys } from "./bracketkeys.js";
import { Explorer } from "./explorer.js";
import { bestLine } from "./findings.js";
import { PuzzlePanel } from "./puzzles.js";
import { setUpForm } from "./setupform.js";
import { Study } from "./study.js";
import { add, branchPoint, mainAt, next, path, sibling } from "./tree.js";
import { VariationList } from "./variationlist.js";

const data = (/** @type {string} */ id) => JSON.parse(find(id).textContent ?? "null");
const root = document.documentElement;
const t = translator(await (await fetch(/** @type {string} */ (root.dataset.messages))).json(), root.lang || "en");
const own = translator(data("#texts"), root.lang || "en"); // texts of this page

const game = open(data("#snap"), Date.now());
const { room, snap, as } = game;
const words = speaker(t, game);
const { shape } = words;
const short = (/** @type {string} */ move) => words.short(move, 0);
const board = /** @type {import("../board/board.js").MancalaBoard} */ (find("mancala-board"));

const study = new Study(game, shape.sides);
const voice = new Voice(t, () => "normal");
const explorer = new Explorer(snap, tell, own("failed"));
const animation = new MoveAnimation(board, t, {
  onEnd: draw,
  onStep: () => {},
});
const story = new Story(t, find("#after"), (n) => goIn(study.storyRound, n));
const analysisRequest = new AnalysisRequest(room, show);
const puzzles = new PuzzlePanel(own, {
  name: words.name,
  short,
  go: (n) => goIn(study.puzzleRound, n),
  say: tell,
  enter: () => {
    input.enter();
    intoView(".table");
  },
});
const input = new Input(board, {
  previewOf,
  requestMoves: () => void learn(),
  needsConfirmation: () => prefs.get("confirm") === "always",
  singleKeys: () => prefs.get("keys") !== "off",
  replays: () => true,
});
const parts = { t, own, words, study, explorer, board, animation, input, story, puzzles };
const variations = new VariationList(own, study, words, (round, node) => {
  study.round = round;
  setPuzzles();
  go(node);
});
const view = new AnalysisView(parts, variations);

function draw() {
  view.draw();
}

/**
 * Shows a node.
 * @param {Node} node
 * @param {{quiet?: boolean, moved?: boolean, first?: boolean}} [how]
 *   quiet: nothing is said; moved: the move that leads there is shown; first: the page has just
 *   loaded, and the viewer has not touched the board
 */
function go(node, { quiet = false, moved = false, first = false } = {}) {
  const from = study.here;
  study.here = node;
  study.message = "";
  animation.end();
  const { made, parent } = node;
  if (made && parent && (moved || parent === from)) {
    const sows = pitOf(shape, sideOf(shape, made.seat), made.move) !== null;
    const again = node.phase === parent.phase && node.turn === made.seat && sows;
    animation.replay(study.gameAt(node), { before: parent.board, ply: made, again });
  }
  if (!first) updateHash(); // a browser requests the icon again when the address changes
  draw();
  if (!quiet) voice.say(view.verdict(node) || view.status());
  if (!first) void learn();
}

/**
 * Shows a round of the game after the given number of plies.
 * @param {number} round
 * @param {number} plies
 * @param {{moved?: boolean}} [how]
 */
function goIn(round, plies, how) {
  study.round = round;
  setPuzzles();
  go(mainAt(study.trees[round], plies), how);
}

/** Makes the puzzles those of the round that is shown. */
function setPuzzles() {
  const { findings, round } = study;
  if (!findings || round === study.puzzleRound) return;
  study.puzzleRound = round;
  puzzles.of(findings, [...Array(words.seats).keys()], as);
}

/** Requests the legal moves of the position. Reports whether they were not known. @param {boolean} [quiet] */
async function learn(quiet = true) {
  const node = study.here;
  if (node.phase === "over" || explorer.known(node.position)) return false;
  // Quiet unless the viewer taps a pit: without a network they can still walk through the game.
  const found = await explorer.look(node.position, { quiet });
  if (found && study.here === node) draw();
  return found !== null;
}

/** Says a text, and shows it in the status line. @param {string} text */
function tell(text) {
  study.message = text;
  voice.say(text);
  draw();
}

/** @param {number} pit @param {string} move */
function previewOf(pit, move) {
  const { position, board } = study.here;
  const legal = explorer.known(position)?.find(({ m }) => m === move);
  if (!legal) return null;
  const p = preview(legal, board);
  return { lands: p.lands, last: p.last, text: bubble(t, p), said: replies().previewText(pit, p) };
}

/** Tries a move. @param {string} move */
async function play(move) {
  const from = study.here;
  // at any other place a move answers no puzzle
  const answers = study.round === study.puzzleRound && from.main && from.at === puzzles.place;
  if (answers && !puzzles.answer(move)) return board.shake(pitOf(shape, sideOf(shape, from.turn), move) ?? -1);
  const child = from.children.find(({ made }) => made?.move === move);
  if (child) return go(child, { quiet: study.message !== "" });
  const found = await explorer.look(from.position, { moves: [move] });
  if (!found || study.here !== from) return;
  const quiet = study.message !== ""; // the puzzle has judged the move
  go(add(from, found.steps[0], study.sides), { quiet });
}

/** Asks for the worth of the position, and for the best line. */
async function look() {
  const node = study.here;
  tell(own("looking"));
  const found = await explorer.look(node.position, { worth: true });
  if (!found?.worth) return;
  study.value(node.position, found.worth);
  if (study.here === node) tell(bestLine(own, short, found.worth));
}

/** Adds the best line as a variation, and shows its first move. */
async function playBest() {
  const from = study.here;
  const line = study.foundAt(from)?.best ?? [];
  const found = await explorer.look(from.position, { moves: line.slice(0, 12) });
  if (!found || study.here !== from) return;
  const nodes = found.steps.reduce((made, step) => [...made, add(made[made.length - 1], step, study.sides)], [from]);
  go(nodes[1] ?? from);
}

/** Shows a move, if there is one. @param {Node | null | undefined} node @param {{ moved?: boolean }} [how] */
const step = (node, how) => node && go(node, how);
/** Shows another move instead of this one. @param {1 | -1} way */
const goSideways = (way) => step(sibling(study.here, way), { moved: true });

/** Leaves a variation, or the position that was set up. */
function goToGame() {
  if (study.isSetUp()) study.round = 0;
  const inRound = study.trees[study.round] === path(study.here)[0];
  go(inRound ? branchPoint(study.here) : study.end());
}

function updateHash() {
  const { hash, here } = study;
  if (!hash || hash === location.hash || (here.at === 0 && !location.hash)) return;
  history.replaceState(history.state, "", location.pathname + location.search + hash);
}

/** Goes to the place in the address. */
function goToHash() {
  const place = placeOf(location.hash);
  if (!place) return;
  const round = place.round ?? study.places.length - 1;
  if (!study.trees[round] || study.isSetUp(round)) return;
  goIn(round, place.at, { moved: true });
  intoView(".table");
}

const replies = () => answers(study.gameAt(study.here), speaker(t, study.gameAt(study.here)));

/** @type {Record<string, () => void>} by data-action, and by the commands of keys */
const actions = {
  first: () => go(path(study.here)[0]),
  back: () => step(study.here.parent),
  forward: () => step(next(study.here)),
  start: () => actions.first(),
  end: () => go(study.end()),
  before: () => goSideways(-1),
  after: () => goSideways(1),
  flip: () => {
    study.flipped = !study.flipped;
    draw();
  },
  main: goToGame,
  look: () => void look(),
  best: () => void playBest(),
  copy: async () => {
    if (await copy(location.origin + location.pathname + study.hash)) tell(own("copied"));
  },
  board: () => voice.say(replies().boardText(study.here.board)),
  score: () => voice.say(replies().score()),
  last: () => voice.say(replies().lastMove(study.here.made)),
  repeat: () => voice.repeat(),
};

board.addEventListener("sow", (e) => {
  const { pit, move, way } = /** @type {CustomEvent<{pit: number, move?: string, way?: string}>} */ (e).detail;
  const { phase, position } = study.here;
  if (move) void play(move);
  else if (way) input.tap(pit); // the pit can only be sown in another direction
  else if (phase !== "over" && !explorer.known(position)) void learn(false).then((asked) => asked && input.tap(pit));
  else tell(own(phase === "over" ? "over" : phase === "setup" ? "lay" : "no"));
});
board.addEventListener("ask", (e) => {
  const { pit, move } = /** @type {CustomEvent<{pit: number, move: string}>} */ (e).detail;
  tell([previewOf(pit, move)?.said ?? "", t("confirm.again")].join(" "));
});
board.addEventListener("key", (e) => actions[/** @type {CustomEvent} */ (e).detail.what]?.());
document.addEventListener("click", (e) => {
  const target = /** @type {HTMLElement} */ (e.target);
  const button = /** @type {HTMLElement | null} */ (target.closest("button[data-action]"));
  if (!target.closest("#retry, form")) actions[button?.dataset.action ?? ""]?.();
  if (!target.closest(`a[href="${location.hash}"]`)) return;
  e.preventDefault(); // the browser would only scroll to the row of the move, and report nothing
  goToHash();
});
bracketKeys(find("#game"), {
  along: (way) => actions[way < 0 ? "back" : "forward"](),
  sideways: goSideways,
});
addEventListener("hashchange", goToHash);

setUpForm(parts, async (position) => {
  const found = await explorer.look(position, { worth: true });
  if (!found) return;
  if (found.worth) study.value(found.position, found.worth);
  go(study.setUp(found));
  input.enter();
});

/** Shows the findings of the analysis. @param {import("../review/analysisrequest.js").Answer} answer */
async function show(answer) {
  study.places = answer.rounds;
  setPuzzles();
  draw();
  if (!document.querySelector(".analysed") && (await view.fetchFindings())) voice.say(own("ready"));
  draw();
}

enableSound();
const asked = request(`/api/v1/games/${room}/replay`, {}, tell, own("failed"));
const [replay, answer] = await Promise.all([asked, analysisRequest.read()]);
if (replay && answer) {
  const newest = analysisRequest.shown ?? answer; // the viewer may have asked meanwhile
  study.load(rounds(replay), newest.rounds);
  analysisRequest.show(newest);
  goToHash();
  go(study.here, { quiet: true, first: true });
}
