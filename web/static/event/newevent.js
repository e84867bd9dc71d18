// @ts-check
/** The bundle of the form that makes a tournament, and of the page after it. */

import "../lib/prefsforms.js";
import { show } from "../lib/dom.js";
import { steppers } from "../lib/steppers.js";
import { listenToLobby } from "../lobby/listen.js";
import { install } from "../offline/offline.js";
import { forms } from "./form.js";
import { writeTimes } from "./numbersandtimes.js";

steppers();
forms();
writeTimes();
listenToLobby();
install(() => show("#updated", true));
