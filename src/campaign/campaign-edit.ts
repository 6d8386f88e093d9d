// What a program sets of a campaign besides its registration, as a person would: tags and the team.

import { objectSchema, textSchema } from "./fields/field-schema.ts";
import { compileObjectCheck, type FieldError } from "./fields/validate-fields.ts";
import { parseTags, type TagReference } from "./parse-tags.ts";

interface CampaignEdit {
  /** Null for none, undefined if it stays. */
  team: string | null | undefined;
  add: TagReference[];
  remove: TagReference[];
}

const tags = (description: string) => ({
  type: "array" as const,
  items: {},
  description,
  accepts: "a list of tags",
  examples: [["Newsletter"]],
});

export const campaignEditSchema = objectSchema(
  {
    team: textSchema("Team name; `null` for none.", "Internal Communications"),
    add_tags: tags("Tags to add: names, or `{name, color}`. Tags that do not exist yet are created."),
    remove_tags: tags("Tags to remove, by name."),
  },
  { optional: ["team", "add_tags", "remove_tags"] },
);

const check = compileObjectCheck(campaignEditSchema);

/** Parses an edit, or reports all fields that are wrong. No other field is allowed. */
export function parseCampaignEdit(input: unknown): CampaignEdit | { errors: FieldError[] } {
  const { fields, errors } = check(input);
  if (!fields) return { errors };
  const parse = (field: "add_tags" | "remove_tags") => {
    const parsed = parseTags(Array.isArray(fields[field]) ? fields[field] : []);
    errors.push(...parsed.errors.map(({ problem }) => ({ field, problem })));
    return parsed.tags;
  };
  const [add, remove] = [parse("add_tags"), parse("remove_tags")];
  if (errors.length > 0) return { errors };
  return { team: fields.team as CampaignEdit["team"], add, remove };
}
