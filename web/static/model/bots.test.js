import assert from "node:assert/strict";
import { test } from "node:test";
import { againstBots, isBot } from "./bots.js";

test("no person has the ID of a bot", () => {
  assert.ok(isBot("bot1") && isBot("bot3.2"));
  assert.ok(!isBot("pbot2abcdefgh") && !isBot(""));
});

test("a game is against bots if they have all other seats", () => {
  assert.ok(againstBots({ seats: ["p1", "bot3"] }, 0));
  assert.ok(againstBots({ seats: ["bot3", "p1", "bot3.2", "bot3.3"] }, 1));
  assert.ok(!againstBots({ seats: ["p1", "bot3", "p2", "bot4"] }, 0));
  assert.ok(!againstBots({ seats: ["p1", "bot3"] }, -1), "a watcher does not play");
  assert.ok(!againstBots({ seats: [] }, 0));
});
