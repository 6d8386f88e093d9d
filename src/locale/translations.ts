// The texts of a language: the ICU messages of `messages/`.

import { IntlMessageFormat } from "intl-messageformat";
import { type Html, html } from "./html.ts";
import de from "./messages/de.json" with { type: "json" };
import en from "./messages/en.json" with { type: "json" };
import es from "./messages/es.json" with { type: "json" };
import fr from "./messages/fr.json" with { type: "json" };
import sv from "./messages/sv.json" with { type: "json" };
import type { Language } from "./preferred-language.ts";

export interface Translations {
  /** A text. Its arguments have names: `t("tags.added", { name })`. */
  t(key: MessageKey, values?: Values<string | number | boolean>): string;
  /** A text with elements. The argument `href` is the URL of its link. */
  rich(key: MessageKey, values?: Values<string | number | Html>): Html;
  /** The texts of a table by their names: `texts("roles")` has those of `viewer` and `admin`. */
  texts<Prefix extends string>(prefix: Prefix): Record<NameIn<Prefix>, string>;
  /** The translation of a text that a table of the code has in English, such as the title of a field. */
  translate(key: string, english: string): string;
}

type MessageKey = keyof typeof en;
/** The names of the texts of a table. */
export type NameIn<Prefix extends string, Key = MessageKey> = Key extends `${Prefix}.${infer Name}`
  ? Name
  : never;
type Values<Value> = Readonly<Record<string, Value>>;

/** Messages in the syntax of ICU by their keys. */
type Messages = Readonly<Record<string, string>>;
export const messagesOf: Readonly<Record<Language, Messages>> = { en, de, fr, sv, es };

/**
 * @param messages of a language; texts that it lacks are in English
 * @param tag whose formats of numbers the texts have, such as `en-GB`
 */
export function makeTranslations(messages: Messages, tag: string): Translations {
  // Messages that make formatters of their own take 50 times as long.
  const [numbers, plurals] = [new Intl.NumberFormat(tag), new Intl.PluralRules(tag)];
  const formatters = {
    getNumberFormat: () => numbers,
    getPluralRules: () => plurals,
    getDateTimeFormat: () => new Intl.DateTimeFormat(tag),
  };
  const compiled = new Map<string, IntlMessageFormat>();

  function compile(key: string): IntlMessageFormat {
    const text = messages[key] ?? en[key as MessageKey];
    const message = compiled.get(key) ?? new IntlMessageFormat(text, tag, undefined, { formatters });
    compiled.set(key, message);
    return message;
  }

  const textOf = (key: string, values?: Values<string | number | boolean>) =>
    compile(key).format(values) as string;

  return {
    t: textOf,
    rich(key, values) {
      const link = (content: Content) => html`<a href="${values?.href}">${content}</a>`;
      return html`${compile(key).format<Html>({ ...elements, a: link, ...values })}`;
    },
    texts<Prefix extends string>(prefix: Prefix) {
      const keys = Object.keys(en).filter((key) => key.startsWith(`${prefix}.`));
      const texts = keys.map((key) => [key.slice(prefix.length + 1), textOf(key)]);
      return Object.fromEntries(texts) as Record<NameIn<Prefix>, string>;
    },
    translate: (key, english) => (key in messages ? textOf(key) : english),
  };
}

type Content = (string | Html)[];

const elements = {
  code: (content: Content) => html`<code>${content}</code>`,
  strong: (content: Content) => html`<strong>${content}</strong>`,
};
