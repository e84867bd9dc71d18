// What a test asks a page, put into every document before its own scripts. It
// reads the hooks that are promised to tests and touches nothing.
window.e2e = {
  /** The board as the page shows it, in the words of the API. */
  board() {
    const board = document.querySelector("[data-board]");
    if (!board) return null;
    const by = (kind) => {
      const counts = [];
      for (const cell of board.querySelectorAll(`[data-${kind}]`)) counts[Number(cell.dataset[kind])] = Number(cell.dataset.count);
      return counts;
    };
    const { ply, turn, state, anim } = board.dataset;
    return { state, turn: Number(turn), ply: Number(ply), anim, pits: by("pit"), stores: by("store") };
  },

  /** What the player may do now besides sowing. */
  choices() {
    return ["keep", "swap", "pass", "next", "layout-done"].filter((a) => e2e.visible(`[data-action=${a}]`));
  },

  /** All by which a page tells that something has happened in the game. */
  sign() {
    return JSON.stringify([e2e.board(), document.querySelector("#match")?.textContent, e2e.choices()]);
  },

  /** How many seeds are in the pits. */
  laid() {
    return e2e.board().pits.reduce((a, b) => a + b);
  },

  visible(selector) {
    const el = document.querySelector(selector);
    return el !== null && el.checkVisibility();
  },

  /** The pits that may be played now. */
  legal() {
    return Array.from(document.querySelectorAll('[data-pit][data-legal="1"]'), (pit) => Number(pit.dataset.pit));
  },

  /** All that the live regions have said, as {region, text}. */
  said: [],

  /** What was said since then in a region, without the space that makes a repetition one. */
  heard(region, from = 0) {
    return e2e.said.slice(from).filter((s) => s.region === region).map((s) => s.text.replace(/\u00a0$/, ""));
  },

  /** Where to point for an element to be hit; null if something covers it. */
  spot(selector) {
    const el = document.querySelector(selector);
    if (el === null || !el.checkVisibility() || el.disabled) return null;
    el.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const box = el.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    return hit !== null && el.contains(hit) ? [x, y] : null;
  },

  /** Whether a condition comes true before ms have passed. */
  when(condition, ms) {
    return new Promise((answer) => {
      const end = (held) => {
        watch.disconnect();
        clearInterval(timer);
        clearTimeout(deadline);
        answer(held);
      };
      const check = () => {
        try {
          if (condition()) end(true);
        } catch {
          // what it asks about is not there yet
        }
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

addEventListener("DOMContentLoaded", () => {
  for (const region of ["say", "shout"]) {
    const el = document.getElementById(region);
    if (el) new MutationObserver(() => e2e.said.push({ region, text: el.textContent })).observe(el, { childList: true, characterData: true, subtree: true });
  }
});
