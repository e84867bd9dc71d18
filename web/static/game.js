// @ts-check
/**
 * The page of a game: what comes over the socket is folded into the state, the
 * state is shown, and what people do becomes commands. Everything else is in the
 * modules that are wired together here.
 *
 * @typedef {import("./state.js").Frame} Frame
 * @typedef {import("./state.js").Game} Game
 */

import "./board.js";
import { commandOf } from "./actions.js";
import { Chat } from "./chat.js";
import { Coach } from "./coach.js";
import { Connection } from "./connection.js";
import { MoveField } from "./field.js";
import { listKeys } from "./help.js";
import { Input } from "./input.js";
import { asksFirst } from "./keys.js";
import { LayoutPanel } from "./layout.js";
import { Moving } from "./moving.js";
import { install, keep } from "./offline.js";
import { Orders } from "./orders.js";
import { Panels, sideChoice } from "./panels.js";
import { Play } from "./play.js";
import { prefs } from "./prefs.js";
import "./prefsmenu.js";
import { refusal, whyAt } from "./reasons.js";
import { ResultPanel } from "./result.js";
import { Review } from "./review.js";
import { answers } from "./says.js";
import { numberOf, sideOf } from "./shape.js";
import { copy, share } from "./share.js";
import { sheets } from "./sheet.js";
import { Link } from "./socket.js";
import { listen, play as sound } from "./sound.js";
import { fold, open } from "./state.js";
import { stepWords } from "./steps.js";
import { Tab } from "./tab.js";
import { Table } from "./table.js";
import { translator } from "./text.js";
import { Voice } from "./voice.js";
import { WaitingRoom } from "./waiting.js";
import { Why } from "./why.js";
import { speaker } from "./words.js";

/** @param {string} selector @returns {HTMLElement} */
const at = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

const root = document.documentElement;
const t = translator(await (await fetch(/** @type {string} */ (root.dataset.messages))).json(), root.lang || "en");

const board = /** @type {import("./board.js").MancalaBoard} */ (at("mancala-board"));
let game = open(/** @type {Frame} */ (JSON.parse(at("#snap").textContent ?? "{}")), Date.now());
let fresh = true; // nothing has come over the socket yet: what the page brought may be old
let flipped = false;
let reader = false; // another tab plays
let message = ""; // the last refusal or news, until something happens
let lesson = ""; // the code of that refusal
let countdown = 0; // the timer of a claim

const voice = new Voice(t, () => prefs.get("verbosity"));
const input = new Input(board, {
  foresee: (pit, move) => play.foresee(pit, move),
  asksFirst: (how) => asksFirst(prefs.get("confirm") || "auto", { ...how, kids: prefs.get("kids") === "on", days: game.snap.clockText.endsWith("/move") }),
  singleKeys: () => prefs.get("keys") !== "off",
});
const motion = new Moving(board, t, {
  changed: draw,
  scored: (side, n) => table.score(side, n),
  stepped: (events, kind, lap) => {
    news(stepWords(t, speaker(t, game), events, kind, lap));
    voice.say(message);
    table.status(message, true);
  },
});
const table = new Table(t, (text) => voice.shout(text));
const review = new Review(t, game.room, () => {
  news("");
  draw();
});
const panels = new Panels(t);
const result = new ResultPanel(t, review);
const chat = new Chat(t, (line) => link.tell({ t: "chat", ...line }));
const waiting = new WaitingRoom(t, { change: (settings) => link.command({ kind: "settings", ...settings }), rename });
const connection = new Connection(t, {
  shout: (text) => voice.shout(text),
  missed: (plies) => {
    const words = speaker(t, game);
    return [plies.length > 0 ? answers(t, game, words).missed(plies) : "", game.snap.state === "over" ? words.ending() : ""].filter(Boolean).join(" ");
  },
  changed: draw,
  clocked: () => game.snap.run > 0 && game.snap.turn === game.as,
});
const layout = new LayoutPanel(at("#layout"), {
  t,
  changed: () => {
    message = ""; // what was said about the last tap no longer is the news
    draw();
  },
  done: (move) => play.send(-1, move),
  tell: (n, of) => link.tell({ t: "note", kind: "filling", n, of }),
});
const tab = new Tab(game.room);
const coach = new Coach(game.room);
const play = new Play(t, {
  now,
  layout,
  send: (move) => {
    news("");
    tab.use();
    link.command({ kind: "move", ply: game.snap.ply, move });
    // What waits for a connection is only planned. What moves is seen first: the rest of the page can wait for a frame.
    if (connection.state === "on" && motion.echo(game, move)) requestAnimationFrame(() => setTimeout(draw));
    else draw();
  },
  lesson: teach,
  news: (text) => {
    news(text);
    voice.say(text);
    draw();
  },
  pref: prefs.get,
  busy: () => motion.shown !== null,
  choice: ({ words }) => sideChoice(t, game, words),
});
const orders = new Orders(t, {
  play,
  voice,
  prefs,
  now,
  board: () => review.shown() ?? game.snap,
  sown: () => review.shown()?.ply ?? (review.away ? undefined : game.snap.last),
  tap,
  act,
});
const why = new Why(/** @type {HTMLAnchorElement} */ (at("#why")), t, () => act("help", document.body));
const link = new Link({
  url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`,
  room: game.room,
  since: () => (fresh ? undefined : game.seq),
  onFrame: receive,
  plays: () => (game.as < 0 ? undefined : !reader && tab.last),
  onPace: (slow) => (at("#slow").hidden = !slow),
  onState: (state, code) => {
    connection.turned(state, code);
    draw();
  },
});

/** @param {Frame} frame */
function receive(frame) {
  if (frame.room !== undefined && frame.room !== game.room) return;
  if (frame.t === "note") return noted(frame);
  if (frame.t === "chat") return heard(/** @type {any} */ (frame));
  if (frame.t === "err") return refused(frame);
  if (frame.t === "gone") return gone(frame);
  const old = game;
  const { game: next, resync, news: what, before } = fold(game, frame, Date.now());
  if (resync) return link.subscribe({ fresh: true });
  game = next;
  if (frame.t === "snap") fresh = false;
  if (what === "none") return;
  if (what === "move" || old.snap.ply !== game.snap.ply) {
    play.sent = null;
    news("");
  }
  motion.follow(old, game, what === "move" ? before : undefined, { away: review.away, late: connection.lost });
  if (!connection.lost) voice.follow(old, game, what === "move" ? before : undefined);
  else if (game.snap.last && game.snap.ply > old.snap.ply) connection.miss(game.snap.last);
  if (old.snap.state !== "over" && game.snap.state === "over" && game.as >= 0) keep(`/${game.room}`, `/api/v1/games/${game.room}/replay`);
  if (game.snap.rematch && !old.snap.rematch && frame.t === "ev" && game.as >= 0) location.assign(`/${game.snap.rematch}`);
  draw();
  play.settle();
  void review.follow(game).then(draw);
}

/** @param {Frame} frame */
function noted(frame) {
  const seat = frame.seat ?? -1;
  if (frame.kind === "superseded") reader = true;
  else if (frame.kind === "presence" || frame.kind === "reconnecting") table.presence(seat, frame.over === true || frame.here === true);
  else if (frame.kind === "watching" || frame.kind === "watchers") chat.watchers(frame.count ?? frame.n ?? 0);
  else if (frame.kind === "filling" && seat !== game.as) message = t("layout.filling", { name: speaker(t, game).name(seat), n: frame.n, of: frame.of });
  else if (frame.kind === "unavailable") message = frame.over ? "" : t("unavailable");
  else if (frame.kind === "quarantined") message = t("error.quarantined");
  draw();
}

/** @param {Frame} frame */
function refused(frame) {
  const words = speaker(t, game);
  const other = words.seats === 2 && game.as >= 0 ? words.name(1 - game.as) : t("opponent");
  const number = (/** @type {string} */ move) => words.short(move, Math.max(0, game.as));
  if (frame.code === "superseded") reader = true;
  if (frame.code === "no-room") return gone(frame);
  const pit = play.sent?.pit ?? -1;
  play.sent = null;
  motion.end();
  if (frame.code === "stale") link.subscribe({ fresh: true });
  if (frame.code === "superseded") draw();
  else teach(pit, refusal(t, /** @type {any} */ (frame), { name: other, number }), frame.code);
}

/** The room has moved on, or there is nothing to come back to. @param {Frame} frame */
function gone(frame) {
  if (frame.code === "no-room") {
    link.end();
    connection.end(t("error.no-room"));
    return draw();
  }
  setTimeout(() => link.subscribe(), 200 + Math.random() * 800);
}

/** A line of the chat: said to who listens, and never in the way. @param {import("./chat.js").Line} line */
function heard(line) {
  const fresh = chat.add(line);
  if (!fresh) return;
  voice.say(fresh);
  if (line.by !== game.me) sound("chat");
}

/** @param {string} name */
async function rename(name) {
  const answer = await fetch("/api/v1/me", { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ name }) }).catch(() => null);
  const body = await answer?.json().catch(() => null);
  if (answer?.ok) game = { ...game, names: { ...game.names, [game.me]: body.name } };
  message = answer?.ok ? "" : refusal(t, body?.error ?? body ?? { code: "unavailable" }, { name: t("opponent"), number: String });
  voice.say(message || t("waiting.renamed", { name: body.name }));
  draw();
}

/** What a tap on the board is about. @returns {import("./play.js").Now} */
function now() {
  return { game, words: speaker(t, game), reader, away: review.away };
}

/** What the status line tells until something happens. @param {string} text @param {string} [code] of a refusal */
function news(text, code = "") {
  [message, lesson] = [text, code];
}

/** Why something could not be done. @param {number} pit @param {string} text @param {string} [code] */
function teach(pit, text, code = "") {
  news(text, code);
  voice.shout(text);
  input.shake(pit);
  sound("no");
  draw();
}

/** @param {number} pit @param {string} [move] without one, it may not be played */
function tap(pit, move) {
  if (review.away) return review.step("last"); // back to the game first
  play.tap(pit, move);
}

/** Show everything. Who stood on a button that is gone now stands on the board. */
function draw() {
  const stood = document.activeElement;
  show();
  if (stood instanceof HTMLElement && stood !== document.body && (!stood.isConnected || stood.closest("[hidden]") || /** @type {any} */ (stood).disabled)) input.enter();
}

function show() {
  const { snap, as } = game;
  const words = speaker(t, game);
  const bottom = (Math.max(0, as < 0 ? 0 : sideOf(words.shape, as)) + (flipped ? words.shape.sides / 2 : 0)) % words.shape.sides;
  const laying = snap.phase === "setup" && snap.state === "setup" && snap.turn === as && !reader;
  at("#layout").hidden = !laying;
  if (laying) layout.seats(sideOf(words.shape, as), words.name(1 - as));
  if (laying && !layout.draft) return layout.begin(snap); // draws again
  if (!laying) layout.draft = null;
  const past = review.shown();
  const moving = motion.shown;
  const shown = moving ?? past ?? { pits: laying && layout.draft ? layout.draft.pits : snap.pits, stores: snap.stores };
  const legal = play.choices();
  /** @type {import("./board.js").View} */
  const view = {
    variant: snap.rules,
    state: snap.state === "pause" ? "over" : snap.state,
    turn: snap.turn,
    ply: past ? past.at : snap.ply,
    as,
    conn: connection.state,
    shape: words.shape,
    bottom,
    pits: shown.pits,
    stores: shown.stores,
    choices: legal,
    label: words.board(),
    planned: (moving ? null : play.sent?.pit) ?? play.planned,
    moving: moving !== null,
    only: play.only(),
    rowName: words.row,
    pitName: (pit, seeds, playable) => words.pit(pit, seeds, playable, legal.size > 0),
    storeName: words.store,
    told: [snap.state === "over" ? t("turn.over") : words.turn(), words.last()],
    wayName: (way) => t(way === ">" ? "way.right" : way === "<" ? "way.left" : "way"),
  };
  board.draw(view, moving ? null : past ? (past.ply?.trace ?? null) : laying ? null : (snap.last?.trace ?? null));
  input.follow(view);
  at("#title").textContent = snap.title;
  table.draw(game, words, bottom, shown.stores);
  panels.draw(game, words, Date.now() + game.ahead, reader);
  waiting.draw(game, words, message);
  if (!motion.ending) result.draw(game, words);
  chat.draw(game);
  review.draw(words);
  // When a countdown ends nothing comes over the socket, but the game can be claimed.
  clearTimeout(countdown);
  const wait = Math.max(snap.countdown?.until ?? 0, panels.patient) - Date.now() - game.ahead;
  if (wait > 0) countdown = window.setTimeout(draw, wait + 20);
  const gone = as >= 0 && snap.state === "live" ? table.away(as) : [];
  at("#later").hidden = gone.length === 0 || snap.clockText !== "none";
  at("#superseded").hidden = !reader;
  at("[data-action=sound]").setAttribute("aria-pressed", String(prefs.get("muted") !== "on"));
  at("#updated").hidden = !connection.updated;
  at("#offline").hidden = !connection.retry;
  at("#game").toggleAttribute("data-past", past !== null || motion.stepping);
  why.point(message && lesson ? whyAt(lesson, snap.rules, snap.options) : "");
  table.status(statusLine(words, past), message !== "" || connection.told !== "");
}

/** @param {ReturnType<typeof speaker>} words @param {ReturnType<Review["shown"]>} past */
function statusLine(words, past) {
  const { snap, as } = game;
  if (connection.told) return connection.told;
  if (message) return message;
  if (reader) return t("superseded");
  if (past) return t("moves.past", { n: past.at, of: past.of });
  if (snap.outage) return t("unavailable");
  if (snap.state === "waiting") return t("status.waiting");
  if (motion.ending) return words.reason();
  if (snap.state === "over") return [t("turn.over"), words.last() && t("status.last", { last: words.last() })].join(" ");
  if (snap.state === "pause") return [words.headline(snap.rounds?.at(-1)), words.reason(snap.rounds?.at(-1))].join(" ");
  if (play.sent) return motion.shown ? t("turn.you") : t("sending");
  if (layout.draft) return layout.status;
  if (snap.phase === "swap" && snap.turn === as) return sideChoice(t, game, words);
  const hint = reader ? "" : coach.hint(game);
  if (hint) return t(`coach.${hint}`);
  const last = words.last();
  const chain = snap.turn === as && words.again();
  const only = play.only();
  const away = as < 0 ? [] : table.away(as).map((seat) => t("away", { name: words.name(seat) }));
  return [as < 0 ? t("watching") : "", ...away, chain ? t("turn.again") : words.turn(), only === null ? "" : t("only.pit", { pit: numberOf(words.shape, only) }), play.plan(), last && t("status.last", { last })].filter(Boolean).join(" ");
}

board.addEventListener("sow", (e) => {
  const { pit, move } = /** @type {CustomEvent<{pit: number, move?: string}>} */ (e).detail;
  tap(pit, move);
});
board.addEventListener("ask", (e) => {
  const { pit, move } = /** @type {CustomEvent<{pit: number, move: string}>} */ (e).detail;
  const said = play.foresee(pit, move)?.said ?? t("confirm.pit", { pit: numberOf(speaker(t, game).shape, pit) });
  news([said, t("confirm.again")].join(" "));
  voice.say(message);
  draw();
});
board.addEventListener("key", (e) => {
  const { what, pit } = /** @type {CustomEvent<{what: string, pit: number | null}>} */ (e).detail;
  orders.key(what, pit);
});
new MoveField(/** @type {HTMLFormElement} */ (at("#field")), (order, text) => {
  at("#answer").textContent = orders.obey(order, text);
});

document.addEventListener("click", (e) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest("[data-action]"));
  if (!button || button.closest("#layout") || (button instanceof HTMLButtonElement && button.type === "submit")) return;
  if (panels.confirmed(button)) act(/** @type {string} */ (button.dataset.action), button);
});
document.addEventListener("submit", (e) => {
  const form = /** @type {HTMLFormElement} */ (e.target);
  // Without a socket the form itself does it, and for somebody who is nobody yet:
  // its answer brings the cookie.
  if (!form.closest("#waiting") || form.id === "name-form" || connection.state !== "on" || !game.me) return;
  e.preventDefault();
  if (form.id === "sit") return link.command({ kind: "sit" });
  /** @type {HTMLElement} */ (document.activeElement)?.blur(); // what was typed last counts as well
  const options = /** @type {HTMLInputElement} */ (form.elements.namedItem("options")).value.trim();
  link.command({ kind: "settings", options }, (err) => {
    if (!err) /** @type {HTMLDetailsElement} */ (at("#settings")).open = false;
  });
});

/** @param {string} action @param {HTMLElement} button */
function act(action, button) {
  const { what } = button.dataset;
  const command = commandOf(game, action, what);
  tab.use();
  if (command) return link.command(command);
  switch (action) {
    case "keep":
    case "swap":
      return play.send(-1, action);
    case "pass":
      return play.send(-1, "-");
    case "wait":
      panels.patient = Date.now() + game.ahead + 30_000;
      return draw();
    case "first":
    case "back":
    case "forward":
    case "last":
      return walk(action);
    case "step":
      return step();
    case "sound":
      prefs.set("muted", prefs.get("muted") === "on" ? "off" : "on");
      return draw();
    case "flip":
      flipped = !flipped;
      return draw();
    case "watch":
      waiting.watch();
      return draw();
    case "takeover":
      reader = false;
      return link.subscribe({ take: true });
    case "mute":
      chat.mute();
      return draw();
    case "help":
      at("#help-rules").textContent = at("#rules-text p").textContent;
      listKeys(at("#help-keys"), t);
      return /** @type {HTMLDialogElement} */ (at("#help")).showModal();
    case "retry":
      return link.retryNow();
    case "copy":
      return void copyLink(button);
    case "copy-moves":
      return void copy(review.text(speaker(t, game))).then((done) => done && noticed(button, "waiting.copied"));
    case "share-move":
      return void share(document.title, review.link).then((how) => how === "copied" && noticed(button, "share.copied"));
    case "share":
      return void share(document.title, /** @type {HTMLInputElement} */ (at("#link")).value).then((how) => how === "copied" && noticed(button, "share.copied"));
  }
}

/** Look at another position; forward, one sees the move. @param {"first" | "back" | "forward" | "last"} way */
function walk(way) {
  const was = review.now;
  motion.end();
  review.step(way);
  const played = review.played(game.snap.turn);
  if (way === "forward" && played && review.now > was) motion.replay(game, played);
  draw();
}

/** One event further: in the past the next move, else the last one again. */
function step() {
  if (motion.shown === null && review.away) review.step("forward");
  motion.step(game, review.played(game.snap.turn));
  draw();
}

/** @param {HTMLElement} button */
async function copyLink(button) {
  const field = /** @type {HTMLInputElement} */ (at("#link"));
  noticed(button, (await copy(field.value, field)) ? "waiting.copied" : "waiting.copy-by-hand");
}

/** A button that says for a moment what it has done. @param {HTMLElement} button @param {string} key */
function noticed(button, key) {
  const label = (button.dataset.label ??= button.textContent ?? "");
  button.textContent = t(key);
  voice.say(button.textContent);
  setTimeout(() => (button.textContent = label), 3_000);
}

install(() => {
  connection.updated = true;
  draw();
});
listen();
draw();
void review.follow(game).then(draw);
sheets();
tab.use();
// Who comes as the third one is told why there is nothing to tap.
if (game.as < 0 && ["setup", "live"].includes(game.snap.state)) message = t(game.snap.seats.length > 2 ? "full.four" : "full.two");
