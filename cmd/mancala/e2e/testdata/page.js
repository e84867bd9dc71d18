// What a test asks a page. Every document loads it before its own scripts. It reads the hooks
// for tests (UX.md §12) and changes nothing but the name of the window.
window.e2e = {
  /** The board as the page shows it, in the words of the API. */
  board() {
    const board = document.querySelector("[data-board]");
    if (!board) return null;
    const by = (kind) => {
      const counts = [];
      for (const { dataset } of board.querySelectorAll(`[data-${kind}]`))
        counts[Number(dataset[kind])] = Number(dataset.count);
      return counts;
    };
    const { ply, turn, state, anim } = board.dataset;
    return { state, turn: Number(turn), ply: Number(ply), anim, pits: by("pit"), stores: by("store") };
  },

  /** What the player may do now besides sowing. */
  choices() {
    return ["keep", "swap", "pass", "next", "layout-done"].filter((a) => e2e.visible(`[data-action=${a}]`));
  },

  /** A text that changes with everything that a page shows of the game. */
  sign() {
    return JSON.stringify([e2e.board(), document.querySelector("#match")?.textContent, e2e.choices()]);
  },

  /** How many seeds are in the pits. */
  laid() {
    return e2e.board().pits.reduce((a, b) => a + b);
  },

  /** Reports whether the page has its styles and typefaces. Without them, elements are in other places. */
  arrived() {
    return (
      document.fonts.status === "loaded" &&
      Array.from(document.querySelectorAll("link[rel=stylesheet]")).every((link) => link.sheet !== null)
    );
  },

  visible(selector) {
    const el = document.querySelector(selector);
    return el !== null && el.checkVisibility();
  },

  /** The pits that may be played now. */
  legal() {
    return Array.from(document.querySelectorAll('[data-pit][data-legal="1"]'), (pit) => Number(pit.dataset.pit));
  },

  /** The announcements of the live regions, as {region, text}. */
  said: [],

  /** The announcements of a region after the first ones, without the space that marks a repetition. */
  heard(region, from = 0) {
    return e2e.said.slice(from).filter((s) => s.region === region).map((s) => s.text.replace(/\u00a0$/, ""));
  },

  /** By selector: where an element was last seen, and since when. */
  spots: new Map(),

  /**
   * The point at which a click hits an element; null if another element covers it, or while it moves: a
   * sheet slides in, a list scrolls to the last move. A busy machine clicks where the element was.
   */
  spot(selector) {
    const el = document.querySelector(selector);
    if (!e2e.arrived() || el === null || !el.checkVisibility() || el.disabled) return null;
    el.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const box = el.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    if (hit === null || !el.contains(hit)) return null;
    const before = e2e.spots.get(selector);
    if (before?.x === x && before.y === y) return performance.now() - before.since >= 40 ? [x, y] : null;
    e2e.spots.set(selector, { x, y, since: performance.now() });
    return null;
  },

  /** The last touch: since when, for how long, and the click that it became. */
  touch: { since: 0, ms: 0, click: null },

  /**
   * Reports whether the last tap became a long press, which plays nothing. The test lifts its finger when the page has
   * answered the touch, and a page on a busy machine answers late. The board takes the click of a long press, and the
   * browser makes none of a longer one.
   */
  async heldTooLong() {
    const { touch } = e2e;
    const [board, browser] = [350, 500]; // the shortest long press of each, in milliseconds
    if (touch.ms < board) return false;
    if (touch.ms < browser && !touch.click) await new Promise((come) => (touch.clicked = come));
    return !touch.click || (touch.click.defaultPrevented && touch.click.target.closest("[data-pit]") !== null);
  },

  /** What the pointer has done last in this tab, and how far the page has come, to describe a failure. */
  pointers() {
    const { fonts, readyState } = document;
    const paints = performance.getEntriesByType("paint").map((p) => `${p.name} ${Math.round(p.startTime)}`);
    return [
      window.name,
      `now ${Date.now()}, the page since ${Math.round(performance.timeOrigin)}`,
      `${readyState}, fonts ${fonts.status}, ${paints}`,
    ].join("\n");
  },

  /** Reports whether a condition becomes true within ms. The condition may be a promise of the answer. */
  when(condition, ms) {
    return new Promise((answer) => {
      let asked = false; // a promise is not kept yet
      const end = (held) => {
        watch.disconnect();
        clearInterval(timer);
        clearTimeout(deadline);
        answer(held);
      };
      const check = async () => {
        if (asked) return;
        try {
          let held = condition();
          if (held instanceof Promise) {
            asked = true;
            held = await held;
          }
          if (held) end(true);
        } catch {
          // the condition names an element that does not exist yet
        }
        asked = false;
      };
      const watch = new MutationObserver(check);
      // Sizes and focus change without a mutation.
      const timer = setInterval(check, 100);
      const deadline = setTimeout(() => end(false), ms);
      watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      check();
    });
  },
};

const first = { passive: true, capture: true };
addEventListener("touchstart", (e) => (e2e.touch = { since: e.timeStamp, ms: 0, click: null }), first);
addEventListener("touchend", (e) => (e2e.touch.ms = e.timeStamp - e2e.touch.since), first);
addEventListener("click", clicked, first);
function clicked(e) {
  e2e.touch.click = e;
  e2e.touch.clicked?.();
}

// The last pointer events are kept in the name of the window, which outlives its pages.
for (const type of ["pointerdown", "pointerup", "pointercancel", "click"]) addEventListener(type, note, first);
function note({ type, target, clientX, clientY, timeStamp }) {
  const what = target instanceof Element ? target.cloneNode(false).outerHTML.slice(0, 120) : String(target);
  const when = Math.round(performance.timeOrigin + timeStamp);
  const line = `${when} ${location.pathname} ${type} ${clientX},${clientY} ${what}`;
  window.name = [...window.name.split("\n"), line].slice(-12).join("\n");
}

addEventListener("DOMContentLoaded", () => {
  for (const region of ["say", "shout"]) {
    const el = document.getElementById(region);
    const heard = new MutationObserver(() => e2e.said.push({ region, text: el.textContent }));
    if (el) heard.observe(el, { childList: true, characterData: true, subtree: true });
  }
});
