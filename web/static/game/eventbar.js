// @ts-check
/** Gives the page of a tournament's game its bar, before the page is made. */

import { EventBar } from "../event/bar.js";
import { optional } from "./optionalparts.js";

optional.Bar = EventBar;
