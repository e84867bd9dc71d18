// @ts-check
/**
 * The host's desk. It follows the tournament's room as any page does, and every part of it draws what it
 * shows from the state. Hosts who work at the same time see the same.
 *
 * @typedef {import("../event/state.js").State} State
 * @typedef {import("../event/state.js").Event} Event
 * @typedef {{t: import("../lib/text.js").T, orders: Orders, link: () => GlanceLink, room: string, me: string,
 *   state: () => State, now: () => number, name: (player: number) => string, nameOf: (id: string) => string,
 *   names: (from: number) => Promise<void>}} Desk what the parts of the desk share
 * @typedef {{draw: (before: State | null) => void, tick?: () => void}} Part
 *   draw: the state has changed; tick: a second has passed
 */

import { showDeleted } from "../event/deleted.js";
import { fold, open } from "../event/state.js";
import { GlanceLink } from "../lib/glancelink.js";
import { copy, share } from "../lib/share.js";
import { translator } from "../lib/text.js";
import { install } from "../offline/offline.js";
import { announcements } from "./announce.js";
import { apart } from "./apart.js";
import { BoardDialog } from "./boarddialog.js";
import { Boards } from "./boards.js";
import { deletion } from "./deletion.js";
import { Ending } from "./ending.js";
import { Glances } from "./glances.js";
import { takeKey } from "./key.js";
import { log } from "./log.js";
import { Names } from "./names.js";
import { NextStep } from "./nextstep.js";
import { Orders } from "./orders.js";
import { Plan } from "./plan.js";
import { PlayerDialog } from "./playerdialog.js";
import { Players } from "./players.js";
import { roundEnd } from "./roundend.js";
import { settingsForm } from "./settingsform.js";
import { head } from "./head.js";
import { reportFile } from "./reportfile.js";

const slow = 1_500; // ms for which a lost connection is not mentioned

takeKey();
document.querySelector("[data-action=print]")?.addEventListener("click", () => print());
install(() => {
  /** @type {HTMLElement} */ (document.querySelector("#updated")).hidden = false;
});
if (document.querySelector("#hall")) work();

function work() {
  const read = (/** @type {string} */ id) => JSON.parse(document.querySelector(id)?.textContent ?? "{}");
  const t = translator(read("#desk-texts"), document.documentElement.lang);
  const hall = read("#hall");
  const names = new Names(hall.room, hall.names, t, () => draw(event.state));
  /** @type {Event} */
  let event = open(hall, Date.now());
  const orders = new Orders(t, () => link);
  /** @type {Desk} */
  const desk = {
    t,
    orders,
    link: () => link,
    room: hall.room,
    me: hall.me,
    state: () => event.state,
    now: () => Date.now() + event.ahead,
    name: (player) => names.of(event.state.players[player - 1]?.id),
    nameOf: (id) => names.of(id),
    names: (from) => names.ask(from),
  };
  const player = new PlayerDialog(desk);
  const glances = new Glances(
    () => link,
    () => [list, boards].forEach((part) => part.tick()),
  );
  const boards = new BoardDialog(desk, glances);
  const list = new Boards(desk, boards, glances);
  const plan = new Plan(desk);
  const nextStep = new NextStep(desk, plan);
  /** @type {Part[]} */
  const parts = [
    head(desk),
    nextStep,
    roundEnd(desk),
    plan,
    list,
    boards,
    new Ending(desk),
    new Players(desk, player),
    player,
    announcements(desk),
    reportFile(desk),
    apart(desk),
    settingsForm(desk),
    log(desk),
    deletion(desk),
  ];

  const link = new GlanceLink({
    room: hall.room,
    more: () => ({ brief: true }),
    since: () => event.seq,
    onState: connection,
    onFrame: receive,
  });

  /** @param {any} frame */
  function receive(frame) {
    if (frame.room !== hall.room) return;
    if (frame.t === "note" && frame.kind === "renamed") return void names.ask(frame.n);
    if (frame.t === "gone") return void setTimeout(() => link.subscribe(), 200 + Math.random() * 800);
    const before = event.state;
    const folded = fold(event, frame, Date.now());
    if (folded.resync) return link.subscribe({ fresh: true });
    event = folded.event;
    if (event.state === before || before.stage === "deleted") return;
    if (event.state.stage === "deleted") return showDeleted(t("deleted"), t("deleted.list"));
    if (frame.ev?.k === "announce") dispatchEvent(new CustomEvent("announced", { detail: frame.ev.change?.text }));
    nextStep.changed(before, event.state);
    names.complete(event.state.players);
    draw(before);
  }

  let drawing = 0;
  /** @type {State | null} */
  let drawn = null;
  /** Draws once for everything that arrives together. @param {State | null} before */
  function draw(before) {
    drawn ??= before;
    drawing ||= requestAnimationFrame(() => {
      drawing = 0;
      const old = drawn;
      drawn = null;
      if (event.state.stage !== "deleted") for (const part of parts) part.draw(old);
    });
  }

  let lost = 0;
  /** @param {"on" | "retrying" | "final"} state */
  function connection(state) {
    orders.connected = state === "on";
    clearTimeout(lost);
    const say = () => {
      orders.connection(state === "on");
      const line = /** @type {HTMLElement | null} */ (document.querySelector("#line"));
      if (!line) return; // the tournament is deleted
      line.hidden = state === "on";
      line.textContent = state === "on" ? "" : t(state === "final" ? "line.final" : "line.lost");
    };
    if (state === "on") say();
    else lost = window.setTimeout(say, slow);
  }

  const field = /** @type {HTMLInputElement} */ (document.querySelector("#link"));
  const send = /** @type {HTMLButtonElement} */ (document.querySelector("[data-action=share]"));
  send.hidden = !("share" in navigator);
  send.addEventListener("click", () => void share(event.state.settings.name, field.value));
  const copies = /** @type {HTMLButtonElement} */ (document.querySelector("[data-action=copy]"));
  copies.addEventListener("click", async () => {
    if (await copy(field.value, field)) copies.textContent = copies.dataset.done ?? "";
  });

  for (const part of parts) part.draw(null);
  document.querySelector("#desk")?.setAttribute("data-ready", "");
  setInterval(() => {
    if (event.state.stage !== "deleted") for (const part of parts) part.tick?.();
  }, 1_000);
}
