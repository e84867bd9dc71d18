// @ts-check
/**
 * User-visible text from a catalog: flat keys, places like `{name}`, and plural forms chosen by
 * `{n}`. The server fills the same catalog by the same rules.
 *
 * @typedef {Record<string, string | Record<string, string>>} Catalog
 * @typedef {Record<string, string | number>} Values
 * @typedef {((key: string, values?: Values) => string) & {has: (key: string) => boolean, lang: string}} T
 */

/**
 * @param {Catalog} catalog
 * @param {string} lang BCP 47
 * @returns {T} a missing key returns itself, so a page never fails because of one
 */
export function translator(catalog, lang) {
  const plural = new Intl.PluralRules(lang);
  /** @param {string} key @param {Values} [values] */
  const t = (key, values = {}) => {
    const entry = catalog[key];
    if (entry === undefined) return key;
    let text = entry;
    if (typeof text !== "string") {
      const form = plural.select(Number(values.n ?? 0));
      text = text[form] ?? text.other;
    }
    return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
  };
  return Object.assign(t, { has: (/** @type {string} */ key) => key in catalog, lang });
}

// Spanish has another word for "and" before the sound of i, and for "or" before that of o.
const vowel = { and: /^h?i(?![ae])/i, or: /^(h?o|8|11\b)/i };

/**
 * Returns the items of a list as one text, such as "4, 3, 2". With a word before the last item it is "4, 3 and
 * 2". Intl.ListFormat is not used: when the first one is made, the browser reads data of all languages, and a
 * slow phone stops for 100 ms in the middle of a move.
 * @param {T} t
 * @param {(string | number)[]} items
 * @param {"and" | "or"} [word]
 */
export function listed(t, items, word) {
  const texts = items.map(String);
  const last = word && texts.length > 1 ? texts.pop() : undefined;
  const a = texts.reduce((a, b) => (a ? t("list", { a, b }) : b), "");
  if (!word || last === undefined) return a;
  return t(`list.${word}${vowel[word].test(last) ? ".vowel" : ""}`, { a, b: last });
}

/**
 * Returns the names of a server's answer, with those of deleted players in the language of the page.
 * They have English ones there, numbered in this order.
 * @param {T} t
 * @param {{names?: Record<string, string>, deleted?: string[]}} answer
 * @returns {Record<string, string>} by player
 */
export const namesIn = (t, { names, deleted = [] }) =>
  deleted.reduce((all, id, i) => ({ ...all, [id]: t("player.deleted") + (i ? ` ${i + 1}` : "") }), { ...names });

/**
 * Returns the name of a game. A snapshot has the English one.
 * @param {T} t
 * @param {{rules: string, title: string}} snap
 */
export const gameName = (t, { rules, title }) => (t.has(`system.${rules}`) ? t(`system.${rules}`) : title);

/**
 * Returns the name of a language for numbers and dates in it, with the digits 0 to 9, as everywhere on the pages.
 * @param {string} lang BCP 47
 */
export const western = (lang) => `${lang}-u-nu-latn`;

/**
 * Returns a translator for games of partners: it prefers the catalog's texts for partners ("their store").
 * @param {T} t
 * @returns {T}
 */
export function ofPartners(t) {
  const plural = (/** @type {string} */ key) => (t.has(`${key}.team`) ? `${key}.team` : key);
  return Object.assign((/** @type {string} */ key, values = /** @type {Values} */ ({})) => t(plural(key), values), {
    has: t.has,
    lang: t.lang,
  });
}

/**
 * Capitalises the first letter of a sentence: names and pronouns stand at the beginning of a
 * sentence and inside it.
 * @param {string} s
 * @param {string} lang
 */
export function capital(s, lang) {
  return s.charAt(0).toLocaleUpperCase(lang) + s.slice(1);
}
