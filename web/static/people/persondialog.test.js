// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { PersonDialog } from "./persondialog.js";

/** @type {any} */
const world = globalThis;
/** @type {(e: any) => void} */
let submit = () => {};
/** @type {Record<string, any>} */
const parts = {
  "#person": { addEventListener: (/** @type {string} */ _, /** @type {(e: any) => void} */ then) => (submit = then) },
  "#person .notice": { hidden: true, textContent: "", dataset: { failed: "That did not work." } },
};
world.document = { addEventListener: () => {}, querySelector: (/** @type {string} */ selector) => parts[selector] };
world.FormData = class {
  get = () => "";
};

test("the dialog tells that it failed, in the server's words if there are some", async () => {
  new PersonDialog({ me: () => "p1", blocked: () => {} });
  const notice = parts["#person .notice"];
  for (const relation of [true, false])
    for (const msg of [undefined, "Slower."]) {
      world.fetch = async () => {
        if (!msg) throw new TypeError("Failed to fetch");
        return Response.json({ msg }, { status: 429 });
      };
      const form = { method: "post", matches: () => relation };
      submit({ target: form, submitter: { value: "follow" }, preventDefault: () => {} });
      await new Promise((then) => setTimeout(then));
      assert.deepEqual([notice.hidden, notice.textContent], [false, msg ?? "That did not work."]);
      [notice.hidden, notice.textContent] = [true, ""];
    }
});
