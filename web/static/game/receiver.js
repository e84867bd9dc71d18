// @ts-check
/**
 * Receives the messages of the socket. It folds entries and snapshots into the game, and passes
 * notes, chat lines and refusals on.
 *
 * @typedef {import("../model/state.js").Frame} Frame
 * @typedef {import("./gamepage.js").Parts} Parts
 */

import { namesIn } from "../lib/text.js";
import { fold } from "../model/state.js";
import { keep } from "../offline/offline.js";
import { play as sound } from "../sound/sound.js";
import { refusal } from "../speech/refusals.js";
import { takenBack } from "../speech/voice.js";
import { speaker } from "../speech/words.js";
import { beginning } from "./renderer.js";

export class Receiver {
  #opened; // the time at which the server made the page
  #ended; // the time at which the page learned of the end of the game, by the server's clock
  #waits = { id: "", text: "" }; // the last command that is repeated, and what was said about it

  /** @param {Parts} parts @param {import("./renderer.js").Renderer} renderer */
  constructor(parts, renderer) {
    this.parts = parts;
    this.renderer = renderer;
    this.#opened = this.#ended = Date.now() + parts.page.game.ahead;
  }

  /** @param {Frame} frame */
  receive(frame) {
    const { page } = this.parts;
    if (frame.room !== undefined && frame.room !== page.game.room) return;
    if (frame.id && frame.id === this.#waits.id && !frame.repeats) this.#comesThrough();
    if (frame.t === "note") return this.#onNote(frame);
    if (frame.t === "chat") return this.#onChat(/** @type {any} */ (frame));
    if (frame.t === "erased") return this.parts.chat.erase(frame.stream, frame.n);
    if (frame.t === "err") return frame.repeats ? this.#onRepeat(frame) : this.#onRefusal(frame);
    if (frame.t === "gone") return this.#onGone(frame);
    if (frame.t === "names") frame.names = namesIn(this.parts.t, frame);
    if (frame.t === "sync") this.parts.table.forgetAway();
    this.#onGameFrame(frame);
  }

  /** Shows how the game has gone on. @param {Frame} frame */
  #onGameFrame(frame) {
    const { t, page, link, play, animation, review, voice, connection } = this.parts;
    const old = page.game;
    const { game, resync, news, before } = fold(old, frame, Date.now());
    if (resync) return link.subscribe({ fresh: true });
    page.game = game;
    if (game.snap.phase !== "setup" || game.snap.ply !== old.snap.ply) page.filling = null;
    if (frame.t === "snap") page.fresh = false;
    if (news === "none") return;
    const move = news === "move" ? before : undefined;
    const changed = old.snap.state !== game.snap.state;
    const ended = changed && game.snap.state === "over";
    // an earlier refusal is old news beside an offer, in the next state of the game, and with the next setting
    if (changed || game.snap.state === "waiting" || game.snap.offers.length > old.snap.offers.length) page.tell("");
    if (move || old.snap.ply !== game.snap.ply) {
      play.sent = null;
      page.tell(takenBack(old.snap, game.snap) ? t("say.taken-back", { turn: speaker(t, game).turnText() }) : "");
    }
    animation.follow(old, game, move, { inPast: review.inPast, late: connection.lost });
    if (!connection.lost) voice.follow(old, game, move);
    else connection.addMissed(game.snap.ply > old.snap.ply ? game.snap.last : undefined, ended);
    if (ended) this.#ended = Date.now() + game.ahead;
    if (ended && game.as >= 0) keep(`/${game.room}`, `/api/v1/games/${game.room}/replay`);
    // from now on all viewers may read the whole chat: the lines of the others come
    if (ended) setTimeout(() => link.subscribe(), 500 + 1500 * Math.random());
    if (game.snap.rematch && !old.snap.rematch && frame.t === "ev" && game.as >= 0)
      location.assign(`/${game.snap.rematch}`);
    const known = review.follow(game); // the list of moves must hold the move before it is drawn
    // A move that is shown covers its own pits: the rest of the page can wait.
    if (animation.shown) this.renderer.inPieces(beginning);
    else this.renderer.draw();
    play.turnChanged();
    void known.then(() => this.renderer.inPieces(beginning));
  }

  /** @param {Frame} frame */
  #onNote(frame) {
    const { t, page, table, chat } = this.parts;
    const seat = frame.seat ?? -1;
    if (frame.kind === "superseded") page.reader = true;
    else if (frame.kind === "presence" && page.game.all) return; // they are where this page is
    else if (frame.kind === "presence") table.presence(seat, frame.over === true || frame.here === true);
    else if (frame.kind === "watching") chat.watchers(frame.count ?? 0, frame.who);
    else if (frame.kind === "filling" && seat !== page.game.as) {
      const { snap } = page.game;
      // A server of the release before passes no pits on.
      if (snap.phase === "setup" && frame.pits?.length === snap.pits.length) page.filling = frame.pits;
      page.message = t("layout.filling", { name: speaker(t, page.game).name(seat), n: frame.n, of: frame.of });
    } else if (frame.kind === "unavailable") page.game.outage = !frame.over;
    else if (frame.kind === "quarantined") page.message = t("error.quarantined");
    this.renderer.soon();
  }

  /** Says once that a command could not be carried out yet. It is still on its way. @param {Frame} frame */
  #onRepeat(frame) {
    const { t, page, voice } = this.parts;
    const text = t("repeating");
    this.#waits = { id: frame.id ?? "", text };
    if (page.message === text) return;
    page.tell(text);
    voice.say(text);
    this.renderer.soon();
  }

  /** Takes back what was said about a repeated command: it is answered. */
  #comesThrough() {
    const { page } = this.parts;
    if (page.message === this.#waits.text) page.tell("");
    this.#waits = { id: "", text: "" };
    this.renderer.soon();
  }

  /** @param {Frame} frame */
  #onRefusal(frame) {
    const { t, page, play, animation, link } = this.parts;
    const { game } = page;
    if (frame.id === "ask" || frame.id === "note") return; // neither a preview nor a note is worth a message
    const words = speaker(t, game);
    const other = words.seats === 2 && game.as >= 0 ? words.name(1 - game.as) : t("opponent");
    const number = (/** @type {string} */ move) => words.short(move, Math.max(0, game.as));
    if (frame.code === "superseded") page.reader = true;
    this.parts.chat.refused(frame.id);
    if (frame.code === "chat-presets") this.parts.chat.tighten();
    if (frame.code === "no-room") return this.#onGone(frame);
    let pit = -1;
    const move = !frame.id || frame.id === play.sent?.id;
    if (move) {
      pit = play.sent?.pit ?? -1;
      play.sent = null;
      animation.end();
    } // otherwise a chat line or an offer was refused, and the move goes on
    const stale = frame.code === "stale";
    if (stale) link.subscribe({ fresh: true });
    if (frame.code === "superseded") this.renderer.draw();
    else this.renderer.refuse(pit, refusal(t, /** @type {any} */ (frame), { name: other, number }), frame.code);
    if (move && !stale) play.turnChanged(); // a tap that came meanwhile has become a plan
  }

  /** Handles a room that has moved to another instance, or no longer exists. @param {Frame} frame */
  #onGone(frame) {
    const { t, link, connection } = this.parts;
    if (frame.code === "no-room") {
      link.end();
      connection.end(t("error.no-room"));
      return this.renderer.draw();
    }
    setTimeout(() => link.subscribe(), Math.random() * 200); // the next copy of the room is ready
  }

  /**
   * Announces a line of the chat politely, unless it is older than the page. The others' lines come with the end of
   * the game, and only what they write after it is news.
   * @param {import("./chat.js").Line} line
   */
  #onChat(line) {
    const { page, voice, chat } = this.parts;
    const { me, as } = page.game;
    const ours = (line.seat ?? -1) >= 0 === as >= 0; // the players', or the watchers'
    const fresh = chat.add(line, me, line.at < (ours ? this.#opened : this.#ended));
    if (!fresh) return;
    voice.say(fresh);
    if (line.by !== me) sound("chat");
  }
}
