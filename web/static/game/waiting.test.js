import assert from "node:assert/strict";
import { test } from "node:test";
import { english as t, game as gameOf } from "../model/fixture.test.js";
import { speaker } from "../speech/words.js";
import { WaitingRoom } from "./waiting.js";

/** The waiting room of a game with a clock as its creator sees it, and its form. */
function waitingRoom() {
  const element = () =>
    Object.assign(new EventTarget(), { closest: () => null, replaceChildren() {}, classList: { toggle() {} } });
  /** @type {Record<string, any>} */
  const fields = {
    rated: { name: "rated", type: "checkbox", checked: true },
    clock: { name: "clock", type: "select-one", value: "none", options: [{ value: "5+3" }, { value: "none" }] },
    options: { name: "options", type: "text", value: "pits=x" },
  };
  const form = Object.assign(element(), { elements: { namedItem: (/** @type {string} */ name) => fields[name] } });
  globalThis.document = /** @type {any} */ ({
    querySelector: (/** @type {string} */ what) => (what === "#settings form" ? form : element()),
    createElement: element,
  });
  globalThis.navigator ??= /** @type {any} */ ({});
  /** @type {[any, (err: any) => void][]} */
  const sent = [];
  const room = new WaitingRoom(t, { change: (...change) => sent.push(change), rename: () => {} });
  const game = gameOf({ state: "waiting", creator: "a", seats: [], sitters: ["a"], clockText: "5+3" }, { me: "a" });
  room.draw(game, speaker(t, game), "");
  /** @param {string} name @param {any} err */
  const answer = (name, err) => {
    const e = new Event("change");
    Object.defineProperty(e, "target", { value: fields[name] });
    form.dispatchEvent(e);
    sent[sent.length - 1][1](err);
  };
  return { fields, sent, answer };
}

test("a setting that was refused is shown as it holds", () => {
  const { fields, sent, answer } = waitingRoom();
  fields.rated.checked = true;
  answer("rated", { code: "not-rateable" });
  assert.deepEqual([sent[0][0], fields.rated.checked], [{ rated: true }, false]);
  fields.clock.value = "none";
  answer("clock", { code: "not-rateable" });
  assert.equal(fields.clock.value, "5+3");
});

test("a setting that was taken stays, and so does a text that can be mended", () => {
  const { fields, answer } = waitingRoom();
  fields.rated.checked = true;
  answer("rated", null);
  assert.equal(fields.rated.checked, true);
  fields.options.value = "pits=x";
  answer("options", { code: "bad-rules" });
  assert.equal(fields.options.value, "pits=x");
});
