// A game and the English texts, for tests of several folders.
import { readFileSync } from "node:fs";
import { translator } from "../lib/text.js";

/** The texts of a language. */
export const textsOf = (lang) =>
  translator(JSON.parse(readFileSync(new URL(`../../messages/${lang}.json`, import.meta.url), "utf8")), lang);
export const english = textsOf("en");

/** The rules of Kalah. */
export const kalah = "store=true capture=cross again=store end=side-empty";

/** A game of Kalah as Ada in seat 0 sees it, with other fields of the snapshot and of the game. */
export function game(snap = {}, more = {}) {
  return {
    room: "r",
    seq: 1,
    as: 0,
    me: "",
    ahead: 0,
    names: { a: "Ada", b: "Ben", c: "Cleo", d: "Dan" },
    you: null,
    ...more,
    snap: {
      state: "live",
      rules: "kalah",
      title: "Kalah",
      canonical: kalah,
      shape: [2, 1, 6],
      pits: Array(12).fill(4),
      stores: [0, 0],
      phase: "play",
      turn: 0,
      ply: 1,
      clockText: "none",
      clock: [],
      sitters: ["a", "b"],
      seats: ["a", "b"],
      moves: [],
      offers: [],
      round: 1,
      gains: [0, 0],
      target: 0,
      ...snap,
    },
  };
}
