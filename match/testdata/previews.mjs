// What the page says of a move beforehand, against the position after it and what
// is said of it then. Reads the cases of TestPreviewsEqualWhatMovesDo: node previews.mjs cases.json
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { preview } from "../../web/static/model/preview.js";
import { answers, bubble } from "../../web/static/speech/answers.js";
import { pitOf, shapeOf, sideOf } from "../../web/static/model/shape.js";
import { translator } from "../../web/static/lib/text.js";
import { speaker } from "../../web/static/speech/words.js";

const t = translator(JSON.parse(readFileSync(new URL("../../web/messages/en.json", import.meta.url), "utf8")), "en");
const sum = (list) => [...list].reduce((a, b) => a + b, 0);
const clause = (text, verb) => text.match(new RegExp(`${verb} \\d+ from (?:(?!\\. |\\.$|,? (?:and )?(?:\\d+ for|claim)).)*`))?.[0].slice(verb.length);

/** The game as who moves sees it. */
const seen = (snap, as, you) => ({ as, you, names: { p0: "Ada", p1: "Ben", p2: "Cleo", p3: "Dan" }, snap });

function check({ before, after, you, move }) {
  const as = before.turn;
  const legal = you.legal.find((l) => l.m === move);
  const p = preview(legal, before);
  const shape = shapeOf(before);
  const pit = pitOf(shape, sideOf(shape, as), move);
  const game = seen(before, as, you);
  const said = answers(game, speaker(t, game)).previewText(pit ?? 0, p);
  const shown = bubble(t, p);
  const then = seen(after, as, null);
  const told = speaker(t, then).moveSentence(after.last, before);
  const all = `${said} | ${shown} | ${told}`;

  const goesOn = after.state === "live" && after.phase === "play";
  const again = goesOn && after.turn === as;
  if (pit !== null) assert.equal(/again/.test(shown), again, `whose turn it is: ${all}`);
  assert.equal(/(game|round) ends/.test(said), !goesOn, `whether it goes on: ${all}`);
  assert.equal(Number(shown.match(/(\d+) laps/)?.[1] ?? 1), Number(told.match(/(\d+) laps/)?.[1] ?? 1), `laps: ${all}`);
  if (!legal.trace || pit === null) return;

  const takes = Number(shown.match(/takes (\d+)/)?.[1] ?? 0);
  const sown = sum([...p.lands].filter(([slot]) => typeof slot === "string").map(([, n]) => n));
  const side = sideOf(shape, as);
  const won = after.stores[side] - before.stores[side];
  if (goesOn && !before.canonical.includes("captured=")) assert.equal(takes + sown, won, `what is won: ${all}`);
  if (shape.rows === 1) assert.equal(clause(said, "takes"), clause(told, "took"), `where it is taken: ${all}`);
  if (!goesOn) return; // what is left was swept away
  if (p.claims) assert.equal(after.marks[p.last], "x", `what is claimed: ${all}`);
  if (takes === 0 && typeof p.last === "number" && after.marks?.[p.last] !== "x") {
    if (p.empty) assert.equal(after.pits[p.last], 1, `it ends in an empty pit: ${all}`);
    else assert.ok(after.pits[p.last] > 1 || p.gives, `it ends among others: ${all}`);
  }
  if (p.laps > 1) return;
  const taken = new Set([...p.took, ...p.lost].map((x) => x.slot));
  after.pits.forEach((n, at) => {
    if (taken.has(at)) return;
    const lifts = legal.trace.filter(([kind, slot]) => kind === "lift" && slot === at);
    const lifted = p.gives ? Number(at === pit) : sum(lifts.map(([, , n]) => n));
    assert.equal(n - before.pits[at], (p.lands.get(at) ?? 0) - lifted, `seeds for pit ${at}: ${all}`);
  });
}

const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const c of cases) {
  try {
    check(c);
  } catch (err) {
    console.error(`${c.before.rules} ${c.before.options}, ply ${c.before.ply}, ${c.move}: ${err.message}`);
    process.exitCode = 1;
  }
}
console.log(`${cases.length} previews`);
