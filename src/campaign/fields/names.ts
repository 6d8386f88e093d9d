// Names of organizations, keys and tags.

import { foldCase } from "./fold-case.ts";

/** Describes names in error messages. */
export const acceptedName =
  "1 to 200 characters on one line, at least one of them visible, without invisible marks that change the text direction";

/** Unclosed direction marks also reorder the text after a name, so a name could falsify the text around it. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/;

/** Has a visible character, and no replacement character. Hangul fillers are letters, and the blank Braille pattern is a symbol. */
const isVisible = (name: string) =>
  /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v.test(name) &&
  !name.includes("\ufffd");

/** The trimmed name; undefined if it is not accepted. */
export function normalizeName(text: string): string | undefined {
  const name = text.trim();
  const isName =
    name.length >= 1 && name.length <= 200 && name.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
  return isName && isVisible(name) && !directionMarks.test(name) ? name : undefined;
}

/** The name in quotes, for use in a sentence. Isolated, so that right-to-left text does not reorder the sentence. */
export function quoteName(name: string): string {
  return `\u2068${JSON.stringify(name)}\u2069`;
}

/** The first with a name that people take for the same: letter case and Unicode composition make no difference. */
export function findSameName<Named extends { name: string }>(
  all: readonly Named[],
  name: string,
): Named | undefined {
  const wanted = foldCase(name);
  return all.find((each) => foldCase(each.name) === wanted);
}
