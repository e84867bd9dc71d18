// @ts-check
/** Buttons that need a second tap. Those of a game are in game/actionbar.js, where a button can go meanwhile. */

/**
 * Reports whether a tap on a button is the second one within three seconds. The first one makes the button ask. It
 * keeps its width meanwhile: a tap that comes later must not meet the button beside it.
 * @param {HTMLElement} el
 * @param {string} ask
 */
export function isConfirmed(el, ask) {
  if (el.classList.contains("armed")) return true;
  const text = el.textContent;
  el.style.width = `${el.getBoundingClientRect().width}px`;
  el.classList.add("armed");
  el.onkeydown = (e) => !e.repeat || e.key !== "Enter"; // a held key clicks again: that confirms nothing
  el.textContent = ask;
  setTimeout(() => {
    el.classList.remove("armed");
    el.style.width = "";
    if (el.textContent === ask) el.textContent = text;
  }, 3_000);
  return false;
}
