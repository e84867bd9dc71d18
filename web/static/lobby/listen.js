// @ts-check
/** Listens to the lobby on pages that show no lobby: challenges, and the viewer's games. */

import { GlanceLink } from "../lib/glancelink.js";
import { enableSound } from "../sound/sound.js";
import { Notices } from "./notices.js";
import { refreshOwnGames, showsOwnGames } from "./owngames.js";

/**
 * Returns the handler for the lobby's messages on a page that shows no lobby.
 * @param {GlanceLink["command"]} command
 */
export function lobbyHandler(command) {
  const notices = new Notices({ command });
  enableSound();
  return (/** @type {Record<string, any>} */ frame) => {
    if (frame.t === "go" && notices.go(frame.game)) location.assign(`/${frame.game}`);
    else if (frame.t === "games") void refreshOwnGames();
    else notices.receive(frame);
  };
}

/** Listens to the lobby on a page that has no socket of its own. @returns {GlanceLink | undefined} */
export function listenToLobby() {
  if (!document.querySelector("#notices") || document.querySelector("#seeks, #following")) return;
  const receive = lobbyHandler((command, answered) => link.command(command, answered));
  const link = new GlanceLink({
    room: "lobby",
    more: () => ({ quiet: true, ...(showsOwnGames && { games: true }) }),
    onFrame: (frame) => {
      if (frame.t === "gone") setTimeout(() => link.subscribe({ fresh: true }), 500 + 1000 * Math.random());
      else receive(frame);
    },
  });
  return link;
}
