// @ts-check
/**
 * The page of a lesson: each step is a board with a task. The page holds what every move does, so the
 * board answers without a request. A puzzle is a lesson of one step, whose answers the server keeps.
 */

import { MoveAnimation } from "../board/animation.js";
import "../board/board.js";
import { Input } from "../board/input.js";
import { viewOf } from "../board/view.js";
import { hintWords } from "../game/hints.js";
import { element, find, write } from "../lib/dom.js";
import { inLanguage } from "../lib/language.js";
import { prefs } from "../lib/prefs.js";
import { translator } from "../lib/text.js";
import { preview } from "../model/preview.js";
import { pitOf } from "../model/shape.js";
import { open } from "../model/state.js";
import { install } from "../offline/offline.js";
import { enableSound } from "../sound/sound.js";
import { answers, bubble } from "../speech/answers.js";
import { refusal } from "../speech/refusals.js";
import { Voice } from "../speech/voice.js";
import { speaker } from "../speech/words.js";
import { Course } from "./course.js";
import { Progress } from "./progress.js";

const root = document.documentElement;
const t = translator(await (await fetch(/** @type {string} */ (root.dataset.messages))).json(), root.lang || "en");
const { frame, steps } = JSON.parse(find("#lesson").textContent ?? "null");
const course = new Course(open(frame, Date.now()), steps);
const progress = new Progress(frame.snap.rules, find("#game").hasAttribute("data-account"));
const voice = new Voice(t, () => "normal");
const asks = find("#game").hasAttribute("data-asks"); // the server judges the moves
const board = /** @type {import("../board/board.js").MancalaBoard} */ (find("mancala-board"));
const { shape } = speaker(t, course.game);
const askAgain = 2000; // ms between two requests for a verdict
const byAction = (/** @type {string} */ name) => find(`[data-action=${name}]`);

let written = -1; // the step whose words stand beside the board
let hinted = false; // the reader has asked for a hint in this step
let told = ""; // the text of the status line in place of the verdict
let judged = true; // the verdict on the move that was made has been shown and said
/** @type {EventTarget | null} */
let entered = null; // the link on which Enter is down
let ending = false; // the last tap or key has only ended an animation

// Before the animation's own listeners: a tap that ends an animation must not leave its verdict unread.
for (const kind of ["pointerdown", "keydown"])
  document.addEventListener(kind, () => (ending = animation.shown !== null), { capture: true });

const animation = new MoveAnimation(board, t, {
  onEnd: draw,
  onStep: () => {},
});
const input = new Input(board, {
  previewOf,
  requestMoves: () => {},
  needsConfirmation: () => prefs.get("confirm") === "always", // else one tap: a wrong move costs nothing
  singleKeys: () => prefs.get("keys") !== "off",
  replays: () => false,
});

/** Shows a side's score. @param {number} side @param {number} n */
function score(side, n) {
  for (const el of document.querySelectorAll(`.seat[data-seat="${side}"] .score`)) write(el, String(n));
}

/**
 * Returns the preview of a move that a hint names, or that waits for a second tap.
 * @param {number} pit
 * @param {string} move
 */
function previewOf(pit, move) {
  const shown = board.cell(pit)?.hasAttribute("data-armed") || (hinted && move === course.step.right[0]);
  const legal = shown && course.step.legal.find(({ m }) => m === move);
  if (!legal) return null;
  const p = preview(legal, course.step);
  return { lands: p.lands, last: p.last, text: bubble(t, p), said: replies().previewText(pit, p) };
}

/** Draws the board, and the verdict once the move has been shown. */
function draw() {
  const game = course.now();
  const moving = animation.shown;
  const view = viewOf(t, game, speaker(t, game), { conn: "on", moving });
  view.choices = course.choices(shape);
  board.draw(view, course.made && !moving ? (course.made.trace ?? null) : null);
  input.follow(view);
  if (!moving) game.snap.stores.forEach((n, side) => score(side, n));
  if (!moving && !judged && course.verdict) judge();
  panel();
}

/** Shows and says the verdict on the move that was made. The focus goes to what comes next. */
function judge() {
  judged = true;
  if (course.solved && !asks) progress.add(course.step.kind);
  voice.say(course.verdict);
  panel();
  const next = /** @type {HTMLElement | null} */ (document.querySelector(".orders .primary:not([hidden])"));
  next?.focus({ preventScroll: true });
}

/** Draws the parts beside the board. */
function panel() {
  const { step, at, solved, made, hint: best } = course;
  const shown = made !== null && judged;
  const last = at + 1 === course.steps.length;
  if (at !== written) {
    written = at;
    write(find("#what"), step.what);
    write(find("#task"), step.task);
    find("#about").replaceChildren(...step.about.map((text) => element("p", {}, text)));
  }
  const status = find("#status");
  write(status, told || (shown ? course.verdict : ""));
  if (shown && !told) status.dataset.right = String(solved);
  else delete status.dataset.right;
  byAction("hint").hidden = best === null;
  byAction("again").hidden = !shown || solved;
  if (asks) byAction("other").hidden = shown && solved;
  else byAction("next").hidden = !shown || !solved || last;
  byAction(asks ? "more" : "bot").hidden = !shown || !solved || !last;
  find("#all").hidden = !shown || !last || !course.steps.every(({ kind }) => progress.has(kind));
  const rule = /** @type {HTMLAnchorElement} */ (find("#rule"));
  rule.hash = step.section;
  for (const [i, link] of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-step]")).entries()) {
    const did = progress.has(course.steps[i].kind);
    if (i === at) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
    if (did && link.dataset.did === undefined) {
      link.dataset.did = "";
      link.setAttribute("aria-label", `${link.getAttribute("aria-label")}, ${find(".steps").dataset.done}`);
    }
  }
  const pit = hinted && best !== null ? pitOf(shape, 0, best) : null;
  for (const cell of board.querySelectorAll("[data-pit]"))
    cell.toggleAttribute("data-hint", cell.getAttribute("data-pit") === String(pit));
}

/** Says a text, and shows it where the verdict is. @param {string} text */
function tell(text) {
  told = text;
  voice.say(text);
  panel();
}

/** Shows a step from its start, and reads its task. @param {number} at */
function go(at) {
  animation.end();
  const other = at !== course.at;
  course.go(at);
  [hinted, told, judged] = [false, "", true];
  draw();
  input.enter();
  voice.say(other ? [course.step.what + ".", ...course.step.about, course.step.task].join(" ") : course.step.task);
}

/** Makes a move. @param {string} move */
function play(move) {
  const before = course.now();
  [told, judged] = ["", false];
  course.play(move);
  const { trace = [], again = false } = /** @type {import("../model/state.js").Legal} */ (course.made);
  animation.replay(before, { before: before.snap, ply: { seat: 0, move, trace }, again });
  draw();
  if (!course.verdict) void ask(move);
}

/**
 * Asks the server for the verdict on a move. While it does not answer the move stays on the board, and the server
 * is asked again. A refused move is taken back.
 * @param {string} move
 */
async function ask(move) {
  for (;;) {
    const answer = await fetch(inLanguage(location.pathname), {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ move }),
    }).catch(() => null);
    const found = await answer?.json().catch(() => null);
    if (course.made?.m !== move) return; // the step was shown from its start meanwhile
    if (answer?.ok && found) {
      told = "";
      course.learn(move, found);
      return draw();
    }
    if (found && answer?.status !== 503) {
      go(course.at);
      return tell(found.msg);
    }
    if (!told) tell(found?.msg ?? t("lost"));
    await new Promise((next) => setTimeout(next, askAgain));
  }
}

/** Says why a pit cannot be played. After a move the tap shows the step from its start. @param {number} pit */
function refuse(pit) {
  if (course.made) {
    if (judged && !ending && !course.solved) go(course.at);
    return;
  }
  const { name, sideName } = speaker(t, course.game);
  const own = pit < shape.pits;
  const words = { name: own ? name(0) : sideName(Math.floor(pit / shape.pits)), number: String };
  tell(own ? course.step.refused[pit] : refusal(t, { code: "foreign-pit" }, words));
  board.shake(pit);
}

/** Names a move that solves the step. */
function hint() {
  const move = course.hint;
  if (move === null) return; // the key also comes while the button is hidden
  hinted = true;
  tell(hintWords(t, speaker(t, course.now()), 0, move, ""));
  input.enter();
}

const replies = () => {
  const game = { ...course.now(), you: { legal: course.made ? [] : course.step.legal } };
  return answers(game, speaker(t, game));
};

/** @type {Record<string, () => void>} by data-action, and by the commands of keys */
const actions = {
  hint,
  again: () => go(course.at),
  next: () => goTo(course.at + 1),
  board: () => voice.say(replies().boardText(course.now().snap)),
  score: () => voice.say(replies().score()),
  playable: () => voice.say(replies().playable()),
  repeat: () => voice.repeat(),
};

/** Shows another step, which gets its place in the address. @param {number} at */
function goTo(at) {
  history.replaceState(history.state, "", `${inLanguage(location.pathname)}#${at + 1}`);
  go(at);
}

/** Goes to the step in the address: of the fragment, or of a link without script. */
function stepInAddress() {
  const n = Number(location.hash.slice(1) || new URLSearchParams(location.search).get("step") || 1);
  return Number.isInteger(n) ? n - 1 : 0;
}

board.addEventListener("sow", (e) => {
  const { pit, move, way } = /** @type {CustomEvent<{pit: number, move?: string, way?: string}>} */ (e).detail;
  if (move) play(move);
  else if (way) input.tap(pit); // the pit can only be sown in another direction
  else refuse(pit);
});
board.addEventListener("ask", (e) => {
  const { pit, move } = /** @type {CustomEvent<{pit: number, move: string}>} */ (e).detail;
  tell([previewOf(pit, move)?.said ?? "", t("confirm.again")].join(" "));
});
board.addEventListener("key", (e) => actions[/** @type {CustomEvent} */ (e).detail.what]?.());
/** Returns the action of a button or a link of the lesson; undefined for other links. @param {Event} e */
function orderOf({ target }) {
  const of = (/** @type {string} */ selector) =>
    target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(selector)) : null;
  const step = of("[data-step]");
  return step ? () => goTo(Number(step.textContent) - 1) : actions[of("[data-action]")?.dataset.action ?? ""];
}

document.addEventListener("click", (e) => {
  const order = orderOf(e);
  if (!order) return;
  e.preventDefault();
  order();
});
// A link would act as soon as Enter goes down, and the pit that gets the focus would take the rest of the key.
// So it acts when Enter goes up.
document.addEventListener("keydown", (e) => {
  const { target } = e;
  entered = null;
  if (e.key !== "Enter" || e.ctrlKey || e.metaKey || !(target instanceof HTMLAnchorElement) || !orderOf(e)) return;
  e.preventDefault();
  entered = target;
});
document.addEventListener("keyup", (e) => {
  if (e.key === "Enter" && e.target === entered) orderOf(e)?.();
  entered = null;
});
// Only a step: the skip link writes another fragment, and the viewer stays in their step.
addEventListener("hashchange", () => /^#\d+$/.test(location.hash) && go(stepInAddress()));

course.go(stepInAddress());
enableSound();
draw();
install(() => {
  find("#updated").hidden = false;
});
await progress.meet();
panel();
