// Renders the tables of record, campaign, event and message fields.

import { eventTypes } from "../../src/campaign/events/event.ts";
import { eventSchemas } from "../../src/campaign/events/event-schema.ts";
import { describeAccepted, type FieldSchema } from "../../src/campaign/fields/field-schema.ts";
import { code, table } from "./markdown.ts";

/** Takes the unit of a number from its description; an integer without one is a count. */
export function fieldTable(fields: Record<string, FieldSchema>): string {
  const rows = Object.entries(fields).map(([name, { type = "", description = "" }]) => {
    const [meaning = "", unit] = description.split(/ Unit: (.*)\.$/);
    const isCount = type === "integer" && name !== "id" && !/\bpage\b/.test(name);
    const form = type === "array" ? "array of tags" : type;
    return [code(name), unit ?? (isCount ? "count" : form), meaning];
  });
  return table(["Field", "Type or unit", "Meaning"], rows);
}

/** The fields of a request body. A star marks those that are required. */
export function inputTable({
  properties,
  required,
}: {
  properties: object;
  required?: readonly string[];
}): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    starred(name, required?.includes(name)),
    ...inputCells(schema as FieldSchema),
  ]);
  return table(["Field", "Accepted", "Meaning"], rows);
}

/** The fields of all event types in one table: which types take a field, and whether it is required. */
export function eventFieldTable(): string {
  const fields = new Map(eventTypes.flatMap((type) => Object.entries(eventSchemas[type].properties)));
  const rows = [...fields].map(([name, schema]) => {
    const takenBy = eventTypes.filter((type) => Object.hasOwn(eventSchemas[type].properties, name));
    const isRequired = takenBy.every((type) => eventSchemas[type].required?.includes(name));
    const types = takenBy.length === eventTypes.length ? "all" : takenBy.map(code).join(", ");
    return [starred(name, isRequired), types, ...inputCells(schema)];
  });
  return table(["Field", "Types", "Accepted", "Meaning"], rows);
}

function starred(name: string, isRequired = false): string {
  return code(name) + (isRequired ? "*" : "");
}

/** Accepted values and meaning. The page says once, outside the table, which characters text may not have. */
function inputCells(schema: FieldSchema): string[] {
  return [describeAccepted(schema).replace(/,? with(?:out| no) NUL.*$/, ""), schema.description ?? ""];
}
