// @ts-check
/**
 * "Why?" beside a refusal: shows the section of the rules that explains it, in a sheet over the
 * game. Without such a section it shows the rules in short.
 */

import { element, show } from "../lib/dom.js";
import { textOf } from "../lib/language.js";

export class RuleSheet {
  /**
   * @param {HTMLAnchorElement} link
   * @param {import("../lib/text.js").T} t
   * @param {() => void} short shows the rules in short
   */
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

  /** Sets the address of the section; "" hides the link. @param {string} href */
  point(href) {
    show(this.link, href !== "");
    if (href) this.link.href = href;
  }

  async #open() {
    const { href, hash, pathname, search } = this.link;
    const page = await textOf(pathname + search);
    const found = new DOMParser().parseFromString(page, "text/html").getElementById(hash.slice(1));
    if (!found) return this.short();
    const title = element("h2", { id: "why-title", class: "unseen" }, this.link.textContent ?? "");
    const text = element("div", { class: "why-text" });
    // For a heading, the section is everything up to the next heading; else it is the element
    // itself.
    for (
      let el = /** @type {Element | null} */ (found);
      el;
      el = /^H\d$/.test(found.tagName) ? el.nextElementSibling : null
    ) {
      if (el !== found && /^H\d$/.test(el.tagName)) break;
      text.append(document.importNode(el, true));
    }
    for (const el of text.querySelectorAll("[id]")) el.removeAttribute("id"); // ids belong to the page
    const close = element("form", { method: "dialog" });
    close.append(element("button", { class: "primary" }, this.t("close")));
    const whole = element("a", { href, target: "_blank" }, this.t("why.whole"));
    const dialog = /** @type {HTMLDialogElement} */ (
      element("dialog", { class: "help why-sheet", "aria-labelledby": "why-title" })
    );
    dialog.append(title, text, whole, close);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
