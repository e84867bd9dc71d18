// @ts-check
/**
 * The projector of a tournament: pages that turn by themselves. It follows the tournament's room as a
 * watcher. Without a network it goes on with what it knows, and says from when that is.
 *
 * @typedef {import("./slides.js").Slide} Slide
 * @typedef {{place: number, n: number, points: number}} Rank
 */

import { Announcement } from "../event/announcement.js";
import { showDeleted } from "../event/deleted.js";
import { until } from "../event/follow.js";
import { timeUp, total } from "../event/news.js";
import { fold, inWaves, lastRound, open, running, takesPart } from "../event/state.js";
import { element, find, write } from "../lib/dom.js";
import { GlanceLink } from "../lib/glancelink.js";
import { translator, western } from "../lib/text.js";
import { BestBoard } from "./bestboard.js";
import { Glances } from "./glances.js";
import { Names } from "./names.js";
import { roundEnds } from "./roundend.js";
import { closest, kept, next, slides, turn } from "./slides.js";
import { boardState, mark, points, standingsKey } from "./summary.js";

const read = (/** @type {string} */ id) => JSON.parse(document.querySelector(id)?.textContent ?? "{}");
const t = translator(read("#desk-texts"), document.documentElement.lang);
const hall = read("#hall");
const main = find("main");
const clock = new Intl.DateTimeFormat(western(t.lang), { hour: "numeric", minute: "2-digit" });
const rankPause = 3_000; // ms between two questions for the standings, at least

const names = new Names(hall.room, hall.names, t, draw);
let event = open(hall, Date.now());
/** @type {Rank[]} */
let ranks = [];
/** @type {Slide | null} */
let shown = null;
let turned = 0; // the time at which the page was turned, by our clock
let roundStart = -Infinity; // the time at which the round started, by our clock
let lostAt = 0;
let ranked = ""; // the key with which the standings were asked for
let rankedAt = -Infinity;
let top = ""; // the game on the page of the closest board

const link = new GlanceLink({
  path: "/ws?watch",
  room: hall.room,
  more: () => ({ brief: true }),
  since: () => event.seq,
  onState: (state) => {
    lostAt = state === "on" ? 0 : lostAt || Date.now();
    tick();
  },
  onFrame: receive,
});
const announcement = new Announcement(find("#announced"), hall.room);
const glances = new Glances(() => link, () => best.draw());
const best = new BestBoard(find("#card"), glances);

/** @param {any} frame */
function receive(frame) {
  if (frame.room !== hall.room) return;
  if (frame.t === "note" && frame.kind === "renamed") return void names.ask(frame.n);
  if (frame.t === "gone") return void setTimeout(() => link.subscribe(), 200 + Math.random() * 800);
  const rounds = event.state.rounds.length;
  const folded = fold(event, frame, Date.now());
  if (folded.resync) return link.subscribe({ fresh: true });
  const deleted = event.state.stage === "deleted";
  event = folded.event;
  if (!deleted && event.state.stage === "deleted") showDeleted(t("deleted"), t("deleted.list"));
  if (event.state.rounds.length > rounds) {
    roundStart = frame.ev ? frame.ev.at - event.ahead : Date.now();
    shown = null; // the new pairings come at once
  }
  names.complete(event.state.players);
  draw();
}

/** Asks for the standings when they have changed. */
async function askRanks() {
  const { rounds, settings } = event.state;
  const now = standingsKey(event.state);
  if (now === ranked || rounds.length === 0 || settings.format === "class") return;
  if (Date.now() - rankedAt < rankPause) return; // the next second asks again
  [ranked, rankedAt] = [now, Date.now()];
  const r = await fetch(`/api/v1/tournaments/${hall.room}/standings`).catch(() => null);
  const answer = r?.ok ? await r.json().catch(() => null) : null;
  if (answer) ranks = answer.rows;
  else ranked = "";
  draw();
}

/** @param {number} n */
const name = (n) => names.of(event.state.players[n - 1]?.id);

/** Returns how many lines fit on a page. */
function perPage() {
  const above = document.querySelector("#announced.told") ?? find("header");
  const height = find("footer").getBoundingClientRect().top - above.getBoundingClientRect().bottom;
  const line = parseFloat(getComputedStyle(main).fontSize) * 1.75;
  const columns = innerWidth >= 1200 ? 2 : 1;
  return Math.max(3, Math.floor((height - 2.2 * line) / line)) * columns;
}

function all() {
  const { state } = event;
  return slides({
    stage: state.stage,
    boards: shownBoards().length,
    ranks: ranks.length,
    perPage: perPage(),
    playing: lastRound(state).some((b) => running(b)),
    sinceStart: inWaves(state) ? Infinity : Date.now() - roundStart,
  });
}

/** Returns the boards of the round; where players are paired as they become free, only those that are played. */
function shownBoards() {
  const boards = lastRound(event.state);
  return inWaves(event.state) ? boards.filter((b) => !b.result) : boards;
}

function draw() {
  if (event.state.stage === "deleted") return;
  const list = all();
  const before = shown;
  shown = kept(list, shown);
  if (before?.kind !== shown.kind || before.page !== shown.page) turned = Date.now();
  show(shown, list);
  void askRanks();
}

/** @param {Slide} slide @param {Slide[]} list */
function show({ kind, page }, list) {
  const { state } = event;
  main.dataset.slide = kind;
  for (const one of ["join", "pairings", "table", "best", "winners"]) find(`#${one}`).hidden = one !== kind;
  const round = state.rounds.length;
  const stage = state.stage !== "running" || inWaves(state) ? t(`stage.${state.stage}`) : "";
  write(find("#stage"), stage || t("round.of", { round, rounds: Math.max(round, total(state)) }));
  const pages = list.filter((s) => s.kind === kind).length;
  const of = pages > 1 ? ` (${page + 1}/${pages})` : "";
  const from = page * perPage();
  const rows = kind === "pairings" ? shownBoards().length : ranks.length;
  main.toggleAttribute("data-few", rows <= perPage() / 2); // one column is enough
  if (kind === "pairings") {
    write(find("#pairings-heading"), (inWaves(state) ? t("boards") : t("pairings")) + of);
    fill("#lines", shownBoards().slice(from, from + perPage()).map(boardLine));
  } else if (kind === "table") {
    write(find("#table-heading"), t("standings") + of);
    fill("#ranks", ranks.slice(from, from + perPage()).map(rankLine));
  } else if (kind === "join") {
    const here = state.players.filter(takesPart);
    write(find("#entered"), t("players.n", { n: here.length }));
    fill("#entered-names", here.slice(-24).map((p) => element("li", {}, name(p.n))));
  }
  else if (kind === "winners") fill("#podium", ranks.filter((row) => row.place <= 3).slice(0, 6).map(winner));
  const late = document.querySelector("#latecomers");
  if (late) /** @type {HTMLElement} */ (late).hidden = !joinable(state);
  const code = document.querySelector("#header-code");
  if (code) /** @type {HTMLElement} */ (code).hidden = !joinable(state);
  showBest(kind === "best");
}

/** Shows the closest board. It stays while the page is shown, unless its game ends. @param {boolean} yes */
function showBest(yes) {
  const playing = lastRound(event.state).filter((b) => running(b));
  const rooms = playing.map((b) => running(b)?.room ?? "");
  glances.watch(rooms);
  if (!yes) top = "";
  else if (!rooms.includes(top)) top = closest(rooms, (room, seat) => glances.score(room, seat));
  const n = playing[rooms.indexOf(top)]?.n;
  write(find("#best-heading"), n && rooms.length > 1 ? t("screen.best", { board: n }) : t("screen.live"));
  void best.show(top);
}

/** Reports whether a person who joins now is still paired. @param {import("../event/state.js").State} state */
function joinable(state) {
  const { stage, settings, rounds, ends } = state;
  if (stage === "entry") return true;
  if (stage !== "running") return false;
  if (inWaves(state)) return !ends || ends > Date.now() + event.ahead;
  return settings.format === "swiss" && rounds.length < (settings.rounds ?? 0);
}

/** @param {string} selector @param {Element[]} lines */
function fill(selector, lines) {
  const list = find(selector);
  const html = lines.map((l) => l.outerHTML).join("");
  if (list.innerHTML !== html) list.replaceChildren(...lines);
}

/** @param {import("../event/state.js").Board} b */
function boardLine(b) {
  const li = element("li", { "data-pairing": b.n });
  const how = boardState(b);
  li.append(element("b", { class: "figure" }, b.n), element("bdi", { class: "one" }, name(b.first)));
  li.append(element("span", { class: "figure score" }, how === "over" ? mark(b.result) : "–"));
  li.append(element("bdi", { class: "two" }, b.second ? name(b.second) : t("bye")));
  return li;
}

/** @param {Rank} row */
function winner(row) {
  const li = element("li", { "data-place": row.place });
  li.append(element("b", { class: "figure" }, row.place), element("bdi", {}, name(row.n)));
  const counts = event.state.settings.format !== "knockout";
  if (counts) li.append(element("span", {}, t("points.n", { n: points(row.points) })));
  return li;
}

/** @param {Rank} row */
function rankLine(row) {
  const li = element("li", { "data-player": row.n });
  li.append(element("b", { class: "figure" }, row.place), element("bdi", { class: "one" }, name(row.n)));
  if (event.state.settings.format !== "knockout") li.append(element("span", { class: "figure" }, points(row.points)));
  return li;
}

/**
 * Returns in words when the next round starts, when the round ends, or how long an arena lasts; "" if there is nothing
 * to say.
 * @param {import("../event/state.js").State} state
 * @param {number} now by the server's clock
 */
function comes(state, now) {
  const { due = 0, ends = 0, rounds, stage } = state;
  if (stage !== "running") return "";
  if (inWaves(state))
    return timeUp(state, now) ? t("screen.timeup") : ends > 0 ? t("screen.ends", { left: until(ends - now) }) : "";
  if (due > now) return t("now.help.due", { round: rounds.length + 1, left: until(due - now) });
  return roundEnds(t, state, now);
}

/** Shows the time and the countdown, and turns the page when that is due. Called every second. */
function tick() {
  const { state } = event;
  if (state.stage === "deleted") return;
  const now = Date.now() + event.ahead;
  write(find("#time"), clock.format(Date.now()));
  const waves = inWaves(state);
  const said = comes(state, now);
  write(find("#next"), waves ? "" : said);
  find("#left").hidden = !waves || said === "";
  find("#stage").hidden = waves && said !== ""; // "running" says less
  write(find("#left"), waves ? said : "");
  const told = find("#announced").classList.contains("told");
  announcement.draw(state.announced, now);
  if (told !== find("#announced").classList.contains("told")) draw(); // it takes the place of lines
  write(find("#link-state"), lostAt ? t("screen.lost", { time: clock.format(lostAt) }) : "");
  void askRanks();
  if (Date.now() - turned < turn) return;
  const list = all();
  shown = next(list, shown);
  turned = Date.now();
  show(shown, list);
}

/** Keeps the screen on. Browsers give the lock back when the page is hidden. */
function stayOn() {
  if (document.visibilityState === "visible") void navigator.wakeLock?.request("screen").catch(() => {});
}

document.addEventListener("visibilitychange", stayOn);
addEventListener("resize", draw);
stayOn();
draw();
tick();
main.setAttribute("data-ready", "");
setInterval(tick, 1_000);
