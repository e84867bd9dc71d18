// @ts-check
/** Gives the page of a game its waiting room, before the page is made. */

import { steppers } from "../lib/steppers.js";
import { optional } from "./optionalparts.js";
import { WaitingRoom } from "./waiting.js";

optional.WaitingRoom = WaitingRoom;
steppers();
