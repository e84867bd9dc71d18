// @ts-check
/**
 * "Tell me when it is my turn": the switch on the page of settings, and one line in a game of days that
 * shows until the viewer has decided.
 */

import { focusOn } from "../lib/focus.js";
import { ability, clear, isOn, turnOff, turnOn } from "./subscription.js";

const NEVER = "push-never"; // in localStorage: the line was closed

const panel = /** @type {HTMLElement | null} */ (document.querySelector("#notify"));
const line = /** @type {HTMLElement | null} */ (document.querySelector("#tell"));
if (panel) void settings(panel);
if (line) void beside(line);

/** @param {HTMLElement} panel */
async function settings(panel) {
  const box = /** @type {HTMLInputElement} */ (panel.querySelector("input"));
  const said = /** @type {HTMLElement} */ (panel.querySelector("[role=status]"));
  const say = (/** @type {string} */ what) => (said.textContent = panel.dataset[what] ?? "");
  const able = ability();
  if (able !== "able") {
    say(able);
    if (able !== "denied") return; // the switch stays off
  }
  box.checked = await isOn();
  box.disabled = false;
  box.addEventListener("change", async () => {
    box.disabled = true;
    say("");
    if (box.checked) {
      const came = await turnOn();
      box.checked = came === "on";
      say(came);
    } else if (!(await turnOff())) say("failed");
    box.disabled = false;
    box.focus();
  });
}

/** @param {HTMLElement} line */
async function beside(line) {
  const board = /** @type {HTMLElement} */ (document.querySelector("[data-board]"));
  void clear(location.pathname.slice(1));
  if (ability() !== "able" || read() || (await isOn())) return;
  // The viewer leaves after their move. Before it, they need the place for other things.
  let decided = false;
  const low = matchMedia("(height < 480px)");
  const due = document.querySelector("#due"); // a phone on its side has no place for both
  const look = () => {
    const { state, turn, role } = board.dataset;
    const full = low.matches && due?.checkVisibility();
    line.hidden = state !== "live" || role === "spectator" || turn === role || decided || Boolean(full);
  };
  const attributeFilter = ["data-state", "data-role", "data-turn"];
  new MutationObserver(look).observe(board, { attributes: true, attributeFilter });
  look();
  line.addEventListener("click", async (e) => {
    const button = /** @type {HTMLElement} */ (e.target).closest("button");
    if (!button) return;
    if (button.dataset.tell === "never") {
      write();
      decided = true;
      look();
      return focusOn(null);
    }
    const came = await turnOn();
    if (came === "later") return;
    for (const b of line.querySelectorAll("button")) b.hidden = true;
    const said = /** @type {HTMLElement} */ (line.querySelector(came === "on" ? "span" : "a"));
    said.hidden = false;
    focusOn(said);
  });
}

function read() {
  try {
    return localStorage.getItem(NEVER) !== null;
  } catch {
    return true; // it would come again and again
  }
}

function write() {
  try {
    localStorage.setItem(NEVER, "1");
  } catch {
    // it shows again on the next page
  }
}
