// @ts-check
/**
 * What is under the board: the waiting room, the actions that are possible now,
 * offers, the result, the chat. Each is in the page already; here it is decided
 * what shows and what it says.
 *
 * @typedef {import("./text.js").T} T
 * @typedef {import("./state.js").Game} Game
 * @typedef {ReturnType<typeof import("./words.js").speaker>} Speaker
 * @typedef {{kind: string, [more: string]: any}} Command
 */

import { option } from "./shape.js";

/** @param {string} selector @returns {HTMLElement} */
const at = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
/** @param {string} selector @param {boolean} visible */
const show = (selector, visible) => (at(selector).hidden = !visible);

const presets = ["hello", "good-luck", "nice-move", "oops", "well-played", "thanks", "one-moment", "rematch"];
const confirmFor = 3_000; // ms in which the second tap counts

export class Panels {
  /** @type {{button: HTMLElement, label: string, timer: number} | null} a button that waits for its second tap */
  #armed = null;
  #watching = false; // "just watch" was chosen
  #lines = 0;
  #offered = ""; // the offers on the page

  /** @param {T} t @param {{chat: (line: {preset?: string, text?: string}) => void}} wiring */
  constructor(t, wiring) {
    this.t = t;
    const form = /** @type {HTMLFormElement} */ (at("#chat-form"));
    at(".presets").append(
      ...presets.map((preset) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.preset = preset;
        button.textContent = t(`chat.${preset}`);
        button.addEventListener("click", () => wiring.chat({ preset }));
        return button;
      }),
    );
    form.hidden = false;
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("text"));
      if (field.value.trim() !== "") wiring.chat({ text: field.value.trim() });
      field.value = "";
    });
  }

  /**
   * Whether a tap counts: buttons that cannot be taken back want two.
   * @param {HTMLElement} button
   */
  confirmed(button) {
    const armed = this.#armed;
    if (armed) {
      clearTimeout(armed.timer);
      armed.button.textContent = armed.label;
      armed.button.classList.remove("armed");
      this.#armed = null;
    }
    if (!button.dataset.confirm || armed?.button === button) return true;
    const label = button.textContent ?? "";
    button.textContent = button.dataset.confirm;
    button.classList.add("armed");
    const timer = window.setTimeout(() => this.confirmed(document.body), confirmFor);
    this.#armed = { button, label, timer };
    return false;
  }

  watch() {
    this.#watching = true;
  }

  /** @param {Game} game @param {Speaker} words @param {number} now by the server's clock @param {boolean} reader another tab plays */
  draw(game, words, now, reader) {
    this.#waiting(game, words);
    this.#actions(game, now, reader);
    this.#offers(game, words, reader);
    this.#result(game, words);
  }

  /** "No clock, friendly game." @param {Game} game */
  #clock({ snap }) {
    const [, base, kind, inc] = snap.clockText.match(/^([\d.]+)([+d/])(.*)$/) ?? [];
    if (!base) return this.t("clock.none");
    return this.t(kind === "+" ? "clock.fischer" : kind === "d" ? "clock.delay" : "clock.days", { n: base, seconds: inc });
  }

  /** @param {Game} game @param {Speaker} words */
  #waiting(game, words) {
    const { t } = this;
    const { snap, me } = game;
    show("#waiting", snap.state === "waiting");
    if (snap.state !== "waiting") return;
    const creator = me !== "" && me === snap.creator;
    const sits = snap.sitters.includes(me);
    const invites = game.names[snap.creator];
    const key = creator ? (snap.forOthers ? "waiting.for-others" : "waiting.heading") : sits ? "waiting.seated" : invites ? "waiting.invited" : "waiting.open";
    at("#invite").textContent = t(key, { name: invites ?? "", title: snap.title, n: words.seats - snap.sitters.length });
    const starts = words.shape.sides * words.shape.partners === 2 ? t(`agreed.${snap.start}`) : t("agreed.random");
    at("#agreed").textContent = t("waiting.agreed", { title: snap.title + (snap.options ? ` (${snap.options})` : ""), clock: this.#clock(game), start: starts });
    show("#sit", !sits && !this.#watching && !(creator && snap.forOthers));
    show("#waiting .share", creator || sits || this.#watching);
    show("#waiting [data-action=stand]", sits && !creator);
    show("#waiting [data-action=abort]", creator);
    show("#waiting [data-action=share]", "share" in navigator);
    show("#settings", creator);
    at("#sitters").replaceChildren(
      ...Array.from({ length: words.seats }, (_, i) => {
        const item = document.createElement("li");
        const player = snap.sitters[i];
        item.textContent = player === undefined ? t("waiting.free") : player === me ? t("seat.you", { name: game.names[player] ?? "" }) : (game.names[player] ?? t("seat.empty", { n: i + 1 }));
        item.classList.toggle("free", player === undefined);
        return item;
      }),
    );
    const form = /** @type {HTMLFormElement} */ (at("#settings form"));
    if (form.contains(document.activeElement)) return; // nobody's typing is overwritten
    const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    const clock = /** @type {HTMLSelectElement} */ (form.elements.namedItem("clock"));
    if (!Array.from(clock.options, (o) => o.value).includes(snap.clockText)) clock.add(new Option(this.#clock(game), snap.clockText));
    field("rules").value = snap.rules;
    field("options").value = snap.options ?? "";
    field("clock").value = snap.clockText;
    field("start").value = snap.start;
    field("forOthers").checked = snap.forOthers;
  }

  /** @param {Game} game @param {number} now @param {boolean} reader */
  #actions({ snap, as, you }, now, reader) {
    const plays = as >= 0 && !reader && !snap.left?.includes(as);
    const live = plays && (snap.state === "live" || snap.state === "setup");
    const turn = live && snap.turn === as;
    const early = live && snap.moves.length < 2 && snap.round <= 1;
    const match = snap.target > 0;
    const mine = (/** @type {string} */ what) => snap.offers.some((o) => o.what === what && o.seat === as);
    const claimable = live && snap.countdown !== undefined && snap.countdown.seat !== as && now >= snap.countdown.until;
    const bar = (/** @type {string} */ action, /** @type {boolean} */ on) => show(`#actions [data-action=${action}]`, on);
    show("#actions", snap.state !== "waiting");
    bar("keep", turn && snap.phase === "swap");
    bar("swap", turn && snap.phase === "swap");
    bar("pass", turn && you?.legal?.length === 1 && you.legal[0].m === "-");
    bar("next", plays && snap.state === "pause");
    bar("claim", claimable);
    bar("claim-draw", claimable);
    bar("abort", early);
    bar("resign", live && !early);
    bar("resign-match", (live && !early && match) || (plays && snap.state === "pause"));
    at("#actions [data-action=resign]").dataset.what = match ? "round" : "";
    bar("draw", live && snap.state === "live" && !early && !mine("draw"));
    bar("takeback", live && snap.state === "live" && snap.moves.length > 0 && !mine("takeback"));
  }

  /** @param {Game} game @param {Speaker} words @param {boolean} reader */
  #offers({ snap, as }, words, reader) {
    const { t } = this;
    show("#offers", snap.offers.length > 0);
    // Buttons that somebody may be on are not made anew for nothing.
    const key = JSON.stringify([snap.offers, as, reader, snap.offers.map((o) => words.name(o.seat))]);
    if (key === this.#offered) return;
    this.#offered = key;
    at("#offers").replaceChildren(
      ...snap.offers.map(({ what, seat }) => {
        const line = document.createElement("p");
        line.className = "row-of";
        line.append(t(seat === as ? `offer.${what}.you` : `offer.${what}.other`, { name: words.name(seat) }), " ");
        const button = (/** @type {string} */ action, /** @type {string} */ key) => {
          const b = document.createElement("button");
          b.type = "button";
          Object.assign(b.dataset, { action, what });
          b.textContent = t(key);
          if (action === "accept") b.className = "primary";
          line.append(b);
        };
        if (as >= 0 && !reader) {
          if (seat !== as) button("accept", "offer.accept");
          button("decline", seat === as ? "offer.withdraw" : "offer.decline");
        }
        return line;
      }),
    );
  }

  /** @param {Game} game @param {Speaker} words */
  #result(game, words) {
    const { t } = this;
    const { snap, as } = game;
    const over = snap.state === "over";
    show("#result", over);
    if (!over) return;
    at("#headline").textContent = words.headline();
    at("#reason").textContent = words.reason();
    const rounds = (snap.rounds ?? []).map((r, i) => t("result.round", { n: i + 1, score: words.score(r.scores) }));
    const receipt = as < 0 ? null : /** @type {{given?: number} | undefined} */ (snap.result?.receipt?.[as]);
    if (receipt?.given && receipt.given >= 50) rounds.push(t("result.lag", { time: (receipt.given / 1000).toFixed(1) }));
    at("#figures").textContent = rounds.join(" · ");
    const asked = snap.offers.some((o) => o.what === "rematch" && o.seat === as);
    show("#result [data-action=rematch]", as >= 0 && !snap.rematch && !asked && snap.result?.reason !== "expired");
    const link = /** @type {HTMLAnchorElement} */ (at("#result [data-action=rematch-open]"));
    link.hidden = !snap.rematch;
    if (snap.rematch) link.href = `/${snap.rematch}`;
    show("#result [data-action=share]", "share" in navigator);
  }

  /** A line of the chat. @param {{n: number, name?: string, preset?: string, text?: string, seat?: number}} line */
  chat({ n, name = "", preset, text, seat = -1 }) {
    if (n <= this.#lines) return; // lines come again with every subscription
    this.#lines = n;
    const item = document.createElement("li");
    const who = document.createElement("b");
    who.textContent = name;
    if (seat >= 0) item.dataset.seat = String(seat);
    // The text is a stranger's: it is never anything but text, and its direction stays its own.
    const said = document.createElement("bdi");
    said.textContent = preset ? (this.t.has(`chat.${preset}`) ? this.t(`chat.${preset}`) : preset) : (text ?? "");
    item.append(who, " ", said);
    const list = at("#chat");
    list.append(item);
    while (list.childElementCount > 200) list.firstElementChild?.remove();
    list.scrollTop = list.scrollHeight;
    return said.textContent;
  }

  /** @param {number} n */
  watchers(n) {
    at("#watchers").textContent = n > 0 ? this.t("watchers", { n }) : "";
  }
}

/**
 * What each answer to a lay-out would mean.
 * @param {T} t
 * @param {Game} game
 * @param {Speaker} words
 */
export function sideChoice(t, { snap }, words) {
  const other = words.name(1 - snap.turn);
  const swapFirst = option(snap.canonical, "swap") === "loses-first" ? t("swap.first.other", { name: other }) : t("swap.first.you");
  return t("swap.choice", { swap: swapFirst });
}

