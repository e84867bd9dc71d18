// @ts-check
/** Let an element say something. Text that it says already is not set again: it would be laid out again. @param {Element} el @param {string} text */
export function write(el, text) {
  if (el.textContent !== text) el.textContent = text;
}
