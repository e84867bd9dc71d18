import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { viewOf } from "../board/view.js";
import { english as t, game as gameOf, kalah, textsOf } from "../model/fixture.test.js";
import { answers } from "./answers.js";
import { emptyPit, refusal } from "./refusals.js";
import { speaker } from "./words.js";

const canonical = {
  kalah,
  maruba: "rows=2 pits=8 lift=two-first relay=same capture=cross cross_own=false",
  oware: "skip_origin=true capture=count counts=2,3",
};

/** A game as seat `as` sees it, after a ply. */
const game = (as, snap) => gameOf({ moves: ["c"], ...snap }, { as });
const said = (as, snap, ply, stores = [0, 0]) =>
  speaker(t, game(as, { ...snap, last: ply })).moveSentence(ply, { pits: [], stores });

test("pits are worded as in UX.md §6", () => {
  const words = speaker(t, game(0, {}));
  assert.equal(words.pit(2, 5, true, true), "Your pit 3, 5 seeds.");
  assert.equal(words.pit(0, 0, false, true), "Your pit 1, empty, not playable.");
  assert.equal(words.pit(11, 14, false, true), "Ben's pit 6, 14 seeds.");
  assert.equal(words.pit(11, 1, false, true), "Ben's pit 6, 1 seed.");
  assert.equal(words.board(), "Kalah board, you are South at the bottom");
});

test("the player's own move into the store is told", () => {
  const ply = { seat: 0, move: "c", trace: [["lift", 2, 4], ["sow", "3-5", "s0"]] };
  assert.equal(said(0, { turn: 0, stores: [1, 0] }, ply), "You played 3. Last seed in your store. Play again.");
  assert.equal(said(1, { turn: 0, stores: [1, 0] }, ply), "Ada played 3. Last seed in their store. Ada plays again.");
});

test("the last move is told of the position that is shown", () => {
  const ply = { seat: 0, move: "a", trace: [["lift", 0, 4], ["sow", "1-4"]] };
  const ada = game(0, { turn: 1, last: ply });
  const say = answers(ada, speaker(t, ada));
  assert.equal(say.lastMove(ply), "You played 1, sowed 4.");
  assert.equal(say.lastMove(null), "Nobody has made a move yet.");
});

test("lists have the comma of the language", () => {
  const ply = { seat: 1, move: "b", trace: [["lift", 7, 6], ["sow", "8-11", "s1", 0], ["take", 4, 4, "s1"]] };
  const ben = game(0, { turn: 0, last: ply });
  const words = speaker(textsOf("ar"), ben);
  const board = answers(ben, words).boardText({ pits: Array(12).fill(4), stores: [0, 0] });
  for (const text of [words.moveSentence(ply, { pits: [], stores: [0, 4] }), words.pit(0, 0, false, true), board]) {
    assert.ok(text.includes("، "), text);
    assert.ok(!text.includes(","), text);
  }
});

test("verbs agree with the player who moved", () => {
  const trace = [["lift", 7, 6], ["sow", "8-11", "s1", 0], ["take", 4, 4, "s1"]];
  const told = (lang, as) => speaker(textsOf(lang), game(as, {})).moveText({ seat: 1, move: "b", trace }, false);
  assert.equal(told("es", 1), "Jugaste 2, sembraste 6, capturaste 4 en el hoyo 5 de Ada.");
  assert.equal(told("es", 0), "Ben jugó 2, sembró 6, capturó 4 en tu hoyo 5.");
  assert.equal(told("sw", 1), "Umecheza 2, umepanda kete 6, umekula kete 4 kutoka shimo la 5 la Ada.");
  assert.equal(told("sw", 0), "Ben amecheza 2, amepanda kete 6, amekula kete 4 kutoka shimo lako la 5.");
  assert.equal(told("pt", 0), "Ben jogou 2, semeou 6, capturou 4 na sua casa 5.");
});

test("the opponent's capture is told", () => {
  const ply = { seat: 1, move: "b", trace: [["lift", 7, 6], ["sow", "8-11", "s1", 0], ["take", 4, 4, "s1"]] };
  assert.equal(
    said(0, { turn: 0, stores: [13, 14] }, ply, [13, 9]),
    "Ben played 2, sowed 6, took 4 from your pit 5. Score 13 to 14. Your turn.",
  );
});

test("a relay in two rows removes what it captures", () => {
  const laps = [
    ["lift", 22, 5],
    ["sow", "23-27"],
    ["lift", 27, 6],
    ["sow", "28-31", 16, 17],
    ["lift", 17, 6],
    ["sow", "18-23"],
    ["lift", 23, 6],
    ["sow", "24-27", 28, 27],
    ["take", 8, 4, "s1"],
    ["take", 7, 2, "s1"],
  ];
  const ply = { seat: 1, move: "g", trace: laps };
  assert.equal(
    said(0, { turn: 0, shape: [2, 1, 16], canonical: canonical.maruba, stores: [0, 6], pits: Array(32).fill(2) }, ply),
    "Ben played 7: 4 laps, 23 seeds, ended in their empty pit 12, took 6 and removed them. Score 0 to 6. Your turn.",
  );
});

test("captures from both sides in one ply are told together", () => {
  const ply = {
    seat: 0,
    move: "d",
    trace: [["lift", 3, 2], ["sow", 4, 5], ["take", 5, 2, "s0"], ["take", 6, 7, "s0"], ["take", 4, 4, "s0"]],
  };
  assert.equal(
    said(0, { turn: 1, stores: [13, 0] }, ply),
    "You played 4, sowed 2, took 11 from Ben's pit 1 and your pit 5. Score 13 to 0. Ben's turn.",
  );
});

test("moves without sowing are told", () => {
  const kept = { turn: 0, last: { seat: 1, move: "keep", trace: [] } };
  assert.equal(speaker(t, game(0, kept)).lastMoveText(), "Ben kept their side");
  assert.equal(said(0, { turn: 0 }, { seat: 1, move: "-", trace: [] }), "Ben had no move and passed. Your turn.");
  assert.equal(
    said(0, { turn: 1 }, { seat: 0, move: "+d", trace: [["give", 3, 6]] }),
    "You gave a seed from pit 4 into Ben's pit 1. Ben's turn.",
  );
  assert.equal(
    said(0, { turn: 1, phase: "swap", state: "setup" }, { seat: 0, move: "=…", trace: [["lay", 3, 1]] }),
    "You laid out 4 seeds. Ben chooses a side.",
  );
});

test("the end is told from the player's side", () => {
  const last = { seat: 0, move: "f", trace: [["lift", 5, 1], ["sow", "s0"], ["sweep", 8, 6, "s1"]] };
  const over = {
    state: "over",
    phase: "over",
    stores: [28, 20],
    last,
    result: { reason: "side-empty", scores: [28, 20], winners: [0], ply: 31 },
  };
  assert.equal(speaker(t, game(0, over)).ending(), "You won, 28 to 20. You had no seeds left.");
  assert.equal(speaker(t, game(0, over)).reason(), "You had no seeds left, so Ben kept the last 6.");
  assert.equal(speaker(t, game(1, over)).ending(), "Ada won, 28 to 20. Ada had no seeds left.");
  assert.equal(speaker(t, game(1, over)).reason(), "Ada had no seeds left, so you kept your last 6.");
  assert.equal(
    speaker(t, game(-1, { ...over, result: { reason: "time", scores: [10, 20], winners: [1], ply: 9 } })).ending(),
    "Ben won, 20 to 10. Ada ran out of time.",
  );
});

test("refusals name the opponent and pit numbers", () => {
  const words = { name: "Ben", number: (m) => String(m.charCodeAt(0) - 96) };
  assert.equal(
    refusal(t, { code: "must-feed", detail: { pit: 1, legal: ["d", "f"] } }, words),
    "Ben has no seeds. Play 4 or 6, so that Ben gets some.",
  );
  assert.equal(refusal(t, { code: "empty-pit", detail: { pit: 2 } }, words), "Pit 2 is empty.");
  assert.equal(refusal(t, { code: "brand-new", msg: "The server knows." }, words), "The server knows.");
});

test("the catalog has every text that these modules use", () => {
  const catalog = JSON.parse(readFileSync(new URL("../../messages/en.json", import.meta.url), "utf8"));
  const modules = [
    "game/gamepage.js",
    "speech/words.js",
    "table/table.js",
    "game/actionbar.js",
    "game/layout.js",
    "review/review.js",
  ];
  const pages = ["../pages/page/layout.html", "../pages/page/home.html", "../pages/page/game.html"];
  for (const name of [...modules, ...pages]) {
    const text = readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
    for (const [, key] of text.matchAll(/\bt\(?\s*"([a-z.-]+)"/g)) assert.ok(key in catalog, `${name}: ${key}`);
  }
});

test("texts for partners are in the plural", () => {
  const team = (/** @type {number} */ as, /** @type {any} */ snap) =>
    speaker(t, {
      ...game(as, { shape: [2, 2, 6], seats: ["a", "b", "c", "d"], ...snap }),
      names: { a: "Ada", b: "Ben", c: "Cleo", d: "Dan" },
    });
  const stored = { seat: 1, move: "c", trace: [["lift", 8, 4], ["sow", "9-11", "s1"]] };
  assert.equal(team(0, { turn: 1 }).moveText(stored, true), "Ben played 3. Last seed in their store.");
  assert.equal(team(3, { turn: 1 }).moveText(stored, true), "Ben played 3. Last seed in your store.");
  const swept = { seat: 0, move: "f", trace: [["lift", 5, 1], ["sow", "s0"], ["sweep", 8, 5, "s1"]] };
  const over = { state: "over", last: swept, result: { reason: "side-empty", scores: [20, 28], winners: [1] } };
  assert.equal(team(0, over).reason(), "You had no seeds left, so Ben and Dan kept their last 5.");
  assert.equal(team(-1, over).reason(), "Ada and Cleo had no seeds left, so Ben and Dan kept their last 5.");
  const took = {
    seat: 1,
    move: "a",
    trace: [["lift", 6, 2], ["sow", 7, 8], ["take", 8, 1, "s1"], ["take", 3, 4, "s1"]],
  };
  assert.equal(team(0, { turn: 0 }).moveText(took, false), "Ben played 1, sowed 2, took 4 from your pit 4.");
});

test("an offer that this page does not know is told in plain words", () => {
  const words = speaker(t, game(0, {}));
  assert.equal(words.offerText({ what: "draw", seat: 1 }), "Ben offers a draw.");
  assert.equal(
    words.offerText({ what: "adjourn", seat: 1 }),
    "Ben makes an offer that this page does not know. Reload the page to answer it.",
  );
  assert.equal(words.offerText({ what: "adjourn", seat: 0 }), "You made an offer.");
});

test("a game that was played to its end is said to have been close or not", () => {
  const close = (scores, reason = "side-empty") =>
    speaker(t, game(0, { state: "over", result: { winners: [0], scores, reason } })).closeness();
  assert.equal(close([25, 23]), "So close: only 2 seeds apart.");
  assert.equal(close([24, 24]), "Level to the last seed.");
  assert.equal(close([10, 38]), "28 seeds apart.");
  assert.equal(close([3, 5, 20, 19]), "So close: only 1 seed apart.");
  assert.equal(close([25, 23], "resign"), "");
});

test("a claim and seeds that fall into claimed pits are told", () => {
  const toguz = { shape: [2, 1, 9], canonical: "pits=9 claim=3", pits: Array(18).fill(3), turn: 0 };
  const words = speaker(t, game(0, { ...toguz, marks: { 1: "x", 9: "x" } }));
  assert.equal(words.pit(1, 0, false, true), "Your pit 2, claimed by Ben, not playable.");
  assert.equal(words.pit(9, 0, false, true), "Ben's pit 1, claimed by you.");
  const before = { pits: Array(18).fill(9), stores: [0, 0] }; // no pit was claimed
  const past = viewOf(t, game(0, { ...toguz, marks: { 1: "x" } }), words, { conn: "on", moving: before });
  assert.equal(past.pitName(1, 9, false), "Your pit 2, 9 seeds.");
  const claim = { seat: 1, move: "i", trace: [["lift", 17, 3], ["sow", 17, 0, 1], ["take", 1, 3, "s1"], ["claim", 1]] };
  assert.equal(
    said(0, { ...toguz, marks: { 1: "x" }, stores: [0, 3] }, claim),
    "Ben played 9, sowed 3, took 3 from your pit 2, claimed the pit. Score 0 to 3. Your turn.",
  );
  assert.equal(words.written(claim), "9x");
  assert.equal(words.listEntry(6, claim), "Move 6: Ben pit 9, captures 3, claims the pit");
  const trace = [["lift", 17, 4], ["sow", 17, 0, 1], ["take", 1, 1, "s1"], ["sow", 2], ["take", 2, 4, "s1"]];
  assert.equal(words.written({ seat: 1, move: "i", trace }), "9");
  assert.equal(words.listEntry(7, { seat: 1, move: "i", trace }), "Move 7: Ben pit 9, captures 5");
  assert.equal(
    said(0, { ...toguz, marks: { 1: "x" }, stores: [0, 5] }, { seat: 1, move: "i", trace }),
    "Ben played 9, sowed 4, took 4 from your pit 3, 1 for Ben from your pit 2. Score 0 to 5. Your turn.",
  );
});

const bao = {
  shape: [2, 1, 16],
  canonical: "rows=2 pits=8 direction=choice reserve=22 must_capture=true captured=head house=l block=true",
  pits: Array(32).fill(2),
  stores: [21, 22],
  turn: 1,
};

test("the page knows why an empty pit cannot be played, unless a seed in hand may be meant", () => {
  const why = (/** @type {number} */ pit, /** @type {object} */ snap) => {
    const g = game(0, snap);
    return emptyPit(t, g, speaker(t, g), pit);
  };
  const pits = [4, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4];
  assert.equal(why(0, { pits }), null);
  assert.deepEqual(why(1, { pits }), { code: "empty-pit", text: "Pit 2 is empty." });
  const text = "Ben has claimed pit 2. No seeds stay in it.";
  assert.deepEqual(why(1, { pits, marks: { 1: "x" } }), { code: "claimed-pit", text });
  const bao = { shape: [2, 1, 16], canonical: "rows=2 pits=8 reserve=22", pits: Array(32).fill(0).fill(1, 9) };
  assert.equal(why(8, { ...bao, stores: [1, 0] }), null);
  assert.deepEqual(why(8, { ...bao, stores: [0, 1] }), { code: "empty-pit", text: "Pit 9 is empty." });
});

test("seeds in hand, an entry and a house are told", () => {
  const entry = { seat: 0, move: "l>", trace: [["enter", "s0", 11], ["seize", 28, 1], ["sow", 8]] };
  assert.equal(
    said(0, bao, entry),
    "You entered a seed into 12 to the left, sowed 1, took 1 from Ben's pit 13. In hand 21 to 22. Ben's turn.",
  );
  const opening = [["enter", "s1", 27], ["lift", 27, 7], ["unhouse", 27], ["sow", "28-31"]];
  const trace = [...opening, ["lift", 31, 3], ["sow", "16-18"]];
  assert.equal(
    said(0, { ...bao, turn: 0 }, { seat: 1, move: "l>*", trace }),
    "Ben entered a seed into 12 to the left: 2 laps, 7 seeds, ended in their pit 3, " +
      "emptied the house in their pit 12. In hand 21 to 22. Your turn: enter a seed.",
  );
  const words = speaker(t, game(0, { ...bao, marks: { 11: "h", 12: "!" } }));
  assert.equal(words.pit(11, 6, true, true), "Your pit 12, 6 seeds, house.");
  assert.equal(words.pit(12, 2, false, true), "Your pit 13, 2 seeds, blocked, not playable.");
  assert.equal(words.store(0, 21), "You have 21 seeds in hand.");
  assert.equal(words.short("l>*", 0), "12<*"); // to the left, as it is said
  assert.equal(words.short("d>", 1), "4>");
  assert.equal(words.short("n<", 1), "14>");
  const pits = Array(32).fill(0);
  const over = speaker(t, game(0, { ...bao, state: "over", pits }));
  assert.equal(over.store(1, 64), "Ben's store, 64 seeds.");
  assert.equal(over.store(1, 22, bao.pits), "Ben has 22 seeds in hand.", "in the past of a game");
  const resigned = speaker(t, game(0, { ...bao, state: "over" }));
  assert.equal(resigned.store(1, 22), "Ben has 22 seeds in hand.");
  const hands = { winners: [0], scores: [22, 20], reason: "resign" };
  assert.equal(resigned.headline(hands), "You won.", "seeds in hand are no score");
});

test("a block is told", () => {
  const block = { seat: 1, move: "m<", trace: [["lift", 28, 2], ["sow", 27, 26], ["block", 12]] };
  assert.equal(
    said(0, { ...bao, stores: [0, 0], turn: 0 }, block),
    "Ben played 13 to the right, sowed 2, blocked your pit 13. Your turn.",
  );
});

test("at one screen all players have names", () => {
  const ply = { seat: 1, move: "b", trace: [["lift", 7, 6], ["sow", "8-11", "s1", 0], ["take", 4, 4, "s1"]] };
  const words = speaker(t, gameOf({ moves: ["c"], turn: 0, last: ply }, { as: 0, all: true }));
  assert.equal(words.turnText(), "Ada's turn.");
  assert.equal(words.pit(2, 5, true, true), "Ada's pit 3, 5 seeds.");
  const said = words.moveSentence(ply, { pits: [], stores: [0, 0] });
  assert.match(said, /^Ben played 2, .* took 4 from Ada's pit 5\. .*Ada's turn\.$/);
});
