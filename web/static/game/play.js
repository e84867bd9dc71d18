// @ts-check
/**
 * What a tap on a pit means now: a move, a seed of a lay-out, a plan for the next
 * turn, or a lesson. It knows the moves that the server allows and why others are
 * not; what is on its way or planned is kept here.
 *
 * @typedef {import("../lib/text.js").T} T
 * @typedef {import("../model/state.js").Game} Game
 * @typedef {import("./layout.js").LayoutPanel} LayoutPanel
 * @typedef {ReturnType<typeof import("../speech/words.js").speaker>} Speaker
 * @typedef {{game: Game, words: Speaker, reader: boolean, inPast: boolean}} Now
 *   reader: another tab plays; away: an earlier position is looked at
 */

import { addSeed } from "../board/input.js";
import { preview } from "../model/preview.js";
import { letterOf, numberOf, ownerOf, pitOf, sideOf } from "../model/shape.js";
import { answers, bubble } from "../speech/answers.js";
import { locked } from "./layout.js";

const onlyMoveDelay = 1_000; // ms after which an only move plays itself

export class Play {
  /** @type {{pit: number, move: string} | null} a move on its way */
  sent = null;
  /** @type {{pit: number, move?: string} | null} what is to be played when the turn comes; a move only where a pit has two */
  planned = null;
  #onlyMoveTimer = 0; // timer
  #onlyMoveAt = ""; // the position whose only move plays itself, or was told not to
  /** @type {import("../model/state.js").Snap | null} for which who watches has asked what moves there are */
  #asked = null;

  /**
   * @param {T} t
   * @param {{now: () => Now, send: (move: string) => void, refuse: (pit: number, text: string, code: string) => void,
   *   tell: (text: string) => void, pref: (name: string) => string, busy: () => boolean, choice: (now: Now) => string, layout: LayoutPanel,
   *   ask: () => void}} wiring
   *   ask: what moves are possible; lesson: why a pit cannot be played, by a code of refusals.js; busy: a move is being shown; choice: what the choice of a side means
   */
  constructor(t, wiring) {
    this.t = t;
    this.wiring = wiring;
  }

  /** The moves of each pit that may be played now. @returns {Map<number, string[]>} */
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

  /** The moves that who watches can look at; undefined if he cannot, or plays himself. @returns {Map<number, string[]> | undefined} */
  watchable() {
    const { game, words, inPast } = this.wiring.now();
    if (inPast || !this.#watchesMoves(game)) return undefined;
    return byPit(game.seen?.legal ?? [], words.shape, game.snap.turn);
  }

  /** Somebody looks at a pit: who watches has to ask for the moves, once for each position. */
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

  /** The ways of each pit that can be planned, where there are two. @returns {Map<number, string[]>} */
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

  /** @param {number} pit @param {string} [move] without one, it may not be played */
  tap(pit, move) {
    if (move === addSeed) return this.wiring.layout.tap(pit);
    if (this.#isPlannable(pit)) {
      this.planned = this.planned?.pit === pit ? null : { pit, move };
      return this.wiring.tell(this.plan() || this.t("premove.none"));
    }
    if (move) return this.send(pit, move);
    this.#explainRefusal(pit);
  }

  /** @param {number} pit -1: a move without one @param {string} move */
  send(pit, move) {
    this.sent = { pit, move };
    this.planned = null;
    this.wiring.send(move);
  }

  /** Think again: nothing is planned, and no move plays itself. @returns {boolean} whether there was something to give up */
  cancel() {
    const had = this.planned !== null || this.#onlyMoveTimer !== 0;
    this.planned = null;
    this.#stopOnlyMove();
    if (had) this.wiring.tell(this.t("premove.none"));
    return had;
  }

  /** The plan in words, for the status line. */
  plan() {
    const { words } = this.wiring.now();
    if (this.planned === null) return "";
    const pit = numberOf(words.shape, this.planned.pit);
    const way = { "<": "left", ">": "right" }[this.planned.move?.slice(-1) ?? ""];
    return this.t("premove.next", { pit: way ? this.t(`say.pit.${way}`, { pit }) : pit });
  }

  /** The only move that there is, if it is one with a pit. */
  only() {
    const choices = [...this.choices()];
    const [pit, moves] = choices[0] ?? [];
    return choices.length === 1 && moves.length === 1 && moves[0] !== addSeed ? pit : null;
  }

  /** The turn may have come: what was planned is played or dropped, an only move plays itself after a while. */
  turnChanged() {
    const now = this.wiring.now();
    const { snap, as, you } = now.game;
    const live = as >= 0 && (snap.state === "live" || snap.state === "setup");
    if (!live || now.reader) this.planned = null;
    const legal = live && snap.turn === as && !this.sent && !now.reader ? (you?.legal ?? []) : [];
    const position = `${snap.round}.${snap.ply}`;
    if (legal.length !== 1 || !this.#playsOnlyMoves(snap.rules) || snap.phase === "swap") this.#stopOnlyMove();
    if (legal.length === 0) return;
    if (this.planned !== null) return this.#playPlan(this.planned, now);
    if (legal.length !== 1 || snap.phase === "swap" || now.inPast || !this.#playsOnlyMoves(snap.rules) || this.#onlyMoveAt === position) return;
    this.#onlyMoveAt = position;
    const [{ m }] = legal;
    const pit = pitOf(now.words.shape, sideOf(now.words.shape, as), m) ?? -1;
    const go = () => {
      this.#onlyMoveTimer = 0;
      if (this.wiring.busy()) this.#onlyMoveTimer = window.setTimeout(go, onlyMoveDelay); // let people see what the other did
      else if (!this.sent) this.send(pit, m);
    };
    this.#onlyMoveTimer = window.setTimeout(go, onlyMoveDelay);
  }

  #stopOnlyMove() {
    clearTimeout(this.#onlyMoveTimer);
    this.#onlyMoveTimer = 0;
  }

  /** Whether only moves play themselves. @param {string} rules */
  #playsOnlyMoves(rules) {
    const pref = this.wiring.pref("forced");
    return pref === "on" || (pref !== "off" && rules === "ignorant");
  }

  /** Whether a tap on a pit is for later. @param {number} pit */
  #isPlannable(pit) {
    const { game, words, reader, inPast } = this.wiring.now();
    const { snap, as } = game;
    const waits = as >= 0 && !reader && !inPast && snap.state === "live" && snap.phase === "play" && (snap.turn !== as || this.sent !== null);
    return waits && !snap.left?.includes(as) && ownerOf(words.shape, pit) === words.mine && this.wiring.pref("premove") !== "off";
  }

  /** What was planned meets what may be played. @param {{pit: number, move?: string}} plan @param {Now} now */
  #playPlan({ pit, move }, { game, words }) {
    const { t } = this;
    const moves = (this.choices().get(pit) ?? []).filter((m) => move === undefined || m === move);
    this.planned = null;
    if (moves.length === 1) return this.send(pit, moves[0]);
    const values = { pit: numberOf(words.shape, pit) };
    const why = moves.length > 1 ? "premove.way" : game.snap.pits[pit] === 0 ? "premove.empty" : "premove.not";
    this.wiring.tell(t("premove.dropped", { why: t(why, values) }));
  }

  /** Why a pit cannot be played: what is plain to see is said here, the rules are asked. @param {number} pit */
  #explainRefusal(pit) {
    const { t } = this;
    const now = this.wiring.now();
    const { snap, as } = now.game;
    const { shape } = now.words;
    const owner = ownerOf(shape, pit);
    const learn = (/** @type {string} */ text, code = "") => this.wiring.refuse(pit, text, code);
    if (snap.state === "waiting") return learn(t("waiting.wait"));
    if (snap.state === "over") return learn(t("turn.over"));
    if (as < 0 || now.reader) return learn(t("watching"));
    if (snap.turn !== as) return learn(t("refusal.not-your-turn", { name: now.words.name(snap.turn) }), "not-your-turn");
    if (this.sent) return this.wiring.tell(t("sending")); // what may be played next is not known yet
    if (snap.phase === "swap") return learn(this.wiring.choice(now));
    if (snap.phase === "setup") return learn(t("layout.corner"), "corner");
    if (owner !== now.words.mine) return learn(t("refusal.foreign-pit", { name: now.words.sideName(owner) }), "foreign-pit");
    if (snap.pits[pit] === 0) return learn(t("error.empty-pit", { pit: numberOf(shape, pit) }), "empty-pit");
    this.send(pit, letterOf(shape, pit)); // the server answers with the reason
  }

  /** A legal move before it is made; null if the game or the person wants no help. @param {number} pit @param {string} move */
  previewOf(pit, move) {
    const { game, words } = this.wiring.now();
    const legal = (game.as < 0 ? game.seen?.legal : game.you?.legal)?.find(({ m }) => m === move);
    if (!legal || !this.#showsPreviews(game.snap)) return null;
    const p = preview(legal, game.snap);
    return { lands: p.lands, last: p.last, text: bubble(this.t, p), said: answers(this.t, game, words).foreseen(pit, p) };
  }

  /** Whether the game and the person want moves to be shown beforehand. @param {import("../model/state.js").Snap} snap */
  #showsPreviews(snap) {
    return snap.assists !== false && this.wiring.pref("preview") !== "off";
  }

  /** What a pit would do, in words: its moves, or why there are none. @param {number} pit */
  explain(pit) {
    const { game } = this.wiring.now();
    const moves = (this.watchable() ?? this.choices()).get(pit) ?? [];
    if (moves.includes(addSeed)) return this.wiring.layout.status;
    if (moves.length > 0) return moves.map((move) => this.previewOf(pit, move)?.said ?? "").join(" ").trim() || this.t("preview.off");
    // Only what the server has told not to be legal may be put to it: nothing must be played by asking.
    if (game.snap.turn !== game.as || game.you?.legal) this.#explainRefusal(pit);
    return "";
  }
}

/**
 * The moves of each pit.
 * @param {import("../model/state.js").Legal[]} legal
 * @param {import("../model/shape.js").Shape} shape
 * @param {number} seat whose moves they are
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
