// @ts-check
/**
 * The chat: ready phrases, which every reader sees in their own language, and free text where a
 * viewer wants it.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {{n: number, at: number, by?: string, name?: string, preset?: string, text?: string, seat?: number}} Line
 */

import { find, show, write } from "../lib/dom.js";
import { prefs } from "../lib/prefs.js";
import { listed } from "../lib/text.js";
import { isBot } from "../model/bots.js";

const players = ["hello", "good-luck", "nice-move", "oops", "well-played", "thanks", "one-moment", "rematch"];
const watchers = ["hello", "wow", "so-close", "nice-move", "well-played", "thanks"];
const kept = 200; // lines

export class Chat {
  #last = { players: 0, watchers: 0 }; // numbers of the last lines: every subscription repeats them
  /** @type {string[]} */
  #watching = []; // names of the watchers, as far as they have accounts
  #unread = 0;
  #muted = false;
  #tight = false; // the opponents accept no free text
  #othersListed = "?"; // the players whom the links are about
  #sent = { id: "", text: "" }; // the last text that was sent
  #field = /** @type {HTMLInputElement} */ (find("#chat-form [name=text]"));

  /**
   * @param {T} t
   * @param {(line: {preset?: string, text?: string}) => string} say returns the id, or "" if nothing could be sent
   */
  constructor(t, say) {
    this.t = t;
    find(".presets").append(
      ...[...new Set([...players, ...watchers])].map((preset) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.preset = preset;
        button.textContent = t(`chat.${preset}`);
        button.addEventListener("click", () => say({ preset }));
        return button;
      }),
    );
    find("#chat-form").addEventListener("submit", (e) => {
      e.preventDefault();
      const text = this.#field.value.trim();
      const id = text && say({ text });
      if (!id) return; // the text stays until it can be sent
      this.#sent = { id, text };
      this.#field.value = "";
    });
    find("#chat-panel").addEventListener("toggle", () => this.#markRead());
  }

  /** Shows what the viewer may write. @param {Game} game */
  draw({ me, snap, names, as }) {
    find("#chat").dataset.empty = this.t(as < 0 ? "chat.empty.watch" : "chat.empty");
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-preset]")))
      button.hidden = !(as < 0 ? watchers : players).includes(button.dataset.preset ?? "");
    const level = allowed(this.#tight ? "presets" : "free", allowed(snap.chat, prefs.get("chat")));
    const why = me === "" ? "chat.nobody" : level === "off" ? "chat.off" : this.#muted ? "chat.muted" : "";
    show("#chat-form", why === "");
    show("#chat-form .written", level === "free");
    show("#chat-off", why !== "");
    write(find("#chat-off"), why && this.t(why));
    show("#chat", level !== "off");
    this.#others(snap.seats.filter((player) => player !== me && !isBot(player)), names);
  }

  /**
   * Makes a link for each opponent, to follow, block or report them.
   * @param {string[]} players
   * @param {Record<string, string>} names
   */
  #others(players, names) {
    const now = players.map((player) => `${player} ${names[player] ?? ""}`).join();
    if (now === this.#othersListed) return;
    this.#othersListed = now;
    find("#others").replaceChildren(...players.map((player) => {
      const link = document.createElement("a");
      link.className = "button link";
      link.href = `/people/${player}?room=${find("[data-board]").dataset.game}`;
      const name = names[player] ?? this.t("opponent");
      Object.assign(link.dataset, { action: "person", player, name });
      link.textContent = this.t("chat.about", { name });
      return link;
    }));
  }

  /** Removes a line that an operator has removed. @param {string} stream @param {number} n */
  erase(stream, n) {
    find(`#chat [data-stream=${stream}][data-n="${n}"]`)?.remove();
    show("#heard", false);
  }

  /** Removes the lines of a player. @param {string} player */
  forget(player) {
    for (const line of document.querySelectorAll("#chat [data-by]"))
      if (/** @type {HTMLElement} */ (line).dataset.by === player) line.remove();
    show("#heard", false);
  }

  /**
   * Handles the refusal of a line: its writer gets the text back, unless they write another one.
   * @param {string} [id]
   */
  refused(id) {
    if (id === this.#sent.id) this.#field.value ||= this.#sent.text;
  }

  /** Stops offering free text: it was refused. */
  tighten() {
    this.#tight = true;
  }

  /** Mutes the chat, or ends that. */
  mute() {
    this.#muted = !this.#muted;
    find("[data-action=mute]").setAttribute("aria-pressed", String(this.#muted));
  }

  /**
   * @param {Line} line
   * @param {string} me
   * @param {boolean} old the line is no news
   * @returns {string} what is new to read, or ""
   */
  add({ n, by = "", name = "", preset, text, seat = -1 }, me, old) {
    const stream = seat >= 0 ? "players" : "watchers";
    if (n <= this.#last[stream]) return "";
    this.#last[stream] = n;
    if (this.#muted || prefs.get("chat") === "off" || (text !== undefined && prefs.get("chat") === "presets"))
      return "";
    const item = document.createElement("li");
    Object.assign(item.dataset, { n: String(n), stream, by });
    const who = document.createElement(by === me ? "b" : "button");
    who.textContent = name;
    if (by !== me) {
      who.className = "link";
      who.setAttribute("aria-label", this.t("chat.about-line", { name }));
      Object.assign(who.dataset, { action: "person", player: by, name, stream, line: String(n) });
    }
    if (seat >= 0) item.dataset.seat = String(seat);
    // The text comes from a stranger: it is inserted as text only, and keeps its own direction.
    const said = document.createElement("bdi");
    said.textContent = preset ? (this.t.has(`chat.${preset}`) ? this.t(`chat.${preset}`) : preset) : (text ?? "");
    item.append(who, " ", said);
    const list = find("#chat");
    list.append(item);
    while (list.childElementCount > kept) list.firstElementChild?.remove();
    list.scrollTop = list.scrollHeight;
    const line = `${name}: ${said.textContent}`;
    if (by !== me && !old) {
      this.#unread++;
      find("#heard").textContent = line;
      show("#heard", true);
    }
    this.#markRead();
    return old ? "" : line;
  }

  /** Marks the lines as read if the chat is visible. */
  #markRead() {
    if (find("#chat-panel").checkVisibility()) {
      this.#unread = 0;
      show("#heard", false);
    }
    for (const badge of document.querySelectorAll("[data-unread]"))
      badge.textContent = this.#unread > 0 ? String(this.#unread) : "";
    find("#chat").scrollTop = find("#chat").scrollHeight;
  }

  /**
   * @param {number} n watchers
   * @param {string[]} [names] of those with accounts; undefined if they have not changed
   */
  watchers(n, names = this.#watching) {
    this.#watching = names;
    const guests = n - names.length;
    const who = [listed(this.t, names), guests > 0 && names.length > 0 ? this.t("watchers.guests", { n: guests }) : ""]
      .filter(Boolean)
      .join(" ");
    write(find("#watchers"), n > 0 ? this.t("watchers", { n }) + (who && `: ${who}`) : "");
  }
}

/**
 * Returns what may be written: no more than the game allows and the viewer wants.
 * @param {string | undefined} game
 * @param {string | undefined} own
 */
function allowed(game = "free", own = "free") {
  const levels = ["off", "presets", "free"];
  return levels[Math.min(...[game, own].map((level) => (levels.includes(level) ? levels.indexOf(level) : 2)))];
}
