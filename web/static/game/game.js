// @ts-check
/**
 * The page of a game: makes its parts and wires them together. What comes over
 * the socket is folded into the game (receiver.js), the game is shown (renderer.js),
 * and what people do becomes commands (play.js, buttons.js).
 *
 * @typedef {typeof parts} Parts
 */

import { Moving } from "../board/animation.js";
import "../board/board.js";
import { Input } from "../board/input.js";
import { asksFirst } from "../board/keys.js";
import { find } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import "../lib/prefsforms.js";
import { Link } from "../lib/socket.js";
import { translator } from "../lib/text.js";
import { Notices } from "../lobby/notices.js";
import { numberOf } from "../model/shape.js";
import { open } from "../model/state.js";
import { install } from "../offline/offline.js";
import { Person } from "../people/persondialog.js";
import { Review } from "../review/review.js";
import { listen } from "../sound/sound.js";
import { answers } from "../speech/answers.js";
import { stepWords } from "../speech/steps.js";
import { Voice } from "../speech/voice.js";
import { speaker } from "../speech/words.js";
import { Connection } from "../table/connection.js";
import { sideChoice } from "../table/status.js";
import { Table } from "../table/table.js";
import { Panels } from "./actionbar.js";
import { Acts } from "./buttons.js";
import { Chat } from "./chat.js";
import { Coach } from "./coach.js";
import { Hints } from "./hints.js";
import { Tab } from "./lasttab.js";
import { LayoutPanel } from "./layout.js";
import { MoveField } from "./movefield.js";
import { Here } from "./pagestate.js";
import { Play } from "./play.js";
import { Arrivals } from "./receiver.js";
import { Scene } from "./renderer.js";
import { ResultPanel } from "./result.js";
import { Why } from "./rulesheet.js";
import { sheets } from "./sheets.js";
import { Orders } from "./shortcuts.js";
import { WaitingRoom } from "./waiting.js";

const root = document.documentElement;
const t = translator(await (await fetch(/** @type {string} */ (root.dataset.messages))).json(), root.lang || "en");

const board = /** @type {import("../board/board.js").MancalaBoard} */ (find("mancala-board"));
const here = new Here(open(JSON.parse(find("#snap").textContent ?? "{}"), Date.now()));
const { room } = here.game;

const voice = new Voice(t, () => prefs.get("verbosity"));
const input = new Input(board, {
  foresee: (pit, move) => play.foresee(pit, move),
  wonder: () => play.wonder(),
  asksFirst: (how) => asksFirst(prefs.get("confirm") || "auto", { ...how, days: here.game.snap.clockText.endsWith("/move") }),
  singleKeys: () => prefs.get("keys") !== "off",
});
const motion = new Moving(board, t, {
  changed: draw,
  scored: (side, n) => table.score(side, n),
  stepped: (events, kind, lap) => {
    here.news(stepWords(t, speaker(t, here.game), events, kind, lap));
    voice.say(here.message);
    table.status(here.message, true);
  },
});
const table = new Table(t, (text) => voice.shout(text));
const review = new Review(t, room, () => {
  here.news("");
  draw();
});
const panels = new Panels(t);
const result = new ResultPanel(t, review);
const chat = new Chat(t, (line) => link.tell({ t: "chat", ...line }));
new Person({ me: () => here.game.me, blocked: (player) => chat.forget(player) });
const waiting = new WaitingRoom(t, { change: (settings) => link.command({ kind: "settings", ...settings }), rename: (name) => acts.rename(name) });
const connection = new Connection(t, {
  shout: (text) => voice.shout(text),
  missed: (plies) => {
    const words = speaker(t, here.game);
    return [plies.length > 0 ? answers(t, here.game, words).missed(plies) : "", here.game.snap.state === "over" ? words.ending() : ""].filter(Boolean).join(" ");
  },
  changed: draw,
  clocked: () => here.game.snap.run > 0 && here.game.snap.turn === here.game.as,
});
const layout = new LayoutPanel(find("#layout"), {
  t,
  changed: () => {
    here.message = ""; // what was said about the last tap no longer is the news
    draw();
  },
  done: (move) => play.send(-1, move),
  tell: (n, of) => link.tell({ t: "note", kind: "filling", n, of }),
});
const tab = new Tab(room);
const coach = new Coach(room);
const play = new Play(t, {
  now,
  layout,
  send: (move) => {
    here.news("");
    tab.use();
    link.command({ kind: "move", ply: here.game.snap.ply, move });
    // What waits for a connection is only planned. What moves is seen first: the rest of the page can wait for a frame.
    if (connection.state === "on" && motion.echo(here.game, move)) requestAnimationFrame(() => setTimeout(draw));
    else draw();
  },
  ask: () => link.tell({ t: "ask", id: "ask", what: "legal" }),
  lesson: (pit, text, code) => scene.teach(pit, text, code),
  news: (text) => {
    here.news(text);
    voice.say(text);
    draw();
  },
  pref: prefs.get,
  busy: () => motion.shown !== null,
  choice: ({ words }) => sideChoice(t, here.game, words),
});
const hints = new Hints(t, {
  board,
  now,
  does: (pit, move) => play.foresee(pit, move)?.said ?? "",
  tell: (text) => {
    here.news(text);
    voice.say(text);
    draw();
  },
});
const orders = new Orders(t, {
  play,
  voice,
  prefs,
  now,
  board: () => review.shown() ?? here.game.snap,
  sown: () => review.shown()?.ply ?? (review.away ? undefined : here.game.snap.last),
  tap,
  act: (action, button) => acts.act(action, button),
});
const why = new Why(/** @type {HTMLAnchorElement} */ (find("#why")), t, () => acts.act("help", document.body));
const link = new Link({
  url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`,
  room,
  since: () => (here.fresh ? undefined : here.game.seq),
  onFrame: (frame) => {
    if (frame.room !== "lobby") arrivals.receive(frame);
    else if (frame.t === "go" && notices.go(frame.game)) location.assign(`/${frame.game}`);
    else notices.hear(frame);
  },
  also: document.querySelector("#notices") ? "lobby" : undefined,
  plays: () => (here.game.as < 0 ? undefined : !here.reader && tab.last),
  onPace: (slow) => (find("#slow").hidden = !slow),
  onState: (state, code) => {
    connection.turned(state, code);
    scene.soon();
  },
});
const notices = new Notices({
  command: (command, answered) => link.command(command, answered),
  playing: () => here.game.as >= 0 && ["setup", "live", "pause"].includes(here.game.snap.state),
});
const parts = { t, here, board, voice, input, motion, table, review, panels, result, chat, waiting, connection, layout, tab, coach, play, hints, why, link };
const scene = new Scene(parts);
const arrivals = new Arrivals(parts, scene);
const acts = new Acts(parts, scene);

function draw() {
  scene.draw();
}

/** What a tap on the board is about. @returns {import("./play.js").Now} */
function now() {
  return { game: here.game, words: speaker(t, here.game), reader: here.reader, away: review.away };
}

/** @param {number} pit @param {string} [move] without one, it may not be played */
function tap(pit, move) {
  if (review.away) return review.step("last"); // back to the game first
  play.tap(pit, move);
}

board.addEventListener("sow", (e) => {
  const { pit, move } = /** @type {CustomEvent<{pit: number, move?: string}>} */ (e).detail;
  tap(pit, move);
});
board.addEventListener("ask", (e) => {
  const { pit, move } = /** @type {CustomEvent<{pit: number, move: string}>} */ (e).detail;
  const said = play.foresee(pit, move)?.said ?? t("confirm.pit", { pit: numberOf(speaker(t, here.game).shape, pit) });
  here.news([said, t("confirm.again")].join(" "));
  voice.say(here.message);
  draw();
});
board.addEventListener("key", (e) => {
  const { what, pit } = /** @type {CustomEvent<{what: string, pit: number | null}>} */ (e).detail;
  orders.key(what, pit);
});
new MoveField(/** @type {HTMLFormElement} */ (find("#field")), (order, text) => {
  find("#answer").textContent = orders.obey(order, text);
});

document.addEventListener("click", (e) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest("[data-action]"));
  if (!button || button.closest("#layout") || (button instanceof HTMLButtonElement && button.type === "submit")) return;
  if (panels.confirmed(button)) acts.act(/** @type {string} */ (button.dataset.action), button);
});
document.addEventListener("submit", (e) => {
  const form = /** @type {HTMLFormElement} */ (e.target);
  // Without a socket the form itself does it, and for somebody who is nobody yet:
  // its answer brings the cookie.
  if (!form.closest("#waiting") || form.id === "name-form" || connection.state !== "on" || !here.game.me) return;
  e.preventDefault();
  if (form.id === "sit") return link.command({ kind: "sit" });
  /** @type {HTMLElement} */ (document.activeElement)?.blur(); // what was typed last counts as well
  const options = /** @type {HTMLInputElement} */ (form.elements.namedItem("options")).value.trim();
  link.command({ kind: "settings", options }, (err) => {
    if (!err) /** @type {HTMLDetailsElement} */ (find("#settings")).open = false;
  });
});

install(() => {
  connection.updated = true;
  draw();
});
listen();
sheets();
await new Promise((go) => setTimeout(go)); // what was made takes its time; so does what is shown
draw();
void review.follow(here.game).then(() => scene.soon());
tab.use();
// Who comes as the third one is told why there is nothing to tap.
if (here.game.as < 0 && ["setup", "live"].includes(here.game.snap.state)) here.message = t(here.game.snap.seats.length > 2 ? "full.four" : "full.two");
