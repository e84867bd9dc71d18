// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawCard, drawTimes } from "./card.js";

/** A card of two players. */
function card() {
  const part = (/** @type {Record<string, string>} */ dataset = {}) => ({
    dataset,
    textContent: "",
    hidden: false,
    turn: false,
    toggleAttribute(/** @type {string} */ _, /** @type {boolean} */ on) {
      this.turn = on;
    },
  });
  const parts = {
    "[data-at]": [part({ at: "0" }), part({ at: "1" })],
    "[data-score]": [part({ score: "0" }), part({ score: "1" })],
    "[data-time]": [part({ time: "0" })],
    ".of": [part(), part()],
    ".held": [part()],
  };
  const querySelectorAll = (/** @type {keyof typeof parts} */ selector) => parts[selector];
  return { parts, element: /** @type {any} */ ({ querySelectorAll }) };
}
const texts = (/** @type {{textContent: string}[]} */ list) => list.map((part) => part.textContent);

test("a card shows the seeds, the scores, who is on turn and that seeds are in hand", () => {
  const { parts, element } = card();
  drawCard(element, /** @type {any} */ ({ pits: [4, 3], stores: [1, 2], state: "live", turn: 1 }));
  assert.deepEqual([texts(parts["[data-at]"]), texts(parts["[data-score]"])], [["4", "3"], ["1", "2"]]);
  assert.deepEqual(parts[".of"].map(({ turn }) => turn), [false, true]);
  assert.equal(parts[".held"][0].hidden, false);
});

test("after an end by the rules no player is on turn, and no seeds are in hand", () => {
  const { parts, element } = card();
  drawCard(element, /** @type {any} */ ({ pits: [0, 0], stores: [4, 6], state: "over", turn: 1 }));
  assert.deepEqual(parts[".of"].map(({ turn }) => turn), [false, false]);
  assert.equal(parts[".held"][0].hidden, true);
});

test("a game without a clock has no times", () => {
  const { parts, element } = card();
  drawTimes(element, /** @type {any} */ ({ snap: {}, ahead: 0 }));
  assert.equal(parts["[data-time]"][0].textContent, "");
});
