// @ts-check
/**
 * The page of a game: it makes its parts and connects them. receiver.js folds what comes over the
 * socket into the game, renderer.js shows the game, play.js and buttons.js turn what people do into
 * commands.
 *
 * @typedef {typeof parts} Parts
 */

import { MoveAnimation } from "../board/animation.js";
import "../board/board.js";
import { Input } from "../board/input.js";
import { needsConfirmation } from "../board/keys.js";
import { find } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import "../lib/prefsforms.js";
import { translator } from "../lib/text.js";
import { Notices } from "../lobby/notices.js";
import { numberOf } from "../model/shape.js";
import { open, seatOf } from "../model/state.js";
import { install } from "../offline/offline.js";
import { PersonDialog } from "../people/persondialog.js";
import { MoveList } from "../review/movelist.js";
import { Review } from "../review/review.js";
import { enableSound, playFriend } from "../sound/sound.js";
import { answers } from "../speech/answers.js";
import { stepWords } from "../speech/steps.js";
import { Voice } from "../speech/voice.js";
import { speaker } from "../speech/words.js";
import { Connection } from "../table/connection.js";
import { sideChoice } from "../table/status.js";
import { Table } from "../table/table.js";
import { ActionBar } from "./actionbar.js";
import { Buttons } from "./buttons.js";
import { Chat } from "./chat.js";
import { Coach } from "./coach.js";
import { optional } from "./optionalparts.js";
import { Hints } from "./hints.js";
import { LastTab } from "./lasttab.js";
import { LayoutPanel } from "./layout.js";
import { MoveField } from "./movefield.js";
import { PageState } from "./pagestate.js";
import { Play } from "./play.js";
import { Receiver } from "./receiver.js";
import { beginning, Renderer } from "./renderer.js";
import { ResultPanel } from "./result.js";
import { RuleSheet } from "./rulesheet.js";
import { sheets } from "./sheets.js";
import { Shortcuts } from "./shortcuts.js";

const root = document.documentElement;
const t = translator(await (await fetch(/** @type {string} */ (root.dataset.messages))).json(), root.lang || "en");

const board = /** @type {import("../board/board.js").MancalaBoard} */ (find("mancala-board"));
const page = new PageState(open(JSON.parse(find("#snap").textContent ?? "{}"), Date.now()));
const { room } = page.game;

const voice = new Voice(t, () => prefs.get("verbosity"));
const input = new Input(board, {
  previewOf: (pit, move) => play.previewOf(pit, move),
  requestMoves: () => play.requestMoves(),
  needsConfirmation: (how) =>
    needsConfirmation(prefs.get("confirm") || "auto", { ...how, days: page.game.snap.clockText.endsWith("/move") }),
  singleKeys: () => prefs.get("keys") !== "off",
  replays: () => page.game.snap.state === "over" || review.inPast,
});
const animation = new MoveAnimation(board, t, {
  onEnd: (tapped) => (tapped ? draw() : renderer.inPieces()),
  onStep: (events, kind, lap) => {
    page.tell(stepWords(t, speaker(t, page.game), events, kind, lap));
    voice.say(page.message);
    table.status(page.message, true);
  },
});
const table = new Table(t, (text) => voice.shout(text));
const review = new Review(room, () => {
  page.tell("");
  draw();
  play.turnChanged(); // an only move waits while an earlier position is shown
});
const moveList = new MoveList(t, review);
const actionBar = new ActionBar(t);
const result = new ResultPanel(t, review);
const chat = new Chat(t, (line) => link.tell({ t: "chat", ...line }));
new PersonDialog({ me: () => page.game.me, blocked: (player) => chat.forget(player) });
const waiting =
  page.game.snap.state === "waiting" && optional.WaitingRoom
    ? new optional.WaitingRoom(t, {
        change: (settings, answered) => link.command({ kind: "settings", ...settings }, answered),
        rename: (name) => buttons.rename(name),
      })
    : null;
const connection = new Connection(t, {
  shout: (text) => voice.shout(text),
  missed: (plies, ended) => {
    const words = speaker(t, page.game);
    const played = plies.length > 0 ? answers(page.game, words).missed(plies) : "";
    return `${played} ${ended ? words.ending() : ""}`.trim();
  },
  changed: draw,
  hasClock: () => page.game.snap.run > 0 && page.game.snap.turn === page.game.as,
});
const layout = new LayoutPanel(find("#layout"), {
  t,
  changed: () => {
    page.message = ""; // news about the last tap are outdated
    draw();
  },
  done: (move) => play.send(-1, move),
  // the player at the same screen sees it
  tell: (n, of, pits) => page.game.all || link.tell({ t: "note", id: "note", kind: "filling", n, of, pits }),
});
const lastTab = new LastTab(room);
const coach = new Coach(room);
const play = new Play(t, {
  now,
  layout,
  send: (move) => {
    page.tell("");
    lastTab.use();
    const id = link.command({ kind: "move", ply: page.game.snap.ply, move, ...seatOf(page.game) });
    // Without a connection a move is only planned. The animation starts first: the rest of the page
    // can wait.
    if (connection.state === "on" && !review.inPast && animation.echo(page.game, move)) renderer.inPieces(beginning);
    else draw();
    return id;
  },
  ask: () => link.tell({ t: "ask", id: "ask", what: "legal" }),
  refuse: (pit, text, code) => renderer.refuse(pit, text, code),
  tell,
  pref: prefs.get,
  busy: () => animation.shown !== null,
  choice: ({ words }) => sideChoice(t, page.game, words),
});
const hints = new Hints(t, {
  board,
  now,
  does: (pit, move) => play.previewOf(pit, move)?.said ?? "",
  tell,
});
const shortcuts = new Shortcuts(t, {
  play,
  voice,
  prefs,
  now,
  board: () => review.shown() ?? page.game.snap,
  sown: () => review.shown()?.ply ?? (review.inPast ? undefined : page.game.snap.last),
  tap,
  press: (action, button) => buttons.press(action, button),
});
const ruleSheet = new RuleSheet(/** @type {HTMLAnchorElement} */ (find("#why")), t, () =>
  buttons.press("help", document.body),
);
const playing = () => page.game.as >= 0 && ["setup", "live", "pause"].includes(page.game.snap.state);
const eventBar = optional.Bar
  ? new optional.Bar({
      room,
      playing,
      over: () => page.game.snap.state === "over",
      again: (room) => link.follow({ room }),
      call: playFriend,
      shout: (text) => voice.shout(text),
    })
  : null;
if (eventBar) table.firstMove = (game, now) => eventBar.firstMove.said(game, now);
const link = new optional.Link({
  room,
  since: () => (page.fresh ? undefined : page.game.seq),
  onFrame: (frame) => {
    if (eventBar?.receive(frame)) return;
    if (frame.room !== "lobby") receiver.receive(frame);
    else if (frame.t === "go" && notices.go(frame.game)) location.assign(`/${frame.game}`);
    else notices.receive(frame);
  },
  also: [...(document.querySelector("#notices") ? [{ room: "lobby", quiet: true }] : []), ...(eventBar?.rooms ?? [])],
  plays: () => (page.game.as < 0 ? undefined : !page.reader && lastTab.last),
  onPace: (slow) => (find("#slow").hidden = !slow),
  onState: (state, code) => {
    connection.changedTo(state, code);
    renderer.soon();
  },
});
const notices = new Notices({
  command: (command, answered) => link.command(command, answered),
  playing,
});
const parts = {
  t,
  page,
  board,
  voice,
  input,
  animation,
  table,
  review,
  moveList,
  actionBar,
  result,
  chat,
  waiting,
  connection,
  layout,
  lastTab,
  coach,
  play,
  hints,
  ruleSheet,
  link,
};
const renderer = new Renderer(parts);
const receiver = new Receiver(parts, renderer);
const buttons = new Buttons(parts, renderer);

function draw() {
  renderer.draw();
}

/** Shows and says a text. @param {string} text */
function tell(text) {
  page.tell(text);
  voice.say(text);
  draw();
}

/** Returns the state that a tap on the board is about. @returns {import("./play.js").Now} */
function now() {
  return { game: page.game, words: speaker(t, page.game), reader: page.reader, inPast: review.inPast };
}

/**
 * @param {number} pit
 * @param {string} [move] without a move, the pit cannot be played
 * @param {string} [way] the direction that was asked for, if the rules forbid it
 */
function tap(pit, move, way) {
  if (review.inPast) return review.step("last"); // first back to the current position
  play.tap(pit, move, way);
}

board.addEventListener("sow", (e) => {
  const { pit, move, way } = /** @type {CustomEvent<{pit: number, move?: string, way?: string}>} */ (e).detail;
  tap(pit, move, way);
});
board.addEventListener("ask", (e) => {
  const { pit, move } = /** @type {CustomEvent<{pit: number, move: string}>} */ (e).detail;
  const said = play.previewOf(pit, move)?.said ?? t("confirm.pit", { pit: numberOf(speaker(t, page.game).shape, pit) });
  tell([said, t("confirm.again")].join(" "));
});
board.addEventListener("key", (e) => {
  const { what, pit } = /** @type {CustomEvent<{what: string, pit: number | null}>} */ (e).detail;
  shortcuts.key(what, pit);
});
new MoveField(/** @type {HTMLFormElement} */ (find("#field")), (order, text) => {
  find("#answer").textContent = shortcuts.run(order, text);
});

document.addEventListener("click", (e) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest("[data-action]"));
  if (!button || button.closest("#layout") || (button instanceof HTMLButtonElement && button.type === "submit")) return;
  if (actionBar.confirmed(button)) buttons.press(/** @type {string} */ (button.dataset.action), button);
});
document.addEventListener("submit", (e) => {
  const form = /** @type {HTMLFormElement} */ (e.target);
  // The form itself sits down when there is no socket, and for a viewer without an identity: its
  // answer sets the cookie.
  if (!form.closest("#waiting") || form.id === "name-form" || connection.state !== "on" || !page.game.me) return;
  e.preventDefault();
  if (form.id === "sit") return link.command({ kind: "sit" });
  /** @type {HTMLElement} */ (document.activeElement)?.blur(); // also sends what was typed last
  const options = /** @type {HTMLInputElement} */ (form.elements.namedItem("options")).value.trim();
  link.command({ kind: "settings", options }, (err) => {
    if (!err) /** @type {HTMLDetailsElement} */ (find("#settings")).open = false;
  });
});

install(() => {
  connection.updated = true;
  draw();
});
enableSound();
sheets();
// building the page and drawing it take time: the browser gets a turn between them
await new Promise((go) => setTimeout(go));
void review.follow(page.game).then(() => renderer.inPieces());
renderer.inPieces();
lastTab.use();
// A third visitor is told why there is nothing to tap.
if (page.game.as < 0 && ["setup", "live"].includes(page.game.snap.state))
  page.message = t(page.game.snap.seats.length > 2 ? "full.four" : "full.two");
