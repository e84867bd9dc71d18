import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lay, room } from "./geometry.js";

const two = (cols, stores) => ({ sides: 2, rows: 1, cols, stores });
const four = (cols) => ({ sides: 2, rows: 2, cols, stores: false });
const ring = (cols) => ({ sides: 4, rows: 1, cols, stores: true });

// The table of UX.md §4; the last column is a projector.
const screens = [[360, 640], [360, 740], [412, 915], [820, 1180], [1440, 900], [1920, 1080]];
const table = [
  ["2×6 with stores", two(6, true), "H 50×116", "H 50×116", "H 59×136", "H 92×202", "H 126×276", "H 241×360"],
  ["2×6", two(6, false), "H 50×136", "H 50×136", "H 59×159", "H 120×264", "H 164×287", "H 294×360"],
  ["2×8 with stores", two(8, true), "H 38×87", "V 97×44", "H 45×102", "H 67×147", "H 92×201", "H 176×360"],
  ["2×10 with stores", two(10, true), "H 30×68", "V 76×34", "V 114×52", "H 52×114", "H 71×156", "H 137×302"],
  ["4×8", four(8), "V 79×46", "V 79×58", "H 45×120", "H 88×194", "H 120×149", "H 207×166"],
  ["a ring of 4", ring(4), "R 50×55", "R 50×55", "R 59×63", "R 123×124", "R 102×104", "R 119×120"],
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

test("a phone in landscape has pits of 59×129", () => {
  const { w, h } = lay({ w: 740, h: 360 }, two(6, true));
  assert.deepEqual([Math.round(w), Math.round(h)], [59, 129]);
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

test("the board takes the part of each window that UX.md names", () => {
  const forms = {
    "2×6 with stores": two(6, true),
    "2×6 without": two(6, false),
    "2×8 with stores": two(8, true),
    "2×10 with stores": two(10, true),
    "4×8": four(8),
  };
  const text = readFileSync(new URL("../../UX.md", import.meta.url), "utf8");
  const after = text.split("The part of the window that the board takes")[1];
  const [head, , ...rows] = after.split("\n\n")[1].split("\n");
  const cells = (line) => line.split("|").slice(1, -1).map((cell) => cell.trim());
  assert.equal(rows.length, Object.keys(forms).length);
  for (const [name, ...shares] of rows.map(cells)) {
    const got = cells(head).slice(1).map((size) => {
      const [, w, h, projected] = size.match(/^(\d+)×(\d+)( projector)?$/);
      const { board } = lay({ w: Number(w), h: Number(h) }, forms[name], "auto", projected !== undefined);
      return Math.round((100 * board.w * board.h) / (Number(w) * Number(h)));
    });
    assert.deepEqual(got, shares.map(Number), name);
  }
});
