// @ts-check
/** The bundle of the page of a game that people made, which may wait for players. */

import "./waitingroom.js";
import "./gamepage.js";
