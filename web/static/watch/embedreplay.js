// @ts-check
/**
 * A game that is over in a frame of another site: a viewer steps through its moves, by buttons and by
 * keys. The link below the board opens the game at the same moment.
 */

import { MoveAnimation } from "../board/animation.js";
import "../board/board.js";
import { steps } from "../board/keys.js";
import { viewOf } from "../board/view.js";
import { find } from "../lib/dom.js";
import { translator } from "../lib/text.js";
import { placeIn } from "../model/history.js";
import { open } from "../model/state.js";
import { AutoPlay } from "../review/autoplay.js";
import { Review } from "../review/review.js";
import { Voice } from "../speech/voice.js";
import { speaker } from "../speech/words.js";
import { statusOf } from "../table/status.js";
import { Table } from "../table/table.js";

const root = document.documentElement;
const t = translator(await (await fetch(/** @type {string} */ (root.dataset.messages))).json(), root.lang || "en");
const board = /** @type {import("../board/board.js").MancalaBoard} */ (find("mancala-board"));
const game = open(JSON.parse(find("#snap").textContent ?? "{}"), Date.now());
const words = speaker(t, game);

const voice = new Voice(t, () => "brief");
const table = new Table(t, () => {});
const review = new Review(game.room, draw);
const animation = new MoveAnimation(board, t, {
  onEnd: draw,
  onScore: (side, n) => table.score(side, n),
  onStep: () => {},
});
const autoPlay = new AutoPlay(review, { walk, moving: () => animation.shown !== null });

/** Shows another position; on the way forward, with its move. @param {"first" | "back" | "forward" | "last"} way */
function walk(way) {
  const was = review.now;
  animation.end();
  review.step(way);
  const played = review.played(-1);
  if (way === "forward" && played && review.now > was) {
    animation.replay(game, played);
    voice.say(words.moveText(played.ply, false));
  }
  draw();
}

/** @param {string | undefined} action */
function press(action) {
  if (action === "replay") autoPlay.toggle();
  else if (action === "first" || action === "back" || action === "forward" || action === "last") walk(action);
}

function draw() {
  const past = review.shown();
  const moving = animation.shown;
  const view = viewOf(t, game, words, { conn: "on", moving });
  const shown = moving ?? past ?? game.snap;
  const { pits, stores, marks } = shown;
  Object.assign(view, { ply: past ? past.at : game.snap.ply, pits, stores, marks });
  view.pitName = (pit, seeds, playable) => words.pit(pit, seeds, playable, false, marks);
  const trace = past ? past.ply?.trace : game.snap.last?.trace;
  board.draw(view, moving ? null : (trace ?? null));
  table.draw(game, words, view.bottom, view.stores);
  const plain = { connection: "", message: "", reader: false, ending: false, sent: false, draft: "", hint: "" };
  table.status(statusOf(t, game, words, { ...plain, past, moving: moving !== null, only: null, away: [], plan: "" }));
  if (review.count === 0) return; // the moves are on their way
  find("#at").textContent = t("moves.at", { n: review.now, of: review.length });
  /** @type {HTMLAnchorElement} */ (find("#to-game")).href = review.link;
}

document.addEventListener("click", (e) => {
  press(/** @type {HTMLElement} */ (e.target).closest("button")?.dataset.action);
});
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
  const onControl = /** @type {HTMLElement} */ (e.target).closest(".replaying button, a");
  const way = Object.hasOwn(steps, e.key) ? steps[e.key].replace(/^start$/, "first").replace(/^end$/, "last") : "";
  const action = e.key === " " && !onControl ? "replay" : way;
  if (!action) return;
  e.preventDefault();
  press(action);
});

// The server has drawn the moment of the address: nothing else is shown before it.
if (!placeIn(new URL(location.href), true)) draw();
await review.follow(game);
draw();
