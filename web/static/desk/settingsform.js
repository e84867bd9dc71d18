// @ts-check
/**
 * The settings that a host can change. After the start the server refuses those on which past results
 * depend, so the form does not offer them.
 *
 * @typedef {import("./desk.js").Desk} Desk
 */

import { typed } from "../event/numbersandtimes.js";
import { find, write } from "../lib/dom.js";

const numbers = ["rounds", "minutes", "pause", "days", "extra"];
const boxes = ["accounts", "listed", "initials", "lateHalf", "rated", "thirdPlace", "seedDecides"];

/** @param {Desk} desk @returns {import("./desk.js").Part} */
export function settingsForm(desk) {
  const form = /** @type {HTMLFormElement} */ (find("#settings form"));
  const told = /** @type {HTMLElement} */ (form.querySelector("output"));
  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const format = field("format");
  const ties = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll("[name=tiebreak]")]);

  /** Shows only the fields of the chosen format. */
  function fits() {
    const waves = format.value === "arena" || format.value === "class";
    for (const p of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-of]")))
      p.hidden = !p.dataset.of?.split(" ").includes(format.value);
    for (const p of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-rounds]"))) p.hidden = waves;
  }
  format.addEventListener("change", fits);

  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    await desk.orders.send({ kind: "settings", settings: changed() }, told, desk.t("told.done"));
  });

  /** Returns the settings with what the form says. */
  function changed() {
    /** @type {Record<string, any>} */
    const s = { ...desk.state().settings, name: field("name").value };
    const house = field("options").value.trim();
    const same = s.rules === field("rules").value;
    s.options = same || house !== (s.options ?? "") ? house : ""; // house rules belong to a game
    for (const name of ["rules", "clock"]) s[name] = field(name).value;
    if (field("chat").value !== (s.chat || "free")) s.chat = field("chat").value;
    s.noShow = Math.round(Number(field("noShow").value) * 60);
    const hidden = (/** @type {string} */ name) => field(name).closest("p")?.hidden;
    for (const name of numbers) s[name] = hidden(name) ? 0 : Number(field(name).value);
    // A half for late players belongs to the scores of every format, which stand still after the start.
    for (const name of boxes) s[name] = field(name).checked && (name === "lateHalf" || !hidden(name));
    s.accounts ||= s.rated;
    const starts = exact(field("starts").value, s.starts);
    if (starts !== (s.starts ?? 0)) s.zone = starts > 0 ? new Date(starts).getTimezoneOffset() : 0;
    s.starts = starts;
    s.ends = hidden("ends") ? 0 : exact(field("ends").value, s.ends);
    const games = hidden("games") ? "1" : field("games").value;
    Object.assign(s, { games: games === "1" ? 1 : 2, bySeeds: games === "seeds" });
    s.unplayed = hidden("unplayed") ? "" : field("unplayed").value;
    const held = ties.map((tie) => tie.value);
    const asked = ties[0].closest("fieldset")?.hidden ? s.tieBreaks : tieBreaks(held, s.tieBreaks);
    const other = s.format !== format.value;
    s.tieBreaks = other && asked === s.tieBreaks ? "" : asked; // a format has its usual ones
    if (other) {
      s.format = format.value;
      if (s.format === "knockout" && s.unplayed === "draw") s.unplayed = ""; // one of the two must go on
    }
    return s;
  }

  return {
    draw(before) {
      const { settings, stage, players } = desk.state();
      form.hidden = stage === "over";
      for (const f of form.querySelectorAll("[data-before] :is(input, select)"))
        /** @type {HTMLInputElement} */ (f).disabled = stage !== "entry";
      field("rated").disabled = players.length > 0 && !settings.rated; // it matters when a player joins
      field("initials").disabled = players.length > 0;
      if (before && before.settings === settings) return; // the host may be typing
      /** @type {Record<string, any>} */
      const s = settings;
      field("name").value = s.name;
      field("unplayed").value = s.unplayed ?? "";
      for (const name of ["starts", "ends"]) field(name).value = s[name] ? typed(s[name]) : "";
      field("options").value = s.options ?? "";
      field("games").value = s.bySeeds ? "seeds" : String(s.games ?? 1);
      for (const name of ["rules", "format", "clock"]) choose(/** @type {any} */ (field(name)), s[name]);
      field("chat").value = s.chat || "free";
      field("noShow").value = s.noShow ? String(s.noShow / 60) : "";
      for (const name of numbers) field(name).value = s[name] ? String(s[name]) : "";
      for (const name of boxes) field(name).checked = Boolean(s[name]);
      const breaks = s.tieBreaks.split(",");
      ties.forEach((tie, i) => choose(tie, breaks[i] ?? ""));
      fits();
      if (!before) return; // the page came with the line of facts
      const [game, ...terms] = ["rules", "clock", "format"].map((name) => {
        return /** @type {HTMLSelectElement} */ (form.elements.namedItem(name)).selectedOptions[0].text;
      });
      write(find("#terms"), terms.join(" · "));
      const was = before.settings;
      if (s.rules === was.rules && s.options === was.options) return; // the server has told house rules in words
      write(find("#played"), [game, s.options].filter(Boolean).join(" · "));
    },
  };
}

/**
 * Returns the tie-breaks of fields, each once. Those for which there is no field stay, unless all fields are empty:
 * then the usual ones count.
 * @param {string[]} held codes; "" in an empty field
 * @param {string} before codes with commas between them
 */
export function tieBreaks(held, before) {
  const chosen = held.filter(Boolean);
  return [...new Set(chosen.length > 0 ? [...chosen, ...before.split(",").slice(held.length)] : [])].join(",");
}

/**
 * Returns the time that a field holds, or 0. A field has no seconds, which a program may have set.
 * @param {string} value
 * @param {number} [before]
 */
function exact(value, before = 0) {
  if (before > 0 && value === typed(before)) return before;
  return new Date(value).getTime() || 0;
}

/** Chooses a value, which may be none of the usual ones. @param {HTMLSelectElement} select @param {string} value */
function choose(select, value) {
  if (![...select.options].some((o) => o.value === value)) select.add(new Option(value, value));
  select.value = value;
}
