// @ts-check
/**
 * The waiting room: the invitation for visitors; for the creator of the game also the link and the
 * settings. A changed setting takes effect at once.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 */

import { server } from "../lib/api.js";
import { find, show, write } from "../lib/dom.js";
import { gameName } from "../lib/text.js";
import { laidOut } from "./layout.js";

export class WaitingRoom {
  #watching = false; // "Just watch" was chosen
  /**
   * @type {Record<string, any>} the settings as they were last shown: only a changed one overwrites
   *   its field
   */
  #known = {};
  #canonical = ""; // the rules whose text is on the page

  /**
   * @param {T} t
   * @param {{change: (settings: Record<string, any>, answered: (err: any) => void) => void,
   *   rename: (name: string) => void}} wiring answered: gets the refusal, or null
   */
  constructor(t, wiring) {
    this.t = t;
    const form = /** @type {HTMLFormElement} */ (find("#settings form"));
    form.addEventListener("change", (e) => {
      const field = /** @type {HTMLInputElement} */ (e.target);
      if (!field.name) return; // a stepper's number: the field that it stands for changes as well
      const { name, type, checked } = field;
      const value = type === "checkbox" ? checked : name === "delay" ? Number(field.value) : field.value.trim();
      wiring.change({ [name]: value }, (err) => {
        if (err && name !== "options") setField(form, name, this.#known[name]); // a text that was typed can be mended
      });
    });
    find("#name-form").addEventListener("submit", (e) => {
      e.preventDefault();
      wiring.rename(/** @type {HTMLInputElement} */ (find("#name")).value.trim());
    });
  }

  watch() {
    this.#watching = true;
  }

  /** @param {Game} game @param {Speaker} words @param {string} news the last refusal */
  draw(game, words, news) {
    const { t } = this;
    const { snap, me } = game;
    const waiting = snap.state === "waiting";
    show("#waiting", waiting);
    const rules = find("#rules-text");
    if (!waiting && rules.closest("#waiting")) find(".aside").append(rules);
    this.#describe(snap.canonical);
    if (!waiting) return;
    const creator = me !== "" && me === snap.creator;
    const sits = snap.sitters.includes(me);
    const invites = game.names[snap.creator];
    // all seats are taken, but no player has said that they are the youngest
    const full = snap.sitters.length === words.seats;
    const key =
      full && (sits || creator)
        ? "waiting.who-youngest"
        : creator
          ? snap.forOthers
            ? "waiting.for-others"
            : "waiting.heading"
          : sits
            ? "waiting.seated"
            : invites
              ? "waiting.invited"
              : "waiting.open";
    const title = gameName(t, snap);
    write(find("#invite"), t(key, { name: invites ?? "", title, n: words.seats - snap.sitters.length }));
    write(find("#agreed"), this.#agreed(game, words, creator));
    write(find("#waiting-said"), news);
    show("#waiting-said", news !== "");
    show("#sit", !sits && !full && !this.#watching && !(creator && snap.forOthers));
    show("#waiting [data-action=youngest]", sits && snap.start === "youngest" && snap.youngest !== me);
    show("#waiting .share", (creator || sits || this.#watching) && !full);
    show("#waiting [data-action=stand]", sits && !creator);
    show("#waiting [data-action=abort]", creator);
    show("#waiting [data-action=share]", "share" in navigator);
    show("#settings", creator);
    show("#name-form", me !== "");
    this.#name(game.names[me] ?? "");
    this.#sitters(game, words);
    if (creator) this.#fill(game, words);
  }

  /**
   * Returns the settings in words: "No clock, friendly game. Ada starts."
   * @param {Game} game
   * @param {Speaker} words
   * @param {boolean} creator the viewer made the game
   */
  #agreed({ snap, names }, words, creator) {
    const { t } = this;
    const two = words.seats === 2 && !snap.forOthers;
    const who =
      snap.start === "youngest"
        ? "youngest"
        : !two || snap.start === "random"
          ? "random"
          : (snap.start === "creator") === creator
            ? "you"
            : creator
              ? "friend"
              : "other";
    return [
      creator ? t("agreed.title", { title: gameName(t, snap) }) : "",
      t(snap.rated ? "agreed.rated" : "agreed.friendly", { clock: words.clock() }),
      t(`agreed.${laidOut(snap.canonical) ? "layout" : "start"}.${who}`, {
        name: names[snap.creator] ?? t("opponent"),
      }),
      snap.assists === false ? t("agreed.plain") : "",
      snap.listed ? t("agreed.listed") : "",
      snap.delay ? t("agreed.delay", { n: snap.delay }) : "",
    ]
      .filter(Boolean)
      .join(" ");
  }

  /** @param {Game} game @param {Speaker} words */
  #sitters({ snap, me, names }, words) {
    find("#sitters").replaceChildren(
      ...Array.from({ length: words.seats }, (_, i) => {
        const item = document.createElement("li");
        const player = snap.sitters[i];
        const name = names[player] ?? this.t("seat.empty", { n: i + 1 });
        item.textContent =
          player === undefined ? this.t("waiting.free") : player === me ? this.t("seat.you", { name }) : name;
        item.classList.toggle("free", player === undefined);
        return item;
      }),
    );
  }

  /** @param {string} name */
  #name(name) {
    const field = /** @type {HTMLInputElement} */ (find("#name"));
    if (this.#known.name === name) return;
    this.#known.name = name;
    field.value = name;
  }

  /** Fills the form with the current settings. @param {Game} game @param {Speaker} words */
  #fill({ snap }, words) {
    const form = /** @type {HTMLFormElement} */ (find("#settings form"));
    find("#settings label[for=start]").textContent = this.t(
      laidOut(snap.canonical) ? "settings.layout" : "settings.start",
    );
    const clock = /** @type {HTMLSelectElement} */ (form.elements.namedItem("clock"));
    if (!Array.from(clock.options, (o) => o.value).includes(snap.clockText))
      clock.add(new Option(words.clock(), snap.clockText));
    const values = {
      rules: snap.rules,
      options: snap.options ?? "",
      clock: snap.clockText,
      start: snap.start,
      forOthers: snap.forOthers,
      assists: snap.assists,
      rated: snap.rated === true,
      chat: snap.chat,
      delay: snap.delay ?? 0,
      listed: snap.listed === true,
    };
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || this.#known[name] === value) continue;
      this.#known[name] = value;
      setField(form, name, value);
    }
  }

  /** Fetches the words of the rules from the server when other rules are chosen. @param {string} canonical */
  async #describe(canonical) {
    const old = this.#canonical;
    this.#canonical = canonical;
    if (old === "" || old === canonical) return;
    const page = await server.fetch(location.pathname).then((r) => (r.ok ? r.text() : "")).catch(() => "");
    const next = new DOMParser().parseFromString(page, "text/html");
    for (const part of ["#rules-text", "#house"]) {
      const words = next.querySelector(part);
      if (words && this.#canonical === canonical) find(part)?.replaceChildren(...words.children);
    }
  }
}

/**
 * Shows the value of a setting in its field, if the form has one.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string | number | boolean} value
 */
function setField(form, name, value) {
  const field = /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name));
  if (field?.type === "checkbox") field.checked = Boolean(value);
  else if (field) field.value = String(value);
}
