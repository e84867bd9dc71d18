// @ts-check
/** The bundle of the pages of tournaments. */

import "../lib/prefsforms.js";
import { show } from "../lib/dom.js";
import { lobbyHandler, listenToLobby } from "../lobby/listen.js";
import { install } from "../offline/offline.js";
import { enableSound } from "../sound/sound.js";
import { controls, cards } from "./controls.js";
import { Hall } from "./hall.js";
import { writeTimes } from "./numbersandtimes.js";

writeTimes();
cards();
if (document.querySelector("#event-data")) {
  enableSound();
  const known = document.querySelector("#notices") !== null;
  const other = known ? lobbyHandler((command, answered) => hall.link.command(command, answered)) : () => {};
  const hall = new Hall({ also: known ? [{ room: "lobby", quiet: true }] : [], other });
  controls(hall);
} else listenToLobby();
install(() => show("#updated", true));
