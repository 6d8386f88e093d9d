// Quotes an input in a message of a page.

import { quote } from "../../campaign/fields/quote.ts";
import type { Locale } from "./locale.ts";

/** A text in the quotation marks of the language, truncated; otherwise as {@link quote} writes it. */
export function quoted({ t }: Locale, input: string | number): string {
  const text = quote(input);
  return typeof input === "string" ? t("ui.quoted", { text: text.replace(/^"|"$/g, "") }) : text;
}
