// The tags of a campaign as whoever brings it names them: by name, with a colour or without.

import { Compile } from "typebox/schema";
import { tagFields } from "./email-record.ts";
import { quote } from "./quote.ts";
import { type FieldError, isStorable } from "./validate-fields.ts";

/** The organization's tag of that name, or a new one. */
export interface TagReference {
  name: string;
  color: string | null;
}

const checkName = Compile(tagFields.name);
const checkColor = Compile(tagFields.color);

/** Reads a list of names or of `{name, color}`; of tags of the same name the first one is taken. */
export function readTags(value: unknown): { tags: TagReference[]; errors: FieldError[] } {
  const tags = new Map<string, TagReference>();
  const errors: FieldError[] = [];
  const refuse = (input: unknown, wanted: string) =>
    errors.push({ field: "tags", problem: `${quote(input)} is not ${wanted}` });
  if (!Array.isArray(value)) refuse(value, "a list of tags");
  for (const entry of Array.isArray(value) ? (value as unknown[]) : []) {
    const { name, color = null } =
      typeof entry === "string" ? { name: entry } : ((entry ?? {}) as { name?: unknown; color?: unknown });
    const trimmed = typeof name === "string" ? name.trim() : name;
    if (!checkName.Check(trimmed) || !isStorable(trimmed)) {
      refuse(entry, "a tag with a name of 1 to 200 characters");
    } else if (color !== null && !checkColor.Check(color)) {
      refuse(color, `a color of the form #RRGGBB, for the tag ${quote(trimmed)}`);
    } else if (!tags.has(trimmed as string)) {
      tags.set(trimmed as string, { name: trimmed as string, color: color as string | null });
    }
  }
  return { tags: [...tags.values()], errors };
}
