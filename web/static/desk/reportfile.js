// @ts-check
/**
 * Players, and the rounds of a Swiss that began elsewhere, from a report file.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {Record<string, string | number> & {code: string, round?: number}} Problem
 */

import { find } from "../lib/dom.js";
import { inLanguage } from "../lib/language.js";
import { confirm } from "./orders.js";

/** @param {Desk} desk @returns {import("./desk.js").Part} */
export function reportFile(desk) {
  const box = /** @type {HTMLElement} */ (find("#import"));
  const form = /** @type {HTMLFormElement} */ (box.querySelector("form"));
  const told = /** @type {HTMLElement} */ (box.querySelector("output"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const results = /** @type {HTMLInputElement} */ (form.elements.namedItem("results"));

  /** Sends the file once: a second time would enter the players twice. */
  async function send() {
    const { t, room } = desk;
    const file = /** @type {HTMLInputElement} */ (form.elements.namedItem("file")).files?.[0];
    if (!file || button.disabled) return;
    told.classList.remove("problem");
    told.textContent = t("import.goes");
    button.disabled = true;
    const path = `/api/v1/tournaments/${room}/import?results=${results.checked}`;
    const options = { method: "POST", headers: { "Content-Type": "text/plain" }, body: file };
    const r = await fetch(inLanguage(path), options).catch(() => null);
    const answer = await r?.json().catch(() => null);
    button.disabled = false;
    if (r?.ok && answer) {
      form.reset();
      const { players: n, rounds } = answer;
      return confirm(told, t(rounds > 0 ? "import.done.rounds" : "import.done", { n, rounds }));
    }
    told.classList.add("problem");
    told.textContent = answer?.msg ? refusalText(t, answer) : t("import.unsure");
  }

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    void send();
  });
  return {
    draw() {
      const { stage, settings, players } = desk.state();
      box.hidden = stage !== "entry" || settings.format === "class";
      const possible = settings.format === "swiss" && players.length === 0;
      /** @type {HTMLElement} */ (results.closest("p")).hidden = !possible;
      if (!possible) results.checked = false;
    },
  };
}

/**
 * Says what is wrong with a file, and where. A problem that this release does not know is said in English.
 *
 * @param {import("../lib/text.js").T} t
 * @param {{msg: string, detail?: {line?: number, player?: number, why?: string, problem?: Problem}}} answer
 */
function refusalText(t, { msg, detail: { line, player, why: english, problem } = {} }) {
  const known = problem && t.has(`import.why.${problem.code}`);
  let why = known ? t(`import.why.${problem.code}`, problem) : english;
  if (!why) return msg;
  if (known && problem.round) why = t("import.at.round", { round: problem.round, why });
  if (player) why = t("import.at.player", { player, why });
  if (line) why = t("import.at.line", { line, why });
  return `${msg} ${why}`;
}
