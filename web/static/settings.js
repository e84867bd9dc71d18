// @ts-check
/** The page of all settings. */
import "./page.js";
import "./prefsmenu.js";
