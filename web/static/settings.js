// @ts-check
/** The page of all settings. */
import "./prefsmenu.js";
