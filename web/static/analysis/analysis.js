// @ts-check
/**
 * The page on which a finished game is looked at closely: walking through it, what
 * each move cost, trying others on the same board, and puzzles.
 *
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./findings.js").Findings} Findings
 */

import { MoveAnimation } from "../board/animation.js";
import "../board/board.js";
import { Input } from "../board/input.js";
import { viewOf } from "../board/view.js";
import { request } from "../lib/api.js";
import { find } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import { copy } from "../lib/share.js";
import { translator } from "../lib/text.js";
import { hashOf, placeOf, rounds } from "../model/history.js";
import { preview } from "../model/preview.js";
import { pitOf, sideOf } from "../model/shape.js";
import { open } from "../model/state.js";
import { AnalysisRequest } from "../review/analysisrequest.js";
import { Story } from "../review/story.js";
import { worthTo } from "../review/storydata.js";
import { enableSound } from "../sound/sound.js";
import { answers, bubble } from "../speech/answers.js";
import { Voice } from "../speech/voice.js";
import { speaker } from "../speech/words.js";
import { Explorer } from "./explorer.js";
import { bestLine, moveVerdict } from "./findings.js";
import { PuzzlePanel } from "./puzzles.js";
import { add, sibling, branchPoint, treeOf, mainAt, next, path, root, variations } from "./tree.js";

const data = (/** @type {string} */ id) => JSON.parse(find(id).textContent ?? "null");
const page = document.documentElement;
const t = translator(await (await fetch(/** @type {string} */ (page.dataset.messages))).json(), page.lang || "en");
const own = translator(data("#texts"), page.lang || "en"); // of this page alone

const game = open(data("#snap"), Date.now());
const { room, snap, as } = game;
const words = speaker(t, game);
const { sides } = words.shape;
const short = (/** @type {string} */ move) => words.short(move, 0);
const board = /** @type {import("../board/board.js").MancalaBoard} */ (find("mancala-board"));

/** @type {import("../model/history.js").Round[]} */
let plies = [];
/** @type {import("../review/analysisrequest.js").Answer["rounds"]} */
let places = [];
/** @type {Node[]} one for each round, and one for a position that was set up */
const trees = [];
let round = 0;
let told = 0; // the round of the game that was looked at last, which the panels beside the board tell of
let puzzled = -1; // the round whose mistakes are puzzles
let here = root({ pits: snap.pits, stores: snap.stores }, "", sides);
let flipped = false;
let message = "";

const voice = new Voice(t, () => "normal");
const explorer = new Explorer(snap, tell);
const animation = new MoveAnimation(board, t, { changed: draw, scored: score, stepped: () => {} });
const story = new Story(t, find("#after"), (n) => goIn(told, n));
const asking = new AnalysisRequest(room, made);
const retry = new PuzzlePanel(own, { name: words.name, short, go: (n) => goIn(puzzled, n), say: tell, enter: () => input.enter() });
const input = new Input(board, {
  previewOf: (pit, move) => previewOf(pit, move),
  requestMoves: () => void learn(),
  needsConfirmation: () => false,
  singleKeys: () => prefs.get("keys") !== "off",
});

/** The game as it stood, or would stand, at a node. @param {Node} node */
function gameAt(node) {
  const over = node.phase === "over";
  const { made } = node;
  return { ...game, snap: { ...snap, ...node.board, state: over ? "over" : "live", phase: over ? "play" : node.phase, turn: node.turn, ply: node.at, result: undefined, last: made ?? undefined } };
}

/** @returns {Findings | null} of the round that is looked at */
const findings = () => places[round]?.review ?? null;

/** What is known of the position at a node. @param {Node} node */
const foundAt = (node) => (node.main && trees[round] !== setUp ? findings()?.plies[node.at] : undefined) ?? looked.get(node.position);
/** @type {Map<string, import("./findings.js").Found>} positions whose worth somebody has asked for */
const looked = new Map();
/** @type {Node | null} */
let setUp = null;

/** Show a node. @param {Node} node @param {{quiet?: boolean, moved?: boolean, first?: boolean}} [how] moved: its move is shown; first: the page has just come, and nobody has touched the board */
function go(node, { quiet = false, moved = false, first = false } = {}) {
  const from = here;
  here = node;
  message = "";
  animation.end();
  const { made, parent } = node;
  if (made && parent && (moved || parent === from)) {
    const again = node.phase === parent.phase && node.turn === made.seat && pitOf(words.shape, sideOf(words.shape, made.seat), made.move) !== null;
    animation.replay(gameAt(node), { before: parent.board, ply: made, again });
  }
  if (!first) address(); // a browser asks for the icon again when the address changes
  draw();
  if (!quiet) voice.say(verdict(node) || status());
  if (!first) void learn();
}

/** Show a round of the game after so many plies. @param {number} n @param {number} plies @param {{moved?: boolean}} [how] */
function goIn(n, plies, how) {
  round = n;
  puzzle();
  go(mainAt(trees[n], plies), how);
}

/** The puzzles are those of the round that is looked at. */
function puzzle() {
  const review = findings();
  if (!review || round === puzzled) return;
  puzzled = round;
  retry.of(review, Array.from({ length: words.seats }, (_, seat) => seat), as);
}

/** Learn what may be played where the board stands. @returns {Promise<boolean>} whether that was not known */
async function learn() {
  const node = here;
  if (node.phase === "over" || explorer.known(node.position)) return false;
  const found = await explorer.look(node.position);
  if (found && here === node) draw();
  return found !== null;
}

/** What is said of the move that led to a node. @param {Node} node */
function verdict({ made, main, at: n }) {
  if (!made) return "";
  const found = main && trees[round] !== setUp ? findings()?.plies[n - 1] : undefined;
  const name = words.name(made.seat);
  return found ? moveVerdict(own, n, name, short, found) : own("move", { move: n, name, pit: short(made.move) });
}

function status() {
  if (message) return message;
  if (here.phase === "over") return [verdict(here), own("over")].filter(Boolean).join(" ");
  const found = retry.asks ? undefined : foundAt(here);
  return [verdict(here), found ? bestLine(own, short, found) : speaker(t, gameAt(here)).turn()].filter(Boolean).join(" ");
}

/** @param {string} text */
function tell(text) {
  message = text;
  voice.say(text);
  draw();
}

/** @param {number} side @param {number} n */
function score(side, n) {
  for (const el of document.querySelectorAll(`.seat[data-side="${side}"] .score`)) el.textContent = String(n);
}

/** Names and scores stand where their side is. @param {number} bottom @param {number[]} stores */
function strips(bottom, stores) {
  for (const strip of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".seat"))) {
    const seat = Number(strip.dataset.seat);
    const side = sideOf(words.shape, seat);
    const home = find(`.seats[data-place=${side === bottom ? "bottom" : "top"}]`);
    if (strip.parentElement !== home) home.append(strip);
    Object.assign(strip.dataset, { side: String(side), turn: here.phase !== "over" && here.turn === seat ? "1" : "0" });
    /** @type {HTMLElement} */ (strip.querySelector(".score")).textContent = String(stores[side]);
    /** @type {HTMLElement} */ (strip.querySelector(".clock")).hidden = true;
  }
}

/** The moves of each pit. @returns {Map<number, string[]>} */
function choices() {
  /** @type {Map<number, string[]>} */
  const map = new Map();
  for (const { m } of explorer.known(here.position) ?? []) {
    const pit = pitOf(words.shape, sideOf(words.shape, here.turn), m);
    if (pit !== null) map.set(pit, [...(map.get(pit) ?? []), m]);
  }
  return map;
}

/** Show everything. Who stood on a button that is gone now stands on the board. */
function draw() {
  const stood = document.activeElement;
  show();
  if (stood instanceof HTMLElement && stood !== document.body && stood.closest("[hidden]")) input.enter();
}

function show() {
  const now = gameAt(here);
  const moving = animation.shown;
  const spoken = speaker(t, now);
  const view = { ...viewOf(t, now, spoken, { conn: "on", moving }), choices: choices() };
  view.bottom = (view.bottom + (flipped ? sides / 2 : 0)) % sides;
  board.draw(view, moving ? null : (here.made?.trace ?? null));
  input.follow({ ...view, as: here.turn }); // numbers are the pits of who is on turn
  strips(view.bottom, view.stores);
  find("#status").textContent = status();
  const length = path(here).length - 1;
  find("#at").textContent = path(here)[0] === setUp ? own("set.short") : here.main ? own("here", { move: here.at, of: mainAt(trees[round] ?? here, Infinity).at }) : own("here.tried", { n: length - branchPoint(here).at });
  find("[data-action=main]").hidden = here.main && trees[round] !== setUp;
  find("[data-action=look]").hidden = here.phase === "over" || retry.asks || foundAt(here) !== undefined;
  find("[data-action=best]").hidden = retry.asks || !foundAt(here)?.best?.length || here.phase === "over";
  for (const link of document.querySelectorAll(".analysed a[href]")) link.toggleAttribute("aria-current", false);
  if (here.main) document.querySelector(`.analysed th a[href="${hash()}"]`)?.setAttribute("aria-current", "true");
  if (plies[round] && trees[round] !== setUp) {
    const shown = findings();
    told = round;
    story.draw({ round: plies[round], at: branchPoint(here).at, worths: shown ? worthTo([...shown.plies, shown.end], Math.max(0, words.mine), sides) : [] }, words);
  }
  list();
}

let listed = "";

/** What was tried, each line below the one that it leaves. */
function list() {
  const tried = trees.flatMap((tree, n) => variations(path(mainAt(tree, Infinity))).map((one) => ({ one, n })));
  /** @param {import("./tree.js").Variation} one @returns {string} */
  const written = ({ from, line, others }) => `${from.at}: ${line.map(({ made }) => made?.move)} (${others.map(written)})`;
  const key = [...tried.map(({ one, n }) => `${n} ${written(one)}`), round, ...path(here).map(({ made }) => made?.move)].join();
  if (key === listed) return;
  listed = key;
  const focused = document.activeElement instanceof HTMLElement && find("#tree").contains(document.activeElement) ? document.activeElement.dataset.n : undefined;
  find("#tries").hidden = tried.length === 0;
  let count = 0;

  /** @param {import("./tree.js").Variation} one @param {number} n of its tree @param {string} text @returns {HTMLElement} */
  const item = ({ from, line, others }, n, text) => {
    const li = document.createElement("li");
    const label = document.createElement("span");
    label.textContent = own(text, { move: hashOf({ round: n, at: from.at }, places.length).slice(1) });
    li.append(label, ...line.map((node) => button(node, n)));
    if (others.length > 0) {
      const below = document.createElement("ul");
      below.append(...others.map((other) => item(other, n, "tried.or")));
      li.append(below);
    }
    return li;
  };
  /** @param {Node} node @param {number} n of its tree */
  const button = (node, n) => {
    const { seat, move } = /** @type {import("./tree.js").Made} */ (node.made);
    const el = document.createElement("button");
    el.type = "button";
    el.dataset.n = String(count++);
    el.dataset.seat = String(seat);
    el.textContent = short(move);
    el.setAttribute("aria-label", own("move", { move: node.at, name: words.name(seat), pit: short(move) }));
    if (node === here) el.setAttribute("aria-current", "true");
    el.addEventListener("click", () => {
      round = n;
      puzzle();
      go(node);
    });
    return el;
  };
  find("#tree").replaceChildren(...tried.map(({ one, n }) => item(one, n, trees[n] === setUp ? "tried.set" : one.from.at === 0 ? "tried.start" : "tried")));
  if (focused !== undefined) /** @type {HTMLElement | null} */ (find("#tree").querySelector(`[data-n="${focused}"]`))?.focus();
}

/** @param {number} pit @param {string} move */
function previewOf(pit, move) {
  const legal = explorer.known(here.position)?.find(({ m }) => m === move);
  if (!legal) return null;
  const p = preview(legal, here.board);
  return { lands: p.lands, last: p.last, text: bubble(t, p) };
}

/** Somebody tries a move. @param {string} move */
async function play(move) {
  const asked = round === puzzled && here.main && here.at === retry.place; // elsewhere a move answers nothing
  if (asked && !retry.answer(move)) return input.shake(pitOf(words.shape, sideOf(words.shape, here.turn), move) ?? -1);
  const there = here.children.find((child) => child.made?.move === move);
  if (there) return go(there, { quiet: message !== "" });
  const from = here;
  const found = await explorer.look(from.position, { moves: [move] });
  if (!found || here !== from) return;
  const quiet = message !== ""; // a puzzle has said what it thinks of it
  go(add(from, found.steps[0], sides), { quiet });
}

/** What is best here? */
async function look() {
  const node = here;
  tell(own("looking"));
  const found = await explorer.look(node.position, { worth: true });
  if (!found?.worth) return;
  looked.set(node.position, found.worth);
  if (here === node) tell(bestLine(own, short, found.worth));
}

/** The best line becomes one that was tried. */
async function playBest() {
  const from = here;
  const line = foundAt(from)?.best ?? [];
  const found = await explorer.look(from.position, { moves: line.slice(0, 12) });
  if (!found || here !== from) return;
  const nodes = found.steps.reduce((made, step) => [...made, add(made[made.length - 1], step, sides)], [from]);
  go(nodes[1] ?? from);
}

/** The place as the end of the address. */
const hash = () => (trees[round] === setUp ? "" : hashOf({ round, at: branchPoint(here).at }, places.length));

function address() {
  const end = hash();
  if (end && end !== location.hash && (here.at > 0 || location.hash)) history.replaceState(history.state, "", location.pathname + location.search + end);
}

/** Go where the address says. */
function visit() {
  const place = placeOf(location.hash);
  if (!place) return;
  const n = place.round ?? places.length - 1;
  if (!trees[n] || trees[n] === setUp) return;
  goIn(n, place.at, { moved: true });
}

/** @type {Record<string, () => void>} */
const actions = {
  first: () => go(path(here)[0]),
  back: () => here.parent && go(here.parent),
  forward: () => {
    const on = next(here);
    if (on) go(on);
  },
  last: () => go(mainAt(trees[round], Infinity)),
  before: () => sideways(-1),
  after: () => sideways(1),
  flip: () => {
    flipped = !flipped;
    draw();
  },
  main: () => {
    if (trees[round] === setUp) round = 0;
    go(trees[round] === path(here)[0] ? branchPoint(here) : mainAt(trees[round], Infinity));
  },
  look: () => void look(),
  best: () => void playBest(),
  copy: async () => {
    if (await copy(location.origin + location.pathname + (here.main ? hash() : "#" + branchPoint(here).at))) tell(own("copied"));
  },
  board: () => voice.say(answers(t, gameAt(here), speaker(t, gameAt(here))).whole(here.board)),
  score: () => voice.say(answers(t, gameAt(here), speaker(t, gameAt(here))).score()),
  repeat: () => voice.repeat(),
};

/** Another move instead of this one. @param {1 | -1} way */
function sideways(way) {
  const other = sibling(here, way);
  if (other) go(other, { moved: true });
}

board.addEventListener("sow", (e) => {
  const { pit, move } = /** @type {CustomEvent<{pit: number, move?: string}>} */ (e).detail;
  if (move) void play(move);
  else if (here.phase !== "over" && !explorer.known(here.position)) void learn().then((now) => now && input.tap(pit)); // the first tap of all
  else tell(own(here.phase === "over" ? "over" : here.phase === "setup" ? "lay" : "no"));
});
board.addEventListener("key", (e) => actions[/** @type {CustomEvent} */ (e).detail.what]?.());
document.addEventListener("click", (e) => {
  const target = /** @type {HTMLElement} */ (e.target);
  const action = /** @type {HTMLElement | null} */ (target.closest("button[data-action]"))?.dataset.action ?? "";
  if (!target.closest("#retry, form")) actions[action]?.();
});
find("#game").addEventListener("keydown", (e) => {
  if (prefs.get("keys") === "off" || e.ctrlKey || e.metaKey || e.altKey || /** @type {HTMLElement} */ (e.target).closest("input, select")) return;
  const bracket = e.code === "BracketLeft" || e.key === "[" || e.key === "{" ? -1 : e.code === "BracketRight" || e.key === "]" || e.key === "}" ? 1 : 0;
  if (bracket === 0 || e.defaultPrevented) return; // the board has its own keys
  e.preventDefault();
  if (e.shiftKey) sideways(bracket);
  else actions[bracket < 0 ? "back" : "forward"]();
});
addEventListener("hashchange", visit);

/** A position that somebody sets up begins as the one that is shown. */
find("#edit").addEventListener("toggle", () => {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (find("#edit-form").querySelectorAll("[name=pit], [name=store]"));
  const numbers = { pit: [...here.board.pits], store: [...here.board.stores] };
  for (const field of fields) field.value = String(numbers[/** @type {"pit" | "store"} */ (field.name)].shift());
  /** @type {HTMLSelectElement} */ (find("#edit-form select")).value = String(here.turn);
});
find("#edit-form").addEventListener("submit", async (e) => {
  const form = /** @type {HTMLFormElement} */ (e.target);
  e.preventDefault();
  const numbers = (/** @type {string} */ name) => new FormData(form).getAll(name).map(String);
  const pits = numbers("pit");
  const rows = Array.from({ length: sides }, (_, side) => pits.slice(side * words.shape.pits, (side + 1) * words.shape.pits).join());
  const seat = Number(numbers("seat")[0]);
  const called = (sides === 4 ? "SENW" : "SN")[seat % sides] + (words.shape.partners > 1 ? Math.floor(seat / sides) + 1 : "");
  const found = await explorer.look(`${rows.join("/")} ${numbers("store").join("/")} ${called} play 0 0`, { worth: true });
  if (!found) return;
  if (found.worth) looked.set(found.position, found.worth);
  if (setUp) trees.pop();
  setUp = root(found, found.position, sides);
  trees.push(setUp);
  round = trees.length - 1;
  go(setUp);
  input.enter();
});

/** The analysis is there. @param {import("../review/analysisrequest.js").Answer} answer */
async function made(answer) {
  places = answer.rounds;
  puzzle();
  draw();
  if (!document.querySelector(".analysed")) await bring();
  draw();
}

/** What the server writes about it comes into this page, without leaving it. */
async function bring() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  find("#edit").before(...fresh.querySelectorAll(".analysed"));
  const links = fresh.querySelector("#findings > .row-of:last-child");
  if (links) find("#findings > .row-of:last-child").replaceWith(links);
  voice.say(own("ready"));
}

enableSound();
const [replay, answer] = await Promise.all([request(`/api/v1/games/${room}/replay`, {}, tell), asking.read()]);
if (replay && answer) {
  plies = rounds(replay);
  places = answer.rounds;
  trees.push(...plies.map((one, i) => treeOf(one, places[i], sides)));
  round = trees.length - 1;
  here = mainAt(trees[round], Infinity);
  asking.show(answer);
  visit();
  go(here, { quiet: true, first: true });
}
