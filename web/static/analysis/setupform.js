// @ts-check
/**
 * The form in which the viewer sets up a position. It begins with the position that is shown, and keeps its
 * claimed pits and its houses.
 *
 * @typedef {import("../model/shape.js").Shape} Shape
 * @typedef {import("../model/trace.js").Marks} Marks
 */

import { find } from "../lib/dom.js";
import { speaker } from "../speech/words.js";

/**
 * @param {import("./analysis.js").Parts} parts
 * @param {(position: string) => void} done gets the position as text (RULES.md §2)
 */
export function setUpForm({ t, own, words, study }, done) {
  const form = /** @type {HTMLFormElement} */ (find("#edit-form"));
  /** @type {Marks} of the position that the form began with */
  let marks = {};
  find("#edit").addEventListener("toggle", () => {
    const { board, turn } = study.here;
    marks = board.marks ?? {};
    const numbers = { pit: [...board.pits], store: [...board.stores] };
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=pit], [name=store]"));
    for (const field of fields) field.value = String(numbers[/** @type {"pit" | "store"} */ (field.name)].shift());
    const store = speaker(t, study.gameAt(study.here)).inHand ? t("hand") : own("edit.store");
    for (const label of form.querySelectorAll("label span")) label.textContent = store;
    /** @type {HTMLSelectElement} */ (find("#edit-form select")).value = String(turn);
  });
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    done(positionOf(new FormData(form), words.shape, marks));
  });
}

/**
 * Returns the position in the form. A claimed pit stays one as long as it gets no seeds, and a house as long as it has
 * some.
 * @param {FormData} data
 * @param {Pick<Shape, "sides" | "partners" | "pits">} shape
 * @param {Marks} marks
 */
export function positionOf(data, { sides, partners, pits }, marks) {
  const numbers = (/** @type {string} */ name) => data.getAll(name).map(String);
  const all = numbers("pit").map((n, pit) => {
    if (marks[pit] === "x" && n === "0") return "x";
    return marks[pit]?.includes("h") && n !== "0" ? `${n}h` : n;
  });
  const rows = Array.from({ length: sides }, (_, side) => all.slice(side * pits, (side + 1) * pits).join());
  const seat = Number(numbers("seat")[0]);
  const partner = partners > 1 ? Math.floor(seat / sides) + 1 : "";
  const name = (sides === 4 ? "SENW" : "SN")[seat % sides] + partner;
  return `${rows.join("/")} ${numbers("store").join("/")} ${name} play 0 0`;
}
