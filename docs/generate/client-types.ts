// Renders the types of the clients from the tables of fields and errors.

import { emailRecordSchema } from "../../src/campaign/email-record-schema.ts";
import { feedFields } from "../../src/campaign/feed/feed-fields.ts";
import type { FieldSchema } from "../../src/campaign/field-schema.ts";
import type { RecordField } from "../../src/campaign/record-fields.ts";
import { errors } from "../../src/errors.ts";

type FieldType = RecordField["type"];

const typescript: Record<FieldType, string> = {
  integer: "number",
  number: "number",
  string: "string",
  instant: "string",
  date: "string",
  tags: "readonly Tag[]",
};

/** The file `clients/typescript/records.ts`. */
export function typescriptTypes(): string {
  const members = (fields: readonly ClientField[]) =>
    fields.map(({ name, type, isNullable, description }) => {
      const comment = description === undefined ? "" : `  /** ${description} */\n`;
      return `${comment}  ${name}: ${typescript[type]}${isNullable ? " | null" : ""};\n`;
    });
  const declare = (description: string, name: string, fields: readonly ClientField[]) =>
    `\n/** ${description} */\nexport interface ${name} {\n${members(fields).join("")}}\n`;
  const codes = Object.keys(errors).map((code) => `\n  | ${JSON.stringify(code)}`);
  return [
    "// The types of the API. `npm run docs` writes this file from the tables of the service.\n",
    declare(tagDescription, "Tag", tagFields),
    declare(emailDescription, "Email", emailFields()),
    declare(
      `${feedDescription} Instants are ISO-8601 in UTC, dates \`YYYY-MM-DD\`.`,
      "FeedRecord",
      feedRecordFields(),
    ),
    `\n/** The codes of the errors of the service. */\nexport type ErrorCode =${codes.join("")};\n`,
  ].join("");
}

const python: Record<FieldType, string> = {
  integer: "int",
  number: "float",
  string: "str",
  instant: "datetime",
  date: "date",
  tags: "list[Tag]",
};

/** The classes of records in `clients/python/email_analytics.py`. */
export function pythonTypes(): string {
  const members = (fields: readonly ClientField[]) =>
    fields.map(({ name, type, isNullable, description }) => {
      const comment = description === undefined ? "" : `    # ${description}\n`;
      return `${comment}    ${name}: ${isNullable ? `Optional[${python[type]}]` : python[type]}`;
    });
  const declare = (description: string, name: string, fields: readonly ClientField[]) =>
    `class ${name}(TypedDict):\n    """${description}"""\n\n${members(fields).join("\n")}`;
  return [
    declare(tagDescription, "Tag", tagFields),
    declare(emailDescription, "Email", emailFields()),
    declare(
      `${feedDescription.replace("null", "None")} Instants are in UTC.`,
      "FeedRecord",
      feedRecordFields(),
    ),
  ].join("\n\n\n");
}

const tagDescription = "A tag of a campaign.";
const emailDescription =
  "A campaign of `emails()`: no field is null, so a 0 or an empty text may mean that nothing is known.";
const feedDescription = "A campaign of `download()` and `changes()`: typed, and null where nothing is known.";

interface ClientField {
  name: string;
  type: FieldType;
  isNullable?: boolean;
  description?: string;
}

const tagFields: readonly ClientField[] = [
  { name: "name", type: "string" },
  { name: "color", type: "string", description: "`#RRGGBB`" },
];

function emailFields(): ClientField[] {
  return Object.entries(emailRecordSchema.properties).map(([name, { type }]: [string, FieldSchema]) => ({
    name,
    type: name === "sent_at" ? "instant" : type === "array" ? "tags" : (type as FieldType),
    ...(name === "sent_at" && { description: "On the organization's clocks." }),
  }));
}

function feedRecordFields(): ClientField[] {
  return Object.entries(feedFields).map(
    ([name, { type, description, nullMeans }]: [string, RecordField]) => ({
      name,
      type,
      isNullable: nullMeans !== undefined,
      description: nullMeans === undefined ? description : `${description} Null: ${nullMeans}`,
    }),
  );
}
