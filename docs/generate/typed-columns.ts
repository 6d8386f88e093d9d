// Writes the types of the feed's fields for tools that do not read the metric contract: Spark, Snowflake, Power Query and dbt.

import { readFileSync } from "node:fs";
import { feedFieldNames, feedFields } from "../../src/campaign/feed/feed-fields.ts";
import { type FeedTable, feedTables } from "../../src/campaign/feed/feed-tables.ts";
import type { RecordField } from "../../src/campaign/record-fields.ts";

/** The name of each type in each tool. CSV, which Power Query reads, has tags as text. */
export const columnTypes = {
  integer: { spark: "BIGINT", snowflake: "NUMBER(19, 0)", powerQuery: "Int64.Type", postgres: "bigint" },
  number: { spark: "DOUBLE", snowflake: "FLOAT", powerQuery: "type number", postgres: "double precision" },
  string: { spark: "STRING", snowflake: "VARCHAR", powerQuery: "type text", postgres: "text" },
  instant: {
    ...{ spark: "TIMESTAMP", snowflake: "TIMESTAMP_TZ(3)" },
    ...{ powerQuery: "type datetimezone", postgres: "timestamp with time zone" },
  },
  date: { spark: "DATE", snowflake: "DATE", powerQuery: "type date", postgres: "date" },
  tags: {
    ...{ spark: "ARRAY<STRUCT<name: STRING, color: STRING>>", snowflake: "VARIANT" },
    ...{ powerQuery: "type text", postgres: "jsonb" },
  },
} as const satisfies Record<RecordField["type"], Record<string, string>>;

type Tool = keyof (typeof columnTypes)["integer"];

const fieldsFor = (tool: Tool) =>
  feedFieldNames.map((name) => {
    const field: RecordField = feedFields[name];
    return { name, field, type: columnTypes[field.type][tool] };
  });

/** Files of which a part is generated, between a comment `generated: types` and a comment `end`. */
const parts: Readonly<Record<string, () => string[]>> = {
  "connectors/power-bi/csv-types.pq": () =>
    fieldsFor("powerQuery").map(
      ({ name, type }, index) =>
        `            {"${name}", ${type}}${index < feedFieldNames.length - 1 ? "," : ""}`,
    ),
  "connectors/warehouse/spark.sql": () =>
    columnLines("spark", (text) => `'${text.replaceAll(/['\\]/g, "\\$&")}'`),
  "connectors/warehouse/snowflake.sql": () =>
    columnLines("snowflake", (text) => `'${text.replaceAll("'", "''")}'`),
  "connectors/warehouse/sources.yml": dbtTables,
};

function columnLines(tool: "spark" | "snowflake", quote: (text: string) => string): string[] {
  return fieldsFor(tool).map(({ name, type, field }, index) => {
    const comma = index < feedFieldNames.length - 1 ? "," : "";
    return `  ${name} ${type}${field.nullMeans === undefined ? " NOT NULL" : ""} COMMENT ${quote(meaningOf(field))}${comma}`;
  });
}

const meaningOf = ({ description, nullMeans }: RecordField) =>
  nullMeans === undefined ? description : `${description} Null: ${nullMeans}`;

/** The SQL views as sources. JSON strings are YAML. */
function dbtTables(): string[] {
  return Object.entries<FeedTable>(feedTables).flatMap(([table, { description, fields }]) => [
    `      - name: ${table}`,
    `        description: ${JSON.stringify(description)}`,
    "        columns:",
    ...Object.entries(fields).flatMap(([name, field]) => [
      `          - name: ${name}`,
      `            description: ${JSON.stringify(meaningOf(field))}`,
      `            data_type: ${columnTypes[field.type].postgres}`,
    ]),
  ]);
}

const root = new URL("../../", import.meta.url);

/** The files with the types of all fields, by path from the repository root. */
export function typedColumns(): [path: string, content: string][] {
  return Object.entries(parts).map(([path, lines]) => [
    path,
    readFileSync(new URL(path, root), "utf8").replace(
      /(generated: types\n)[\s\S]*?( *(?:#|\/\/|--) end\n)/,
      (_all, start: string, end: string) => `${start}${lines().join("\n")}\n${end}`,
    ),
  ]);
}
