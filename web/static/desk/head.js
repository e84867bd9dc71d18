// @ts-check
/**
 * The top of the desk: the stage of the tournament, the numbers of players, and the step that can be taken back.
 *
 * @typedef {import("./desk.js").Desk} Desk
 */

import { until } from "../event/follow.js";
import { total } from "../event/news.js";
import { inWaves } from "../event/state.js";
import { find, write } from "../lib/dom.js";
import { appear } from "./rows.js";
import { counts } from "./summary.js";

/** @param {Desk} desk @returns {import("./desk.js").Part} */
export function head(desk) {
  const { t } = desk;
  const bar = find("#undo");
  const told = /** @type {HTMLElement} */ (bar.querySelector("output"));
  bar.querySelector("button")?.addEventListener("click", () => void desk.orders.send({ kind: "undo" }, told));

  function undoable() {
    const { undo } = desk.state();
    return undo && undo.until > desk.now() ? undo : undefined;
  }

  function tick() {
    const undo = undoable();
    appear(bar, Boolean(undo) || told.textContent !== "", find("#now-heading"));
    if (undo) write(find("#undo-left"), until(undo.until - desk.now()));
  }

  return {
    tick,
    draw() {
      const state = desk.state();
      const round = state.rounds.length;
      write(find("#name"), state.settings.name);
      const stage =
        state.stage === "running" && !inWaves(state)
          ? t("round.of", { round, rounds: Math.max(round, total(state)) })
          : t(`stage.${state.stage}`);
      write(find("#stage"), stage);
      const entry = state.stage === "entry";
      for (const [name, n] of Object.entries(counts(state))) {
        const box = find(`[data-count-of=${name}]`);
        write(/** @type {Element} */ (box.querySelector("dd")), String(n));
        const none = n === 0 && !entry && !inWaves(state);
        box.hidden = (name === "missing" && none) || (name === "late" && n === 0);
      }
      find("#counted-boards").hidden = entry;
      for (const way of document.querySelectorAll("#invite, #add, .links li:has([href='#invite'])"))
        /** @type {HTMLElement} */ (way).hidden = state.stage === "over"; // nobody can join any more
      const undo = undoable();
      if (undo) write(find("#undo-what"), undoText(desk, undo));
      else told.textContent = "";
      tick();
    },
  };
}

/**
 * Describes the step that can be taken back.
 * @param {Desk} desk
 * @param {import("../event/state.js").Undo} undo
 */
function undoText({ t, state, name, nameOf, me }, { kind, by, before }) {
  const players = before?.players ?? [];
  const row = before?.boards?.[0];
  const now = row && state().rounds[(before?.round ?? 1) - 1]?.[row.n - 1];
  const what = now?.result
    ? t(`result.${now.result}`, { first: name(now.first), second: name(now.second ?? 0) })
    : "";
  const { rounds, recall } = state();
  const values = { n: players.length, name: name(players[0]?.n ?? 0), board: row?.n ?? 0, round: rounds.length, what };
  const step = kind === "result" && !what ? "cleared" : kind;
  const text = t(recall ? "undo.recall" : `undo.${step}`, values);
  return by === "" || by === me ? text : t("undo.by", { what: text, host: nameOf(by) });
}
