// @ts-check
/**
 * A game in a frame of another site: the same board as on the game's page. It follows the game; a
 * viewer can only watch. When it is over, they step through its moves.
 *
 * @typedef {import("../model/state.js").Frame} Frame
 */

import { MoveAnimation } from "../board/animation.js";
import "../board/board.js";
import { viewOf } from "../board/view.js";
import { Link } from "../lib/socket.js";
import { namesIn, translator } from "../lib/text.js";
import { addressOf, placeIn } from "../model/history.js";
import { fold, open } from "../model/state.js";
import { Voice } from "../speech/voice.js";
import { speaker } from "../speech/words.js";
import { Connection } from "../table/connection.js";
import { statusOf } from "../table/status.js";
import { Table } from "../table/table.js";
import { Replay } from "./embedreplay.js";

const root = document.documentElement;
const t = translator(await (await fetch(/** @type {string} */ (root.dataset.messages))).json(), root.lang || "en");
const board = /** @type {import("../board/board.js").MancalaBoard} */ (document.querySelector("mancala-board"));

let game = open(JSON.parse(document.querySelector("#snap")?.textContent ?? "{}"), Date.now());
let fresh = true; // nothing has come over the socket yet: the page's game may be old
const { room } = game;

const voice = new Voice(t, () => "brief");
const table = new Table(t, () => {});
const connection = new Connection(t, { shout: () => {}, missed: () => "", changed: draw, hasClock: () => false });
const animation = new MoveAnimation(board, t, {
  onEnd: draw,
  onStep: () => {},
});
/** @type {Link | null} */
let link = null;
/** @type {Replay | null} */
let replay = null;

/** Follows the game until its end. */
function watch() {
  link = new Link({
    path: "/ws?watch",
    room,
    since: () => (fresh ? undefined : game.seq),
    onFrame: receive,
    onState: (state, code) => {
      connection.changedTo(state, code);
      draw();
    },
  });
}

/** Begins the replay of the game, which is over. */
function over() {
  link?.end();
  replay = new Replay(t, game, { animation, say: (text) => voice.say(text), draw });
  return replay.begin();
}

/** @param {Frame} frame */
function receive(frame) {
  if (frame.room !== room || replay) return;
  if (frame.t === "names") frame.names = namesIn(t, frame);
  if (frame.t === "snap" || frame.t === "ev" || frame.t === "names") return followed(frame);
  if (frame.t === "sync") table.forgetAway();
  if (frame.t === "note" && frame.kind === "presence")
    table.presence(frame.seat ?? -1, frame.over === true || frame.here === true);
  if (frame.code === "no-room") {
    link?.end();
    connection.end(t("error.no-room"));
  } else if (frame.t === "gone") setTimeout(() => link?.subscribe(), 200 + Math.random() * 800);
  draw();
}

/** Shows how the game has gone on. @param {Frame} frame */
function followed(frame) {
  const old = game;
  const now = fold(old, frame, Date.now());
  if (now.resync) return link?.subscribe({ fresh: true });
  game = now.game;
  if (frame.t === "snap") fresh = false;
  if (now.news === "none") return;
  const before = now.news === "move" ? now.before : undefined;
  animation.follow(old, game, before, { inPast: false, late: connection.lost });
  if (!connection.lost) voice.follow(old, game, before);
  draw();
  if (game.snap.state !== "over") return;
  // the address may name a moment, but what is shown is the end
  history.replaceState(history.state, "", addressOf(new URL(location.href), null, 1, true));
  void over();
}

function draw() {
  const words = speaker(t, game);
  const moving = animation.shown;
  const past = replay?.past ?? null;
  const view = viewOf(t, game, words, { conn: replay ? "on" : connection.state, moving, past });
  if (past) view.ply = past.at;
  const trace = past ? past.ply?.trace : game.snap.last?.trace;
  board.draw(view, moving ? null : (trace ?? null));
  table.draw(game, words, view.bottom, view.stores);
  table.status(
    statusOf(t, game, words, {
      connection: replay ? "" : connection.text,
      message: "",
      reader: false,
      past,
      ending: animation.ending,
      moving: moving !== null,
      sent: false,
      draft: "",
      hint: "",
      only: null,
      away: replay ? [] : table.away(-1),
      plan: "",
    }),
  );
  replay?.draw();
}

const finished = game.snap.state === "over";
// Of a game that is over, the server has drawn the moment of the address: nothing else is shown before it.
if (!finished || !placeIn(new URL(location.href), true)) draw();
if (finished) await over();
else watch();
