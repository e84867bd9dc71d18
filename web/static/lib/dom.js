// @ts-check
/** Helpers for the elements of a page. */

/**
 * Returns the element that a selector finds. The page has it: a missing one is a mistake here.
 * @param {string} selector
 */
export const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/**
 * Makes a new element.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string | number} [text]
 */
export function element(tag, attributes, text) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  if (text !== undefined) el.textContent = String(text);
  return el;
}

/**
 * Sets the text of an element. A text that is there already is not set again, so that
 * the browser does not lay it out again. The text is a new node: where only a part of a node
 * changes, some screen readers read that part alone.
 * @param {Element} el
 * @param {string} text
 */
export function write(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/**
 * Shows an element, or hides it. An element that is so already is left alone: the browser would style it again.
 * @param {HTMLElement | string} what the element, or a selector that may find none
 * @param {boolean} visible
 */
export function show(what, visible) {
  const el = typeof what === "string" ? find(what) : what;
  if (el?.hidden === visible) el.hidden = !visible;
}

/**
 * Scrolls the page so far that an element is in view.
 * @param {string} selector
 */
export const intoView = (selector) => find(selector).scrollIntoView({ block: "nearest", behavior: "instant" });
