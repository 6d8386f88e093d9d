// The locale of a page: its language, with the strings and formats of the language.

import type { FastifyRequest } from "fastify";
import { type Language, preferredLanguage } from "../preferred-language.ts";
import { Formatter } from "./formatter.ts";
import { en, type Strings } from "./strings/en.ts";

export interface Locale {
  language: Language;
  strings: Strings;
  format: Formatter;
}

function makeLocale(language: Language, makeStrings: (format: Formatter) => Strings): Locale {
  const format = new Formatter(language);
  return { language, format, strings: makeStrings(format) };
}

/** The languages that have strings. */
export const locales: Readonly<{ en: Locale } & Partial<Record<Language, Locale>>> = {
  en: makeLocale("en", en),
};

/**
 * The locale of a request: the language that the signed-in user chose, otherwise that of the browser, otherwise English.
 *
 * @param chosen the language of the user; null for that of the browser
 */
export function localeOf({ headers }: FastifyRequest, chosen: string | null = null): Locale {
  const all: Readonly<Record<string, Locale | undefined>> = locales;
  return (
    (chosen === null ? undefined : all[chosen]) ??
    all[preferredLanguage(headers["accept-language"])] ??
    locales.en
  );
}
