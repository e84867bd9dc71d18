// @ts-check
/**
 * The panel of the host's next step: preview a round, stop the countdown, pause all games, finish.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./summary.js").Phase} Phase
 * @typedef {import("../event/state.js").State} State
 */

import { until } from "../event/follow.js";
import { total } from "../event/news.js";
import { inWaves, leftInRound, takesPart } from "../event/state.js";
import { find, write } from "../lib/dom.js";
import { isConfirmed } from "../lib/secondtap.js";
import { listed } from "../lib/text.js";
import { roundEnds } from "./roundend.js";
import { button } from "./rows.js";
import { counts, games, phaseOf, unreached } from "./summary.js";

/** The buttons of each phase, the main one first. @type {Record<Phase, string[]>} */
const actions = {
  entry: ["add", "plan"],
  playing: ["pause", "resume", "day"],
  between: ["plan", "wait", "finish"],
  last: ["finish", "more"],
  waves: ["stop", "extend", "pause", "resume"],
  stopped: ["go-on", "finish"],
  "timed-out": ["finish"],
  over: [],
};

export class NextStep {
  /** @type {string} */
  #shown = "";

  /** @param {Desk} desk @param {import("./plan.js").Plan} plan */
  constructor(desk, plan) {
    this.desk = desk;
    this.plan = plan;
    find("#now-actions").addEventListener("click", (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest("button");
      if (b) void this.#do(b);
    });
    find("#add-next").addEventListener("click", () => void plan.open());
  }

  /** @param {HTMLElement} b */
  async #do(b) {
    const { desk } = this;
    const { t, orders } = desk;
    const state = desk.state();
    const told = find("#now-told");
    const round = state.rounds.length;
    switch (b.dataset.step) {
      case "add":
        return find("#names").focus();
      case "plan":
        return this.plan.open();
      case "begin":
        return void (await orders.send({ kind: "start", round: round + 1 }, told));
      case "go-on":
        return void (await orders.send({ kind: "start", round }, told));
      case "wait":
      case "stop":
        return void (await orders.send({ kind: "wait" }, told));
      case "extend":
        return void (await orders.send({ kind: "extend", ms: 600_000 }, told));
      case "day":
        return void (await orders.send({ kind: "extend", ms: 86_400_000 }, told));
      case "more":
        return void (await orders.send({ kind: "settings", settings: { ...state.settings, rounds: round + 1 } }, told));
      case "pause":
      case "resume":
        return void (await orders.send({ kind: "arbiter", act: b.dataset.step, round }, told, t("told.sent")));
      case "finish":
        if (isConfirmed(b, t("finish.sure"))) await orders.send({ kind: "finish" }, told);
    }
  }

  /**
   * Tells that a round goes on which a host wanted to take back. A quick server answers before the page has
   * drawn the question, so each change is looked at.
   * @param {State} before
   * @param {State} after
   */
  changed(before, after) {
    if (!before.recall || after.recall || after.rounds.length < before.rounds.length) return;
    write(find("#now-told"), this.desk.t("undo.moved", { round: after.rounds.length }));
  }

  draw() {
    const { desk } = this;
    const { t } = desk;
    const state = desk.state();
    const phase = phaseOf(state, desk.now());
    const round = state.rounds.length;
    const rounds = total(state);
    write(find("#now-heading"), t(`now.${phase}`, { round, rounds }));
    const steps = stepsOf(state, desk.now());
    const next = find("#add-next"); // the button that the host reaches after the names
    next.hidden = phase !== "entry" || !steps.includes("plan");
    write(next, t("step.plan", { round: round + 1 }));
    const shown = `${phase} ${round} ${steps}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      const list = find("#now-actions");
      const focused = list.contains(document.activeElement);
      list.replaceChildren(
        ...steps.map((step, i) => {
          const b = button(step === "add" ? t("add") : t(`step.${step}`, { round: round + 1 }), { step });
          if (i === 0 && !["pause", "stop", "day"].includes(step)) b.className = "primary";
          return b;
        }),
      );
      if (focused) /** @type {HTMLElement | null} */ (list.querySelector("button"))?.focus();
    }
    this.tick();
  }

  tick() {
    const { desk } = this;
    const state = desk.state();
    const phase = phaseOf(state, desk.now());
    const n = counts(state);
    const left = until((state.due ?? 0) - desk.now());
    const help = helpOf(state, phase);
    const { running, paused } = games(state);
    const missed = unreached(state);
    const boards = listed(desk.t, missed, "and");
    const said = [
      missed.length > 0 ? `${desk.t("now.unreached", { n: missed.length, boards })} ` : "",
      paused > 0 && running === 0 ? `${desk.t("now.paused")} ` : "",
    ].join("");
    const last = roundEnds(desk.t, state, desk.now());
    write(
      find("#now-help"),
      said + desk.t(`now.help.${help}`, {
        ...n,
        n: help === "entry" ? n.here : n.playing,
        all: n.playing + n.finished,
        left: help === "due" ? left : until((state.ends ?? 0) - desk.now()),
        round: state.rounds.length + 1,
      }) + (last ? ` ${last}` : ""),
    );
  }
}

/**
 * Returns the buttons that a host has now, the main one first. Pure.
 * @param {State} state
 * @param {number} now by the server's clock
 */
export function stepsOf(state, now) {
  const phase = phaseOf(state, now);
  return actions[phase]
    .map((step) => (step === "plan" && total(state) === 0 ? "begin" : step))
    .filter((step) => fits(step, phase, state, now));
}

/** @param {string} step @param {Phase} phase @param {State} state @param {number} now */
function fits(step, phase, state, now) {
  const { format } = state.settings;
  if (phase === "entry") return (step === "add") === tooFew(state);
  if (step === "wait") return Boolean(state.due);
  if (step === "extend") return format === "arena";
  if (step === "day") return leftInRound(state, now) > 0;
  if (step === "more") return format === "swiss";
  if (step === "resume") return games(state).paused > 0;
  if (step === "pause") return games(state).running > 0;
  return true;
}

/** Reports whether too few players for a round have joined. Waves pair those who come later. @param {State} state */
const tooFew = (state) => !inWaves(state) && state.players.filter(takesPart).length < 2;

/** Returns the key of the sentence that explains a phase. @param {State} state @param {Phase} phase */
function helpOf(state, phase) {
  if (phase === "entry" && tooFew(state)) return "empty";
  if (phase === "between" && state.due) return "due";
  if (phase === "waves" && state.ends) return "waves.until";
  return phase === "over" && state.settings.format === "class" ? "over.class" : phase; // a class has no standings
}
