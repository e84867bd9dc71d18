// @ts-check
/** Reads the choices from the form of a game without a server. */

/** @param {HTMLFormElement} form @param {string} name */
const value = (form, name) => String(new FormData(form).get(name) ?? "").trim();

/**
 * Returns the choices as the engine takes them.
 * @param {HTMLFormElement} form
 * @param {import("../lib/text.js").T} t
 */
export function choiceIn(form, t) {
  const level = Number(value(form, "level"));
  const names = ["first", "second"].map((name, i) => value(form, name) || t("player", { n: i + 1 }));
  return {
    id: Array.from(crypto.getRandomValues(new Uint8Array(8)), (b) => b.toString(36)).join(""),
    rules: value(form, "rules"),
    options: value(form, "options"),
    level,
    start: level > 0 ? value(form, "start") : "creator",
    names: level > 0 ? names.slice(0, 1) : names,
  };
}

/** Offers two people only the games for two. @param {HTMLFormElement} form */
export function fitGames(form) {
  const people = value(form, "level") === "0";
  form.toggleAttribute("data-people", people);
  const four = (form.dataset.four ?? "").split(" ");
  for (const game of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=rules]"))) {
    const fits = !people || !four.includes(game.value);
    /** @type {HTMLElement} */ (game.closest("li")).hidden = game.disabled = !fits;
    if (!fits && game.checked) /** @type {HTMLInputElement} */ (form.querySelector("[name=rules]")).checked = true;
  }
}
