// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { listed, namesIn, translator } from "./text.js";

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

test("a list has a word before its last item", () => {
  const t = translator({ list: "{a}, {b}", "list.and": "{a} and {b}", "list.or": "{a} or {b}" }, "en");
  for (const [items, plain, and, or] of /** @type {[(string | number)[], string, string, string][]} */ ([
    [[], "", "", ""],
    [[4], "4", "4", "4"],
    [[4, 3], "4, 3", "4 and 3", "4 or 3"],
    [["a", "b", "c"], "a, b, c", "a, b and c", "a, b or c"],
  ]))
    assert.deepEqual([listed(t, items), listed(t, items, "and"), listed(t, items, "or")], [plain, and, or]);
});

test("Spanish has another word before the same vowel", () => {
  const and = { "list.and": "{a} y {b}", "list.and.vowel": "{a} e {b}" };
  const or = { "list.or": "{a} o {b}", "list.or.vowel": "{a} u {b}" };
  const t = translator({ ...and, ...or }, "es");
  for (const text of ["Ben y o", "Inés e o", "Hilda e o", "Hiena y o", "Otto y u", "8 y u", "11 y u", "110 y o"]) {
    const [last, and, or] = text.split(" ");
    assert.equal(listed(t, ["Ada", last], "and"), `Ada ${and} ${last}`);
    assert.equal(listed(t, ["Ada", last], "or"), `Ada ${or} ${last}`);
  }
});
