// @ts-check
/**
 * Decides what a tap on a pit means now: a move, a seed of a lay-out, a plan for the next turn, or
 * a refusal with its reason. It knows the legal moves from the server. It keeps the move that is on
 * its way and the planned one.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("./layout.js").LayoutPanel} LayoutPanel
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 * @typedef {{game: Game, words: Speaker, reader: boolean, inPast: boolean}} Now
 *   reader: another tab plays; inPast: an earlier position is shown
 */

import { addSeed } from "../board/keys.js";
import { preview } from "../model/preview.js";
import { heading, letterOf, numberOf, option, ownerOf, pitOf, sideOf } from "../model/shape.js";
import { answers, bubble } from "../speech/answers.js";
import { emptyPit } from "../speech/refusals.js";
import { locked } from "./layout.js";
import { OnlyMove } from "./onlymove.js";

export class Play {
  /** @type {{pit: number, move: string, id: string} | null} the move that is on its way, and the id of its command */
  sent = null;
  /**
   * @type {{pit: number, move?: string} | null} to be played when the turn comes; move: set only
   *   where a pit has two moves
   */
  planned = null;
  /**
   * @type {import("../model/state.js").Snap | null} the snapshot whose legal moves a watcher has
   *   requested
   */
  #asked = null;

  /**
   * @param {T} t
   * @param {{now: () => Now, send: (move: string) => string, refuse: (pit: number, text: string,
   *   code: string) => void, tell: (text: string) => void, pref: (name: string) => string, busy: () => boolean,
   *   choice: (now: Now) => string, layout: LayoutPanel, ask: () => void}} wiring
   *   ask: requests the legal moves; refuse: says why a pit cannot be played, with a code of
   *   refusals.js; busy: whether a move is being shown; choice: tells what the choice of a side
   *   means
   */
  constructor(t, wiring) {
    this.t = t;
    this.wiring = wiring;
    this.onlyMove = new OnlyMove(wiring.busy);
  }

  /** Returns the moves of each pit that can be played now. @returns {Map<number, string[]>} */
  choices() {
    const { game, words, reader, inPast } = this.wiring.now();
    const { snap, as, you } = game;
    /** @type {Map<number, string[]>} */
    const map = new Map();
    if (as < 0 || reader || inPast || this.sent || snap.turn !== as) return map;
    const { draft } = this.wiring.layout;
    if (snap.phase === "setup" && draft) {
      snap.pits.forEach((_, pit) => !locked(draft, pit) && map.set(pit, [addSeed]));
      return map;
    }
    return byPit(you?.legal ?? [], words.shape, as);
  }

  /**
   * Returns the moves that a watcher can preview; undefined for players, and where there are none.
   * @returns {Map<number, string[]> | undefined}
   */
  watchable() {
    const { game, words, inPast } = this.wiring.now();
    if (inPast || !this.#watchesMoves(game)) return undefined;
    return byPit(game.seen?.legal ?? [], words.shape, game.snap.turn);
  }

  /** Requests the legal moves when a watcher looks at a pit, once for each position. */
  requestMoves() {
    const { game, inPast } = this.wiring.now();
    if (inPast || !this.#watchesMoves(game) || game.seen || this.#asked === game.snap) return;
    this.#asked = game.snap;
    this.wiring.ask();
  }

  /** @param {Game} game */
  #watchesMoves({ snap, as }) {
    return as < 0 && snap.state === "live" && snap.phase === "play" && this.#showsPreviews(snap);
  }

  /** Returns the directions of each pit that can be planned, where there are two. @returns {Map<number, string[]>} */
  plannable() {
    const { shape, mine } = this.wiring.now().words;
    /** @type {Map<number, string[]>} */
    const map = new Map();
    if (shape.sow !== "choice") return map;
    for (let pit = Math.max(0, mine) * shape.pits; pit < (mine + 1) * shape.pits; pit++) {
      const letter = letterOf(shape, pit);
      if (this.#isPlannable(pit) && this.planned?.pit !== pit) map.set(pit, [`${letter}<`, `${letter}>`]);
    }
    return map;
  }

  /**
   * @param {number} pit
   * @param {string} [move] without a move, the pit cannot be played
   * @param {string} [way] the direction that was asked for, if the rules forbid it
   */
  tap(pit, move, way) {
    if (move === addSeed) return this.wiring.layout.tap(pit);
    if (this.#isPlannable(pit)) {
      this.planned = this.planned?.pit === pit ? null : { pit, move };
      return this.wiring.tell(this.plan() || this.t("premove.none"));
    }
    if (move) return this.send(pit, move);
    this.#explainRefusal(pit, way);
  }

  /** Sends a move, unless one is on its way. @param {number} pit -1: a move without a pit @param {string} move */
  send(pit, move) {
    if (this.sent) return;
    const sent = { pit, move, id: "" };
    this.sent = sent;
    this.planned = null;
    sent.id = this.wiring.send(move);
  }

  /**
   * Drops the plan, and stops the only move from being played automatically.
   * @returns {boolean} whether there was something to stop
   */
  cancel() {
    const had = this.planned !== null || this.onlyMove.waits;
    this.planned = null;
    this.onlyMove.stop();
    if (had) this.wiring.tell(this.t("premove.none"));
    return had;
  }

  /** Returns the plan in words, for the status line. */
  plan() {
    const { words } = this.wiring.now();
    if (this.planned === null) return "";
    const pit = numberOf(words.shape, this.planned.pit);
    const way = heading(words.shape, this.planned.pit, this.planned.move ?? "");
    return this.t("premove.next", { pit: way ? this.t(`say.pit.${way}`, { pit }) : pit });
  }

  /** Returns the pit of the only legal move, or null. */
  only() {
    const choices = [...this.choices()];
    const [pit, moves] = choices[0] ?? [];
    return choices.length === 1 && moves.length === 1 && moves[0] !== addSeed ? pit : null;
  }

  /** Plays or drops the plan, and starts the timer of an only move: the turn may have come. */
  turnChanged() {
    const now = this.wiring.now();
    const { snap, as, you } = now.game;
    const live = as >= 0 && (snap.state === "live" || snap.state === "setup");
    if (!live || now.reader) this.planned = null;
    const legal = live && snap.turn === as && !this.sent && !now.reader ? (you?.legal ?? []) : [];
    const only = legal.length === 1 && snap.phase !== "swap" && this.#playsOnlyMoves(snap);
    if (!only) this.onlyMove.stop();
    if (legal.length === 0) return;
    if (this.planned !== null) return this.#playPlan(this.planned, now);
    if (!only || now.inPast) return;
    const [{ m }] = legal;
    const pit = pitOf(now.words.shape, sideOf(now.words.shape, as), m) ?? -1;
    this.onlyMove.start(`${snap.round}.${snap.ply}`, () => this.send(pit, m));
  }

  /** Reports whether an only move is played automatically. @param {{canonical: string}} rules */
  #playsOnlyMoves({ canonical }) {
    const pref = this.wiring.pref("forced");
    const noChoice = option(canonical, "start") === "rightmost" && option(canonical, "direction") !== "choice";
    return pref === "on" || (pref !== "off" && noChoice);
  }

  /** Reports whether a tap on a pit plans a move. @param {number} pit */
  #isPlannable(pit) {
    const { game, words, reader, inPast } = this.wiring.now();
    const { snap, as } = game;
    const waits =
      as >= 0 &&
      !reader &&
      !inPast &&
      snap.state === "live" &&
      snap.phase === "play" &&
      (snap.turn !== as || this.sent !== null);
    return (
      waits &&
      !snap.left?.includes(as) &&
      ownerOf(words.shape, pit) === words.mine &&
      this.wiring.pref("premove") !== "off"
    );
  }

  /**
   * Plays the plan if it is legal, else drops it.
   * @param {{pit: number, move?: string}} plan
   * @param {Now} now
   */
  #playPlan({ pit, move }, { game, words }) {
    const { t } = this;
    // not choices(), which has none while an earlier position is shown
    const legal = byPit(game.you?.legal ?? [], words.shape, game.as);
    const moves = (legal.get(pit) ?? []).filter((m) => move === undefined || m === move);
    this.planned = null;
    if (moves.length === 1) return this.send(pit, moves[0]);
    const values = { pit: numberOf(words.shape, pit) };
    const why = moves.length > 1 ? "premove.way" : game.snap.pits[pit] === 0 ? "premove.empty" : "premove.not";
    this.wiring.tell(t("premove.dropped", { why: t(why, values) }));
  }

  /**
   * Says why a pit cannot be played. The obvious reasons are known here; the server is asked for
   * the others.
   * @param {number} pit
   * @param {string} [way] for which the reason is asked
   */
  #explainRefusal(pit, way = "") {
    const { t } = this;
    const now = this.wiring.now();
    const { snap, as } = now.game;
    const { shape } = now.words;
    const owner = ownerOf(shape, pit);
    const learn = (/** @type {string} */ text, code = "") => this.wiring.refuse(pit, text, code);
    if (snap.state === "waiting") return learn(t("waiting.wait"));
    if (snap.state === "over") return learn(t("turn.over"));
    if (as < 0 || now.reader) return learn(t("watching"));
    if (snap.turn !== as)
      return learn(t("refusal.not-your-turn", { name: now.words.name(snap.turn) }), "not-your-turn");
    if (this.sent) return this.wiring.tell(t("sending")); // the next legal moves are not known yet
    if (snap.phase === "swap") return learn(this.wiring.choice(now));
    if (snap.phase === "setup") return learn(t("layout.corner"), "corner");
    if (owner !== sideOf(shape, as))
      return learn(t("refusal.foreign-pit", { name: now.words.sideName(owner) }), "foreign-pit");
    const empty = emptyPit(t, now.game, now.words, pit);
    if (empty) return learn(empty.text, empty.code);
    this.send(pit, letterOf(shape, pit) + way); // the server answers with the reason
  }

  /**
   * Returns the preview of a legal move; null if the game or the viewer wants no previews.
   * @param {number} pit
   * @param {string} move
   */
  previewOf(pit, move) {
    const { game, words } = this.wiring.now();
    const legal = (game.as < 0 ? game.seen?.legal : game.you?.legal)?.find(({ m }) => m === move);
    if (!legal || !this.#showsPreviews(game.snap)) return null;
    const p = preview(legal, game.snap);
    return {
      lands: p.lands,
      last: p.last,
      text: bubble(this.t, p),
      said: answers(game, words).previewText(pit, p),
    };
  }

  /** Reports whether the game and the viewer want previews. @param {import("../model/state.js").Snap} snap */
  #showsPreviews(snap) {
    return snap.assists !== false && this.wiring.pref("preview") !== "off";
  }

  /** Says what a pit would do: its moves, or why there are none. @param {number} pit */
  explain(pit) {
    const { game, inPast } = this.wiring.now();
    const moves = (this.watchable() ?? this.choices()).get(pit) ?? [];
    if (moves.includes(addSeed)) return this.wiring.layout.status;
    if (moves.length > 0)
      return (
        moves
          .map((move) => this.previewOf(pit, move)?.said ?? "")
          .join(" ")
          .trim() || this.t("preview.off")
      );
    // The server is asked only when it has said which moves are legal, and about the present position: a
    // question must never play a move.
    if (!inPast && (game.snap.turn !== game.as || game.you?.legal)) this.#explainRefusal(pit);
    return "";
  }
}

/**
 * Groups moves by pit.
 * @param {import("../model/state.js").Legal[]} legal
 * @param {import("../model/shape.js").Shape} shape
 * @param {number} seat of the player who moves
 */
function byPit(legal, shape, seat) {
  /** @type {Map<number, string[]>} */
  const map = new Map();
  for (const { m } of legal) {
    const pit = pitOf(shape, sideOf(shape, seat), m);
    if (pit !== null) map.set(pit, [...(map.get(pit) ?? []), m]);
  }
  return map;
}
