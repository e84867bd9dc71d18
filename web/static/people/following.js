// @ts-check
/** The page of followed people: who is online and who plays, as it changes. Rows keep their places. */

import { Link } from "../lib/socket.js";
import { lobbyHandler } from "../lobby/listen.js";

const list = /** @type {HTMLElement | null} */ (document.querySelector("#following"));

/** @param {{id: string, game?: string}[]} here */
function show(here) {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (list?.querySelectorAll("[data-person]"))) {
    const who = here.find(({ id }) => id === row.dataset.person);
    /** @type {HTMLElement} */ (row.querySelector(".here")).hidden = !who || who.game !== undefined;
    const watch = /** @type {HTMLAnchorElement} */ (row.querySelector(".playing"));
    watch.hidden = !who?.game;
    if (who?.game) watch.href = `/${who.game}`;
  }
}

if (list) {
  const challenges = lobbyHandler((command, answered) => link.command(command, answered));
  const link = new Link({
    room: "people",
    also: [{ room: "lobby", quiet: true }],
    onFrame: (frame) => {
      if (frame.room === "lobby") challenges(frame);
      else if (frame.t === "snap") show(/** @type {any} */ (frame.snap).here);
      else if (frame.t === "note") show(frame.here);
    },
    onState: (state) => (list.dataset.conn = state),
  });
}
