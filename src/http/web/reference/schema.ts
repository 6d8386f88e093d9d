// The fields of a JSON Schema as a table, and the types of values in words.

import { type Html, type HtmlValue, html } from "../../html.ts";
import type { OpenApiSchema } from "../../openapi-types.ts";
import { referenceStrings as strings } from "../strings/reference.ts";
import { renderInline } from "../ui/markdown.ts";
import { cellLabel, columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";

/** The anchor of a schema. */
const anchorOf = (name: string) => `schema-${name}`;

/** The section of a schema, with a table for each object in it that has no name. */
export function schemaSection(name: string, schema: OpenApiSchema): Html {
  return html`<section class="card" id="${anchorOf(name)}"><h3>${name}</h3>
${schema.description !== undefined && html`<p>${renderInline(schema.description)}</p>`}
${fieldTable(name, schema)}</section>`;
}

function fieldTable(name: string, schema: OpenApiSchema): Html {
  const fields = Object.entries(schema.properties ?? {});
  const nested = fields.flatMap(([field, value]) => partsOf(`${name}.${field}`, value));
  const headers = [
    columnHeader(strings.field),
    columnHeader(strings.type),
    columnHeader(strings.mayBeNull),
    textColumnHeader(strings.meaning),
  ];
  return html`${renderTable(strings.fieldsOf(name), headers, fields.map(fieldRow), { isStacked: true })}
${nested}`;
}

/** Tables for objects inside a field. */
function partsOf(path: string, schema: OpenApiSchema): Html[] {
  if (schema.properties) return [fieldTable(path, schema)];
  const items = schema.items;
  if (items?.properties) return [fieldTable(`${path}[]`, items)];
  return (items?.oneOf ?? []).map((each) => fieldTable(`${path}[]: ${each.title}`, each));
}

function fieldRow([name, schema]: [name: string, schema: OpenApiSchema]): Html {
  return html`<tr><th scope="row"><code>${name}</code></th><td class="wide">${describeType(schema)}</td>
<td${isNullable(schema) && cellLabel(strings.mayBeNull)}>${isNullable(schema) && strings.yes}</td><td class="text wide">${describeValue(schema)}</td></tr>
`;
}

/** The description, with default and example. */
export function describeValue({ description, default: byDefault, examples }: OpenApiSchema): Html {
  return html`${description !== undefined && renderInline(description)}${fact(strings.byDefault, byDefault)}${fact(strings.example, examples?.[0])}`;
}

export function fact(label: string, value: unknown): HtmlValue {
  if (value === undefined) return undefined;
  const isPlain = typeof value === "string" || (Array.isArray(value) && typeof value[0] !== "object");
  return html`<br><span class="soft">${label} <code>${isPlain ? String(value) : JSON.stringify(value)}</code></span>`;
}

/** The name that a reference ends in. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

const isNullable = ({ type }: OpenApiSchema): boolean => Array.isArray(type) && type.includes("null");

/** `integer`, `string (date)`, `list of Tag`. Null has a column of its own. */
export function describeType({ $ref, type, format, items, anyOf, oneOf }: OpenApiSchema): HtmlValue {
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return html`<a href="#${anchorOf(name)}">${name}</a>`;
  }
  const choices = anyOf ?? oneOf;
  if (choices) {
    return choices.map((each, index) => [index > 0 && ` ${strings.or} `, each.title ?? describeType(each)]);
  }
  if (items) return [`${strings.listOf} `, describeType(items)];
  const names = [type ?? []].flat().filter((each) => each !== "null");
  return `${names.join(` ${strings.or} `)}${format === undefined ? "" : ` (${format})`}`;
}
