// @ts-check
/**
 * "Why?" beside a refusal: the paragraph of the rules that it comes from, in a
 * sheet over the game; where there is no such paragraph, the rules in short.
 */

import { element } from "../lib/dom.js";


export class RuleSheet {
  /** @param {HTMLAnchorElement} link @param {import("../lib/text.js").T} t @param {() => void} short shows the rules in short */
  constructor(link, t, short) {
    this.link = link;
    this.t = t;
    this.short = short;
    link.addEventListener("click", (e) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      void this.#open();
    });
  }

  /** Where the rules speak of it, or "". @param {string} href */
  point(href) {
    this.link.hidden = href === "";
    if (href) this.link.href = href;
  }

  async #open() {
    const { href, hash, pathname, search } = this.link;
    const page = await fetch(pathname + search).then((r) => (r.ok ? r.text() : ""), () => "");
    const found = new DOMParser().parseFromString(page, "text/html").getElementById(hash.slice(1));
    if (!found) return this.short();
    const title = element("h2", { id: "why-title", class: "unseen" }, this.link.textContent ?? "");
    const text = element("div", { class: "why-text" });
    // A heading's paragraph follows it; anything else is the paragraph.
    for (let el = /** @type {Element | null} */ (found); el; el = /^H\d$/.test(found.tagName) ? el.nextElementSibling : null) {
      if (el !== found && /^H\d$/.test(el.tagName)) break;
      text.append(document.importNode(el, true));
    }
    for (const el of text.querySelectorAll("[id]")) el.removeAttribute("id"); // ids are the page's own
    const close = element("form", { method: "dialog" });
    close.append(element("button", { class: "primary" }, this.t("close")));
    const whole = element("a", { href, target: "_blank" }, this.t("why.whole"));
    const dialog = /** @type {HTMLDialogElement} */ (element("dialog", { class: "help why-sheet", "aria-labelledby": "why-title" }));
    dialog.append(title, text, whole, close);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
