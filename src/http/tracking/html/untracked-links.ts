// The web links that stay as they are: unfinished URLs, links to unsubscribe, and links whose author opted out. In case
// of doubt a link is not tracked, because an untracked link always works.

import { unsubscribePhrases } from "./unsubscribe-phrases.ts";

interface Link {
  /** The `href` after character references are resolved. */
  value: string;
  /** The absolute URL. */
  target: string;
  /** The visible text. */
  text: string;
  attributes: ReadonlyMap<string, string>;
}

/** A longer target makes a tracking URL that is too long for many mail clients. */
export const maxTargetLength = 8_000;

/** Every reason not to track a link, for the docs. The first ones are cheap and keep long texts from the others. */
export const untrackedReasons: readonly { reason: string; applies(link: Link): boolean }[] = [
  {
    reason: `its target has more than ${maxTargetLength} characters`,
    applies: ({ target }) => target.length > maxTargetLength,
  },
  {
    reason: "its author marked it as untracked",
    applies: ({ attributes }) =>
      Object.entries(marks).some(([name, value]) => value.test(attributes.get(name) ?? absent)),
  },
  {
    reason: "its URL contains a placeholder, which the mail program replaces when it sends the message",
    applies: ({ value }) => Object.values(placeholders).some((shape) => shape.test(value)),
  },
  {
    reason: "its URL contains a word for unsubscribing",
    applies: ({ target }) => unsubscribing.test(simplify(decode(target))),
  },
  {
    reason: "its text contains a word for unsubscribing",
    applies: ({ text, attributes }) =>
      [text, attributes.get("title"), attributes.get("aria-label")].some(
        (each) => each !== undefined && unsubscribing.test(simplify(each)),
      ),
  },
];

export function isUntracked(link: Link): boolean {
  return untrackedReasons.some(({ applies }) => applies(link));
}

/** No attribute has this value: the parser replaces NUL. */
const absent = "\0";
const anyValue = /^[^\0]*$/;

/** The attributes, and their values, by which authors tell email providers not to track a link. */
const marks: Record<string, RegExp> = {
  // Postmark, SendGrid, Mailgun, Mandrill, Amazon SES, SparkPost.
  "data-pm-no-track": anyValue,
  clicktracking: /^off$/i,
  "disable-tracking": /^true$/i,
  "mc:disable-tracking": anyValue,
  "ses:no-track": anyValue,
  "data-msys-clicktrack": /^0$/,
  // This attribute belongs to no provider.
  "data-track": /^off$/i,
};

/**
 * The placeholders of mail programs. No expression may match across the start of another placeholder: a long row of
 * starts would take quadratic time.
 */
const placeholders: Record<string, RegExp> = {
  // Does not match a GUID in braces, which many links to SharePoint contain.
  "{…}, {{…}}, {%…%}, ${…}": /\{(?![\da-f]{8}-[\da-f]{4}-)[^{}]*\}/i,
  // Editors encode placeholders that they do not know. Encoded JSON does not start with two braces.
  "{{…}}, encoded": /%7b%7b/i,
  "*|…|*": /\*(\||%7c)[^|*]*?(\||%7c)\*/i,
  "<%…%>": /<%[^<]*%>/,
  // Except list parameters in a query, ?filter[color]=red, ?a[b][c]=1, and IPv6 addresses.
  "[…]": /(?<![\w\]])\[(?![\da-f]*:)[a-z_][^[\]]*\]/i,
  "[…], encoded": /(?<!\w|%5d)(?:%5b)+[a-z_](?:(?!%5[bd]).)*%5d/i,
  "[%…%]": /\[%[^[]*%\]/,
  "%%…%%": /%%[^%]+%%/,
  // Does not match if both signs start an encoded byte, as in %CAFE%20.
  "%…%": /%(?![\da-f]{2})[a-z_][\w.:-]*%|%[a-z_][\w.:-]*%(?![\da-f]{2})/i,
  "##…##": /##[^#]+##/,
};

const unsubscribing = new RegExp(Object.values(unsubscribePhrases).flat().join("|").normalize("NFD"), "u");

/** Lower case, without accents and without invisible characters such as soft hyphens, with single spaces. */
function simplify(text: string): string {
  const plain = text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\p{M}\p{Cf}]/gu, "");
  return plain.replace(/[^\p{L}\p{N}]+/gu, " ");
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
