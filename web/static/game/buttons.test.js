import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyPage } from "../lib/browser.test.js";
import { english as t, game as gameOf } from "../model/fixture.test.js";

emptyPage();
const { Buttons } = await import("./buttons.js");

test("a second press sends nothing until the first one is answered", () => {
  /** @type {string[]} */
  const sent = [];
  /** @type {(() => void)[]} */
  const answered = [];
  const link = {
    command: (/** @type {any} */ { kind }, /** @type {() => void} */ answer) => {
      sent.push(kind);
      answered.push(answer);
    },
  };
  const parts = { t, link, page: { game: gameOf() }, lastTab: { use: () => {} } };
  const buttons = new Buttons(/** @type {any} */ (parts), /** @type {any} */ (null));
  const press = (/** @type {string} */ action) => buttons.press(action, /** @type {any} */ ({ dataset: {} }));
  press("draw");
  press("draw");
  press("resign");
  assert.deepEqual(sent, ["offer", "resign"]);
  answered[0]();
  press("draw");
  assert.deepEqual(sent, ["offer", "resign", "offer"]);
});
