// The locale of a page: its language, with the strings and formats of the language.

import type { FastifyRequest } from "fastify";
import { type Language, languages, preferredLanguage } from "../preferred-language.ts";
import { Formatter } from "./formatter.ts";
import { de } from "./strings/de.ts";
import { en, type Strings } from "./strings/en.ts";
import { es } from "./strings/es.ts";
import { fr } from "./strings/fr.ts";
import { sv } from "./strings/sv.ts";

export interface Locale {
  language: Language;
  strings: Strings;
  format: Formatter;
}

function makeLocale(language: Language, makeStrings: (format: Formatter) => Strings): Locale {
  const format = new Formatter(language);
  return { language, format, strings: makeStrings(format) };
}

export const locales: Readonly<Record<Language, Locale>> = {
  en: makeLocale("en", en),
  de: makeLocale("de", de),
  fr: makeLocale("fr", fr),
  sv: makeLocale("sv", sv),
  es: makeLocale("es", es),
};

/**
 * The locale of a request: the language that the signed-in user chose, otherwise that of the browser, otherwise English.
 *
 * @param chosen the language of the user; null for that of the browser
 */
export function localeOf({ headers }: FastifyRequest, chosen: string | null = null): Locale {
  const language = languages.find((each) => each === chosen);
  return locales[language ?? preferredLanguage(headers["accept-language"])];
}
