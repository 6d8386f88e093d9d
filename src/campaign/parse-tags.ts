// Parses the tags of an incoming campaign: names, with or without a color.

import { Compile } from "typebox/schema";
import { tagFields } from "./email-record-schema.ts";
import { quote } from "./fields/quote.ts";
import { type FieldError, isStorable } from "./fields/validate-fields.ts";

/** Refers to the organization's tag with this name, or to a new one. */
export interface TagReference {
  name: string;
  color: string | null;
}

const checkName = Compile(tagFields.name);
const checkColor = Compile(tagFields.color);

/**
 * Parses a list of names or `{name, color}` objects. Of tags with the same name, the first one counts.
 *
 * @returns also other fields of tags, as `tags.name`
 */
export function parseTags(value: unknown): {
  tags: TagReference[];
  errors: FieldError[];
  unknownFields: string[];
} {
  const unknownFields = new Set<string>();
  const tags = new Map<string, TagReference>();
  const errors: FieldError[] = [];
  const reject = (input: unknown, expected: string) =>
    errors.push({ field: "tags", problem: `${quote(input)} is not ${expected}` });
  if (!Array.isArray(value)) reject(value, "a list of tags");
  for (const entry of Array.isArray(value) ? (value as unknown[]) : []) {
    const {
      name,
      color = null,
      ...others
    } = typeof entry === "string" ? { name: entry } : ((entry ?? {}) as { name?: unknown; color?: unknown });
    for (const other of Object.keys(others)) unknownFields.add(`tags.${other}`);
    const trimmed = typeof name === "string" ? name.trim() : name;
    if (!checkName.Check(trimmed) || !isStorable(trimmed)) {
      reject(entry, "a tag with a name of 1 to 200 characters");
    } else if (color !== null && !checkColor.Check(color)) {
      reject(color, `a color of the form #RRGGBB, for the tag ${quote(trimmed)}`);
    } else if (!tags.has(trimmed as string)) {
      tags.set(trimmed as string, { name: trimmed as string, color: color as string | null });
    }
  }
  return { tags: [...tags.values()], errors, unknownFields: [...unknownFields] };
}
