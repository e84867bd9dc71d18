// @ts-check
/**
 * A game in a frame of another site: the same board as on the game's page. It follows the game; a
 * viewer can only watch.
 *
 * @typedef {import("../model/state.js").Frame} Frame
 */

import { MoveAnimation } from "../board/animation.js";
import "../board/board.js";
import { viewOf } from "../board/view.js";
import { Link } from "../lib/socket.js";
import { translator } from "../lib/text.js";
import { fold, open } from "../model/state.js";
import { Voice } from "../speech/voice.js";
import { speaker } from "../speech/words.js";
import { Connection } from "../table/connection.js";
import { statusOf } from "../table/status.js";
import { Table } from "../table/table.js";

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
  onScore: (side, n) => table.score(side, n),
  onStep: () => {},
});
const link = new Link({
  url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws?watch`,
  room,
  since: () => (fresh ? undefined : game.seq),
  onFrame: receive,
  plays: () => undefined,
  onPace: () => {},
  onState: (state, code) => {
    connection.changedTo(state, code);
    draw();
  },
});

/** @param {Frame} frame */
function receive(frame) {
  if (frame.room !== room) return;
  if (frame.t === "snap" || frame.t === "ev") return followed(frame);
  if (frame.t === "note" && frame.kind === "presence")
    table.presence(frame.seat ?? -1, frame.over === true || frame.here === true);
  if (frame.code === "no-room") {
    link.end();
    connection.end(t("error.no-room"));
  } else if (frame.t === "gone") setTimeout(() => link.subscribe(), 200 + Math.random() * 800);
  draw();
}

/** Shows how the game has gone on. @param {Frame} frame */
function followed(frame) {
  const old = game;
  const now = fold(old, frame, Date.now());
  if (now.resync) return link.subscribe({ fresh: true });
  game = now.game;
  if (frame.t === "snap") fresh = false;
  if (now.news === "none") return;
  const before = now.news === "move" ? now.before : undefined;
  animation.follow(old, game, before, { inPast: false, late: connection.lost });
  if (!connection.lost) voice.follow(old, game, before);
  draw();
}

function draw() {
  const words = speaker(t, game);
  const moving = animation.shown;
  const view = viewOf(t, game, words, { conn: connection.state, moving });
  board.draw(view, moving ? null : (game.snap.last?.trace ?? null));
  table.draw(game, words, view.bottom, view.stores);
  table.status(
    statusOf(t, game, words, {
      connection: connection.text,
      message: "",
      reader: false,
      past: null,
      ending: animation.ending,
      moving: moving !== null,
      sent: false,
      draft: "",
      hint: "",
      only: null,
      away: table.away(-1),
      plan: "",
    }),
  );
}

draw();
