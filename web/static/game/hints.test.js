import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { translator } from "../lib/text.js";
import { speaker } from "../speech/words.js";
import { hintWords } from "./hints.js";

const t = translator(JSON.parse(readFileSync(new URL("../../messages/en.json", import.meta.url), "utf8")), "en");
const game = /** @type {any} */ ({
  as: 1,
  names: {},
  snap: {
    shape: [2, 1, 6],
    canonical: "sides=2 pits=6 rows=1 seeds=4 store=yes",
    rules: "kalah",
    seats: ["bot1", "p1"],
    pits: Array(12).fill(4),
    stores: [0, 0],
    turn: 1,
    moves: [],
    state: "live",
    phase: "play",
  },
});

test("a hint names the pit, the direction, and what the move would do", () => {
  const words = speaker(t, game);
  assert.equal(
    hintWords(t, words, 1, "c", "Pit 3 ends in your store. You play again."),
    "Try pit 3. Pit 3 ends in your store. You play again.",
  );
  assert.equal(hintWords(t, words, 1, "b>", ""), "Try pit 2 to the right.");
  assert.equal(hintWords(t, words, 1, "swap", ""), "Try “Turn the board”.");
});
