// @ts-check
/**
 * The log of the tournament.
 *
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./desk.js").Part} Part
 */

import { element, find } from "../lib/dom.js";
import { western } from "../lib/text.js";

/** Makes the part with the log: each act with its author. @param {Desk} desk @returns {Part} */
export function log(desk) {
  const box = /** @type {HTMLDetailsElement} */ (find("#log"));
  const told = /** @type {HTMLElement} */ (box.querySelector("output"));
  const time = new Intl.DateTimeFormat(western(desk.t.lang), { dateStyle: "short", timeStyle: "medium" });
  const ask = async () => {
    if (!box.open) return;
    const answer = await desk.orders.post(`/t/${desk.room}/log`, {}, told, { get: true });
    find("#log-rows").replaceChildren(
      ...(answer?.lines ?? []).map((/** @type {Record<string, any>} */ line) => {
        const row = element("li", { "data-kind": line.kind });
        row.append(element("time", { datetime: new Date(line.at).toISOString() }, time.format(line.at)));
        row.append(" ", line.by ? desk.t("log.by", { name: line.by, what: line.words }) : line.words);
        if (line.reason) row.append(` (${line.reason})`);
        return row;
      }),
    );
  };
  box.addEventListener("toggle", ask);
  find("#log-again").addEventListener("click", ask);
  return { draw() {} };
}
