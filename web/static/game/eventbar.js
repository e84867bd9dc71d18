// @ts-check
/** Gives the page of a tournament's game its bar, before the page is made. */

import { EventBar } from "../event/bar.js";
import { companion } from "./companion.js";

companion.Bar = EventBar;
