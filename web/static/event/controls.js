// @ts-check
/** The buttons, forms and links on the pages of tournaments. All of them work without script too. */

import { find } from "../lib/dom.js";
import { textOf } from "../lib/language.js";
import { isConfirmed } from "../lib/secondtap.js";
import { SmallBoards } from "../watch/smallboards.js";
import { lastRound, running } from "./state.js";

/**
 * Sends the acts of a player over the socket: each is done once when the connection is back.
 * @param {import("./hall.js").Hall} hall
 */
export function controls(hall) {
  document.addEventListener("submit", (e) => {
    const form = /** @type {HTMLFormElement} */ (e.target);
    const kind = form.getAttribute("action")?.match(/\/(here|leave|bye)$/)?.[1];
    if (!kind) return;
    e.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (e.submitter);
    const { confirm } = button.dataset;
    if (confirm && !isConfirmed(button, confirm)) return;
    const round = Number(new FormData(form).get("round"));
    const command = kind === "bye" ? { kind, round, bye: button.value } : { kind };
    const problem = find("#me-problem");
    problem.hidden = true;
    button.disabled = true;
    hall.link.command(command, (err) => {
      button.disabled = false;
      problem.hidden = !err;
      if (err) problem.textContent = err.msg;
      // The server names the rounds that the player sits out. The answer came after a snapshot.
      else if (kind === "bye") hall.requests.refresh(/** @type {any} */ (hall.event).state, 0);
    });
  });
  const show = document.querySelector("[data-action=boards]");
  show?.addEventListener("click", () => showBoards(hall, /** @type {HTMLElement} */ (show)));
}

/** @param {import("./hall.js").Hall} hall @param {HTMLElement} button */
function showBoards(hall, button) {
  const list = find("#live-boards");
  const shown = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!shown));
  button.textContent = hall.t(shown ? "boards.show" : "boards.hide");
  list.hidden = shown;
  if (list.dataset.begun) return;
  list.dataset.begun = "yes";
  new SmallBoards(list, hall.link, async () => {
    const state = hall.event?.state;
    return state ? lastRound(state).flatMap((b) => running(b)?.room ?? []) : [];
  });
}

/** Opens the dialog about a player or a round. Without script, its link leads to a page that says the same. */
export function cards() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("#card"));
  document.addEventListener("click", async (e) => {
    const link = /** @type {HTMLAnchorElement | null} */ (
      /** @type {HTMLElement} */ (e.target).closest("a[data-card]")
    );
    if (!dialog || !link || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    const text = await textOf(link.href);
    const card = new DOMParser().parseFromString(text, "text/html").querySelector("#card-part");
    if (!card) return location.assign(link.href);
    find("#card-body").replaceChildren(card);
    dialog.showModal();
  });
}
