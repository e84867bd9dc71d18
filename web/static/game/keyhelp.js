// @ts-check
/** The list of keys, in the help of a game. */

import { keys } from "../board/keys.js";
import { element } from "../lib/dom.js";

/** @param {HTMLElement} place @param {import("../lib/text.js").T} t */
export function listKeys(place, t) {
  const rows = [
    ["1 – 9, 0", "digits"],
    ["← → ↑ ↓", "arrows"],
    ["Home, End", "ends"],
    ["Enter, Space", "enter"],
    ["Esc", "cancel"],
    ...Object.entries(keys),
  ];
  const list = element("dl", { class: "keys" });
  for (const [key, what] of rows) {
    const row = element("div", {});
    const term = element("dt", {});
    term.append(element("kbd", {}, key));
    row.append(term, element("dd", {}, t(`keys.${what}`)));
    list.append(row);
  }
  place.replaceChildren(element("h3", {}, t("keys.heading")), element("p", { class: "hint" }, t("keys.where")), list);
}
