// @ts-check
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** @type {any} */
const world = globalThis;
let filled = 0; // rows that were filled
let searched = 0; // searches in the table

class Part {
  dataset = {};
  textContent = "";
  hidden = false;
  classList = { toggle: () => {}, contains: () => false };
  firstElementChild = this;
  getAttribute = (/** @type {string} */ name) => /** @type {any} */ (this)[name];
  setAttribute = (/** @type {string} */ name, /** @type {any} */ value) => Object.assign(this, { [name]: value });
  addEventListener = () => {};
  replaceChildren = () => {};
  querySelector = () => this;
  querySelectorAll = () => [];
}

class Row extends Part {
  /** @type {Part[]} */
  cells = [];
  get children() {
    filled++;
    if (this.cells.length === 0) this.cells = [1, 2, 3, 4].map(() => new Part());
    return this.cells;
  }
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
});

/** @param {number} n boards, which the server has drawn */
function page(n) {
  const players = Array.from({ length: 2 * n }, (_, i) => ({ n: i + 1, id: `p${i + 1}` }));
  const boards = Array.from({ length: n }, (_, i) => ({
    n: i + 1,
    first: 2 * i + 1,
    second: 2 * i + 2,
    games: [{ room: `g${i + 1}`, opened: true }],
  }));
  const rows = boards.map((b) => Object.assign(new Row(), { "data-pairing": String(b.n) }));
  const snap = { settings: { format: "arena" }, stage: "running", players, rounds: [boards], due: 1 };
  const names = Object.fromEntries(players.map((p) => [p.id, `Player ${p.n}`]));
  const data = { room: "cup1", seq: 1, now: 0, me: "", table: 1, rows: [], names, snap };
  /** @type {Record<string, any>} */
  const parts = {
    "#pairings": {
      children: rows,
      querySelector: (/** @type {string} */ selector) => {
        searched++;
        return rows.find((row) => selector === `[data-pairing="${row.getAttribute("data-pairing")}"]`);
      },
    },
    "#event-data": { textContent: JSON.stringify(data) },
    "#event-texts": { textContent: "{}" },
    "#board-row": { content: { firstElementChild: null } }, // no board is new
    "#entered": null,
    "#me": null,
  };
  const find = (/** @type {string} */ selector) => {
    if (!(selector in parts)) parts[selector] = new Part();
    return parts[selector];
  };
  /** @type {any} */
  let socket;
  Object.assign(world, {
    document: {
      documentElement: { lang: "en", dataset: {} },
      addEventListener: () => {},
      createElement: () => new Part(),
      querySelector: find,
    },
    window: world,
    self: {}, // without a BroadcastChannel, which would keep this process
    location: { protocol: "https:", host: "mancala.example", pathname: "/t/cup1", search: "" },
    matchMedia: () => ({ addEventListener: () => {} }),
    addEventListener: () => {},
    WebSocket: class {
      static OPEN = 1; // this one only receives
      constructor() {
        socket = this;
      }
    },
  });
  return { boards, receives: (/** @type {object} */ frame) => socket.onmessage({ data: JSON.stringify(frame) }) };
}

/** Opens the page of an arena with the given number of boards. @param {number} n */
async function opened(n) {
  const { boards, receives } = page(n);
  const { Hall } = await import("./hall.js");
  new Hall({ also: [], other: () => {} });
  receives({ t: "sync", room: "cup1", seq: 1 });
  const entry = (/** @type {number} */ seq, /** @type {object} */ change) =>
    receives({ t: "ev", room: "cup1", seq, ev: { k: "x", at: 1, change } });
  return { boards, entry };
}

const places = [{ n: 8, id: "", out: true }, { n: 7, id: "p8" }]; // player 8 takes the place of player 7

test("a result among 2,000 boards fills one row, and a player who checks in fills none", async () => {
  const { boards, entry } = await opened(2000);
  const work = (/** @type {() => void} */ what) => {
    [filled, searched] = [0, 0];
    what();
    return [filled, searched];
  };
  const over = { ...boards[1499], result: "first" };
  assert.deepEqual(work(() => entry(2, { round: 1, boards: [over] })), [1, 0], "a result");
  assert.deepEqual(work(() => entry(3, { players: [{ n: 7, id: "p7", here: true }] })), [0, 0], "a check-in");
  assert.deepEqual(work(() => entry(4, { players: places })), [2000, 0], "a player who takes the place of another one");
});

test("the server draws the standings again when a player takes the place of another one", async () => {
  /** @type {string[]} */
  const asked = [];
  world.fetch = async (/** @type {string} */ path) => ({ ok: false, path: asked.push(path) });
  const { entry } = await opened(4);
  entry(2, { players: [{ n: 7, id: "p7", here: true }] });
  mock.timers.tick(60_000);
  assert.deepEqual(asked, []);
  entry(3, { players: places });
  mock.timers.tick(60_000);
  assert.deepEqual(asked, ["/t/cup1"]);
});
