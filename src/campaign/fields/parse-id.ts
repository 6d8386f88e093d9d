// Parses the id of a row from text.

import { largestInteger } from "./field-schema.ts";

/** A positive id in plain decimal digits; undefined for any other text. */
export function parseId(text: string): number | undefined {
  const id = Number(text);
  return /^[1-9]\d{0,15}$/.test(text) && id <= largestInteger ? id : undefined;
}
