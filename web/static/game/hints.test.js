import assert from "node:assert/strict";
import { test } from "node:test";
import { english as t, game as gameOf } from "../model/fixture.test.js";
import { speaker } from "../speech/words.js";
import { hintWords } from "./hints.js";

const game = gameOf({ seats: ["bot1", "p1"], turn: 1 }, { as: 1 });

test("a hint names the pit, the direction, and what the move would do", () => {
  const words = speaker(t, game);
  assert.equal(
    hintWords(t, words, 1, "c", "Pit 3 ends in your store. You play again."),
    "Try pit 3. Pit 3 ends in your store. You play again.",
  );
  assert.equal(hintWords(t, words, 1, "b>", ""), "Try pit 2 to the right.");
  assert.equal(hintWords(t, words, 1, "swap", ""), "Try “Turn the board”.");
});
