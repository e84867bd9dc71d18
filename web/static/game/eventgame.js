// @ts-check
/** The bundle of the page of a tournament's game. */

import "./eventbar.js";
import "./gamepage.js";
