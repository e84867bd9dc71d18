// @ts-check
/**
 * The steppers of house rules. The text of all options is what the form sends; a stepper is a
 * quick way to change one option of it. Without script the steppers themselves are sent.
 */

/** Returns the value of an option in a text such as "pits=7 seeds=5". @param {string} text @param {string} name */
export const valueIn = (text, name) => new RegExp(`(?:^|\\s)${name}=(\\S*)`).exec(text)?.[1] ?? "";

/**
 * Returns the text with another value of an option, or without the option if the value is empty.
 * @param {string} text
 * @param {string} name
 * @param {string} value
 */
export function withValue(text, name, value) {
  const others = text.split(/\s+/).filter((part) => part && !part.startsWith(`${name}=`));
  return [...others, ...(value ? [`${name}=${value}`] : [])].join(" ");
}

/**
 * Shows in the steppers of a form the values in its text, and those that are usual in its game. The link to the
 * composer takes both along.
 * @param {HTMLFormElement} form
 */
function show(form) {
  const text = /** @type {HTMLInputElement} */ (form.elements.namedItem("options"));
  const game = /** @type {HTMLElement | null} */ (form.querySelector("[name=rules]:checked"));
  for (const step of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-option]"))) {
    const name = step.dataset.option ?? "";
    const input = /** @type {HTMLInputElement} */ (step.querySelector("input"));
    input.removeAttribute("name");
    const own = valueIn(text.value, name);
    input.value = /^\d*$/.test(own) ? own : ""; // seeds=1,0,9 is no number
    input.placeholder = game?.dataset[name] || input.placeholder;
  }
  const composer = /** @type {HTMLAnchorElement | null} */ (form.querySelector("[data-composer]"));
  const rules = /** @type {RadioNodeList} */ (form.elements.namedItem("rules")).value;
  if (composer) composer.search = String(new URLSearchParams({ rules, options: text.value }));
}

/** @param {HTMLFormElement} form @param {HTMLElement} step @param {string} value */
function set(form, step, value) {
  const text = /** @type {HTMLInputElement} */ (form.elements.namedItem("options"));
  text.value = withValue(text.value, step.dataset.option ?? "", value);
  show(form);
  text.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Brings the steppers of a page to life, once: a page may load a second bundle later. */
export function steppers() {
  if (document.body.dataset.steps) return;
  document.body.dataset.steps = "on";
  const formOf = (/** @type {Event} */ e) =>
    /** @type {HTMLFormElement | null | undefined} */ (
      /** @type {HTMLElement} */ (e.target).closest("form:has([data-option])")
    );
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form:has([data-option])")))
    show(form);
  document.addEventListener("click", (e) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest("[data-step]"));
    const step = /** @type {HTMLElement | null | undefined} */ (button?.closest("[data-option]"));
    const form = formOf(e);
    if (!button || !step || !form) return;
    const input = /** @type {HTMLInputElement} */ (step.querySelector("input"));
    show(form);
    const next = Number(input.value || input.placeholder || 4) + Number(button.dataset.step);
    if (next >= Number(input.min) && next <= Number(input.max)) set(form, step, String(next));
  });
  document.addEventListener("change", (e) => {
    const form = formOf(e);
    const target = /** @type {HTMLInputElement} */ (e.target);
    const step = /** @type {HTMLElement | null} */ (target.closest("[data-option]"));
    if (!form) return;
    if (step) set(form, step, target.value.trim());
    else if (["rules", "options"].includes(target.name)) show(form);
  });
  // the server's answer about the game is written into the text meanwhile
  document.addEventListener("focusin", (e) => {
    const form = formOf(e);
    if (form && !(/** @type {HTMLElement} */ (e.target).closest("input"))) show(form);
  });
}
