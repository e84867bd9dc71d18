import assert from "node:assert/strict";
import { test } from "node:test";
import { lay, room } from "./geometry.js";

const two = (cols, stores) => ({ sides: 2, rows: 1, cols, stores });
const four = (cols) => ({ sides: 2, rows: 2, cols, stores: false });
const ring = (cols) => ({ sides: 4, rows: 1, cols, stores: true });

// The table of UX.md §4; the last column is a projector.
const screens = [[360, 640], [360, 740], [412, 915], [820, 1180], [1440, 900], [1920, 1080]];
const table = [
  ["2×6 with stores", two(6, true), "H 50×86", "H 50×86", "H 59×100", "H 86×108", "H 119×148", "H 241×302"],
  ["2×6", two(6, false), "H 50×86", "H 50×86", "H 59×100", "H 120×150", "H 164×205", "H 294×360"],
  ["2×8 with stores", two(8, true), "H 38×65", "V 101×46", "H 45×76", "H 63×79", "H 86×108", "H 176×221"],
  ["2×10 with stores", two(10, true), "H 30×50", "V 79×36", "V 118×54", "H 49×61", "H 67×84", "H 137×172"],
  ["4×8", four(8), "V 80×46", "V 80×58", "H 45×76", "H 88×110", "H 120×150", "H 207×166"],
  ["a ring of 4", ring(4), "R 51×55", "R 51×55", "R 60×63", "R 123×124", "R 103×104", "R 120×120"],
  ["a ring of 5", ring(5), "R 40×55", "R 40×55", "R 47×63", "R 98×124", "R 81×104", "R 95×120"],
  ["a ring of 6", ring(6), "R 32×55", "R 32×55", "R 38×63", "R 81×124", "R 67×104", "R 78×120"],
];

for (const [name, form, ...sizes] of table) {
  test(`${name} has the sizes of the table`, () => {
    sizes.forEach((size, i) => {
      const [w, h] = screens[i];
      const got = lay({ w, h }, form, "auto", i === 5);
      const [, orient, wide, high] = size.match(/(.) (\d+)×(\d+)/);
      assert.equal(got.orient[0].toUpperCase(), orient, `${w}×${h}`);
      assert.ok(
        Math.abs(got.w - wide) <= 2 && Math.abs(got.h - high) <= 2,
        `${w}×${h}: ${got.w}×${got.h}, want ${size}`,
      );
    });
  });
}

test("a phone in landscape has pits of 55×69", () => {
  const { w, h } = lay({ w: 740, h: 360 }, two(6, true));
  assert.deepEqual([Math.round(w), Math.round(h)], [55, 69]);
});

const windows = [
  [320, 568],
  [320, 640],
  [360, 640],
  [375, 667],
  [412, 915],
  [568, 320],
  [599, 900],
  [600, 800],
  [740, 360],
  [820, 1180],
  [1199, 800],
  [1200, 700],
  [1440, 900],
  [1920, 1080],
];

test("every board of 1 to 13 pits fits its space, with pits large enough for a finger", () => {
  for (const [w, h] of windows) {
    for (let cols = 1; cols <= 13; cols++) {
      for (const form of [two(cols, true), two(cols, false), four(cols)]) {
        const got = lay({ w, h }, form);
        const what = `${JSON.stringify(form)} on ${w}×${h}: ${JSON.stringify(got)}`;
        assert.ok(got.board.w <= room({ w, h }).w + 0.01, `too wide: ${what}`);
        assert.ok(Math.min(got.w, got.h) >= 24, `too small: ${what}`);
        if (cols <= 10 && h >= 640) assert.ok(got.board.h <= room({ w, h }).h + 0.01, `too high: ${what}`);
      }
    }
  }
});

test("every ring fits too, and is folded where its pits would be narrow", () => {
  for (const [w, h] of windows) {
    for (let cols = 1; cols <= 13; cols++) {
      const got = lay({ w, h }, ring(cols));
      const what = `${cols} pits on ${w}×${h}: ${JSON.stringify(got)}`;
      assert.ok(Math.min(got.w, got.h) >= 24 - 1e-9, `too small: ${what}`);
      assert.ok(got.board.w <= room({ w, h }).w + 0.01, `too wide: ${what}`);
      if (h >= 360) assert.ok(got.board.h <= room({ w, h }).h + 0.01, `too high: ${what}`);
      const edge = got.gap === 2 ? ((cols + 1) * (got.w + got.gap)) / 2 - got.gap : cols * (got.w + got.gap) - got.gap;
      assert.ok(
        Math.abs(12 + 2 * got.bar + 2 * got.gap + edge - got.board.w) < 0.01,
        `edge and corners make no square: ${what}`,
      );
    }
  }
});

test("a pinned board keeps its orientation on phones, and is horizontal on larger screens", () => {
  assert.equal(lay({ w: 360, h: 740 }, two(8, true), "h").orient, "h");
  assert.equal(lay({ w: 360, h: 740 }, two(6, true), "v").orient, "v");
  assert.equal(lay({ w: 820, h: 1180 }, two(6, true), "v").orient, "h");
});

test("four rows have a river between the territories", () => {
  const { h, gap, board } = lay({ w: 820, h: 1180 }, four(8));
  assert.equal(board.h, 12 + 4 * h + 4 * gap);
});
