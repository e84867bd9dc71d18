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
  if (first === "iso") return typed(at.getTime()).replace("T", " ");
  const region = lang === "en" && first === "day" ? "en-GB" : lang;
  return new Intl.DateTimeFormat(western(region), { dateStyle: "long", timeStyle: "short" }).format(at);
}

/**
 * Returns a time of the reader's clock as a field for a date and a time holds it: 2026-11-29T20:00.
 * @param {number} at ms
 */
export function typed(at) {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/**
 * Returns when a round ends, by the reader's clock: Sunday, 29 November at 20:00.
 * @param {number} at ms
 * @param {string} lang BCP 47
 */
export const onDay = (at, lang) =>
  inWords(at, lang, { weekday: "long", day: "numeric", month: "long", hour: "numeric", minute: "2-digit" });

/**
 * Returns the same where there is little place: Sun 20:00, or 29 Nov if that is a week away.
 * @param {number} at ms
 * @param {number} now ms
 * @param {string} lang BCP 47
 */
export const onDayShort = (at, now, lang) =>
  at - now < 6 * 86_400_000
    ? inWords(at, lang, { weekday: "short", hour: "numeric", minute: "2-digit" })
    : inWords(at, lang, { day: "numeric", month: "short" });

/**
 * Returns a time in words. The browser's language may name the region of the page's language.
 * @param {number} at
 * @param {string} lang
 * @param {Intl.DateTimeFormatOptions} parts
 */
function inWords(at, lang, parts) {
  const region = globalThis.navigator?.language?.startsWith(`${lang}-`) ? navigator.language : lang;
  return new Intl.DateTimeFormat(western(region), parts).format(at);
}

/** Writes the times of the page in the time of the reader's clock. */
export function writeTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-when]")))
    time.textContent = moment(new Date(time.dateTime), time.dataset.when ?? "", document.documentElement.lang);
}
