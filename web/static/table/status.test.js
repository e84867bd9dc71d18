import assert from "node:assert/strict";
import { test } from "node:test";
import { english as t, game as gameOf } from "../model/fixture.test.js";
import { speaker } from "../speech/words.js";
import { statusOf } from "./status.js";

const quiet = {
  connection: "",
  message: "",
  reader: false,
  past: null,
  ending: false,
  moving: false,
  sent: false,
  draft: "",
  hint: "",
  only: null,
  away: [],
  plan: "",
};

/** The line that seat `as` reads. */
function line(as, snap = {}, now = {}, you = null) {
  const game = gameOf(snap, { as, you });
  return statusOf(t, game, speaker(t, game), { ...quiet, ...now });
}

test("the line says whose turn it is, and the last move", () => {
  const last = { seat: 1, move: "b", trace: [["lift", 7, 1], ["sow", 8]] };
  assert.equal(line(0), "Your turn.");
  assert.equal(line(1), "Ada's turn.");
  assert.equal(line(0, { last }), "Your turn. Last: Ben 2.");
});

test("a hint for the first game does not hide that only one pit can be played", () => {
  assert.equal(line(0, {}, { hint: "pits" }), "Your pits glow. Tap one.");
  const hand = "Tap a pit that glows: one seed from your hand goes there.";
  const canonical = "rows=2 pits=8 reserve=22";
  assert.equal(line(0, { canonical, stores: [22, 22] }, { hint: "pits" }), hand);
  assert.equal(line(0, { canonical, stores: [0, 1] }, { hint: "pits" }), "Your pits glow. Tap one.");
  assert.equal(line(0, {}, { hint: "pits", only: 5 }), "Your turn. Only pit 6 can be played.");
  assert.equal(line(0, {}, { hint: "again", only: 5 }), "Your turn. Only pit 6 can be played.");
});

test("an absent player takes the place of the last move and of hints, and their name comes once", () => {
  const last = { seat: 1, move: "b", trace: [["lift", 7, 1], ["sow", 8]] };
  const away = t("away", { name: "Ben" });
  assert.equal(line(0, { last }, { away: [1] }), `${away} Your turn.`);
  assert.equal(line(0, {}, { away: [1], hint: "again", only: 5 }), `${away} Your turn.`);
  assert.equal(line(0, { turn: 1, last }, { away: [1], hint: "way" }), "Ben's turn. They are reconnecting.");
  assert.equal(line(0, { turn: 1 }, { away: [1], plan: "Planned: pit 2." }), `${away} Planned: pit 2.`);
});

test("of several absent players the line names the one on move", () => {
  assert.equal(line(2, { turn: 1 }, { away: [0, 1] }), "Ben's turn. They are reconnecting.");
  assert.equal(line(1, { turn: 1 }, { away: [0, 2] }), `${t("away", { name: "Ada" })} Your turn.`);
});

test("a player who plans a move hears of the player on move alone", () => {
  const plan = "Planned: pit 2.";
  assert.equal(line(0, { turn: 1 }, { away: [2], plan }), "Ben's turn. Planned: pit 2.");
});

test("a watcher hears whose turn it is beside an absent player with a long name", () => {
  const names = { a: "Lively Hummingbird", b: "Wandering Nightingale" };
  const game = gameOf({}, { as: -1, names });
  const said = statusOf(t, game, speaker(t, game), { ...quiet, away: [1] });
  assert.equal(said, `${t("watching")} ${t("away", { name: names.b })} ${names.a}'s turn.`);
});

test("while an absent player lays out the board, the line says so", () => {
  assert.equal(line(0, { turn: 1, phase: "setup" }, { away: [1] }), "Ben is reconnecting. Ben fills the board.");
});

test("what must be done now comes before who is absent", () => {
  const you = { legal: [{ m: "+f", trace: [] }] };
  const pits = [0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0];
  assert.equal(line(0, { pits }, { only: 5, away: [1] }, you), "Your turn. Ben has no seeds. Give one seed, from 6.");
});

test("a gift is asked for in words: a marked pit would not explain it", () => {
  const you = { legal: [{ m: "+f", trace: [] }] };
  const pits = [0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0];
  assert.equal(line(0, { pits }, { only: 5 }, you), "Your turn. Ben has no seeds. Give one seed, from 6.");
  assert.equal(line(0, { pits, turn: 1 }, {}, you), "Ben's turn.");
});

test("a hint for the first game hides neither whose turn it is nor the last move", () => {
  const last = { seat: 0, move: "b", trace: [["lift", 1, 1], ["sow", 2]] };
  assert.equal(line(0, { turn: 1, last }, { hint: "way" }), "Ben's turn. Last: You 2. Seeds go this way round.");
  assert.equal(line(0, { last }, { hint: "way" }), "Again! Pick another pit. Last: You 2. Seeds go this way round.");
  assert.equal(line(0, {}, { hint: "again" }), "Your turn. End in your store, and you play again.");
});

test("what does not fit into two lines of a phone beside long names is left out", () => {
  const last = { seat: 1, move: "b", trace: [["lift", 7, 1], ["sow", 8]] };
  const named = (name) => {
    const game = gameOf({ turn: 1, last }, { as: 0, names: { a: "Ada", b: name } });
    return statusOf(t, game, speaker(t, game), { ...quiet, hint: "way" });
  };
  assert.equal(named("Ben"), "Ben's turn. Last: Ben 2. Seeds go this way round.");
  const longest = "Wandering Nightingale Bo";
  assert.equal(named(longest), `${longest}'s turn. Last: ${longest} 2.`);
});

test("a lost connection or a refusal comes first", () => {
  assert.equal(line(0, {}, { connection: "Reconnecting…", message: "Pit 2 is empty." }), "Reconnecting…");
  assert.equal(line(0, {}, { message: "Pit 2 is empty.", hint: "pits" }), "Pit 2 is empty.");
  assert.equal(line(0, {}, { reader: true, hint: "pits" }), t("superseded"));
});
