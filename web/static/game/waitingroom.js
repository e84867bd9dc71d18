// @ts-check
/** Gives the page of a game its waiting room, before the page is made. */

import { steppers } from "../lib/steppers.js";
import { companion } from "./companion.js";
import { WaitingRoom } from "./waiting.js";

companion.WaitingRoom = WaitingRoom;
steppers();
