// The locale of a reader: the language, with its texts, and the formats of the reader's region.

import { type Formatter, makeFormatter } from "./formatter.ts";
import { type Language, languages, preferredLanguage } from "./preferred-language.ts";
import { makeTranslations, messagesOf, type Translations } from "./translations.ts";

export interface Locale extends Translations {
  language: Language;
  format: Formatter;
}

/** The locales by tag. `Intl` has about 200 regions of these languages, and no others get in. */
const made = new Map<string, Locale>();

/**
 * Makes a locale when it is first used: the formats of one take 10 ms of CPU time.
 *
 * @param tag whose formats it has, such as `en-GB`
 */
function makeLocale(language: Language, tag: string = language): Locale {
  const known = made.get(tag);
  if (known) return known;
  const locale = { language, format: makeFormatter(tag), ...makeTranslations(messagesOf[language], tag) };
  made.set(tag, locale);
  return locale;
}

export const locales: Readonly<Record<Language, Locale>> = {
  get en() {
    return makeLocale("en");
  },
  get de() {
    return makeLocale("de");
  },
  get fr() {
    return makeLocale("fr");
  },
  get sv() {
    return makeLocale("sv");
  },
  get es() {
    return makeLocale("es");
  },
};

function regionalLocale(language: Language, region: string): Locale {
  const tag = `${language}-${region}`;
  const known = made.get(tag);
  if (known) return known;
  // `Intl` falls back to the language if it does not have the region.
  if (new Intl.DateTimeFormat(tag).resolvedOptions().locale !== tag) return locales[language];
  return makeLocale(language, tag);
}

/**
 * The locale of a request: the language that the signed-in user chose, otherwise language and region of the browser,
 * otherwise English.
 *
 * @param chosen the language of the user; null for that of the browser
 */
export function localeOf(
  { headers }: { headers: { "accept-language"?: string | undefined } },
  chosen: string | null = null,
): Locale {
  const own = languages.find((each) => each === chosen);
  if (own) return locales[own];
  const { language, region } = preferredLanguage(headers["accept-language"]);
  return region === undefined ? locales[language] : regionalLocale(language, region);
}
