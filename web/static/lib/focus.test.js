// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { focusOn } from "./focus.js";

/** Takes the focus as an element of a browser does. @param {string} name @param {boolean} control @returns {any} */
const element = (name, control) => ({
  name,
  attribute: control,
  get tabIndex() {
    return control ? 0 : -1;
  },
  set tabIndex(_) {
    this.attribute = true;
  },
  focus() {
    if (this.attribute) focused = this.name;
  },
});
let focused = "";
const main = element("main", false);
/** @type {any} */ (globalThis).document = { querySelector: () => main };

test("controls and texts take the focus, and the main part of the page if there is neither", () => {
  focusOn(element("button", true));
  assert.equal(focused, "button");
  focusOn(element("text", false));
  assert.equal(focused, "text");
  focusOn(null);
  assert.equal(focused, "main");
});
