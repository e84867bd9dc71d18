// @ts-check
/** Numbers and times as people write them. */

import { western } from "../lib/text.js";

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();
const rounded = { maximumFractionDigits: 2, useGrouping: false };

/**
 * Returns a number as people write it in a language: 2.5, and in French 2,5.
 * @param {number} value with two decimals at most
 * @param {string} [lang] BCP 47; that of the page if there is none
 */
export function figure(value, lang = document.documentElement.lang) {
  const format = formats.get(lang) ?? new Intl.NumberFormat(western(lang), rounded);
  formats.set(lang, format);
  return format.format(value).replace("-", "−");
}

/**
 * Returns a time of the reader's clock.
 * @param {Date} at
 * @param {string} first what comes first in a date: "iso" for the year, "day" or "month"
 * @param {string} lang BCP 47
 */
export function moment(at, first, lang) {
  if (first === "iso") {
    const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
    return local.toISOString().slice(0, 16).replace("T", " ");
  }
  const region = lang === "en" && first === "day" ? "en-GB" : lang;
  return new Intl.DateTimeFormat(western(region), { dateStyle: "long", timeStyle: "short" }).format(at);
}
