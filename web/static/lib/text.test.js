// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { namesIn, translator } from "./text.js";

test("deleted players are called in the language of the page", () => {
  const t = translator({ "player.deleted": "Compte supprimé" }, "fr");
  const names = { p1: "Deleted player", p2: "Ben", p3: "Deleted player 2" };
  assert.deepEqual(namesIn(t, { names, deleted: ["p1", "p3"] }), {
    p1: "Compte supprimé",
    p2: "Ben",
    p3: "Compte supprimé 2",
  });
  assert.deepEqual(namesIn(t, { names: { p2: "Ben" } }), { p2: "Ben" });
});
