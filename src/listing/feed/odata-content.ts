// The bytes of an answer to an OData request.

import { type FeedRow, feedTables } from "../../campaign/feed/feed-tables.ts";
import { feedTypes } from "../../campaign/feed/feed-types.ts";
import type { RecordField } from "../../campaign/record-fields.ts";
import { orNotFound } from "../../errors.ts";
import { encodeCollection, encodeCount, encodeEntity } from "../../formats/odata-json.ts";
import type { SnapshotSource } from "./read-emails.ts";
import { countFound, readTable } from "./read-table.ts";
import { encodeSkipToken } from "./skip-token.ts";
import { orderOf, type PositionValue, type TableQuery } from "./table-query.ts";

/** What a client wants to know of the rows. Plain data, so that it can be sent to a thread. */
export interface ODataContent {
  query: TableQuery;
  kind: "collection" | "entity" | "count";
  /** The URL that describes the rows. */
  context: string;
  /** The fields to write; all by default. */
  select?: readonly string[] | undefined;
  /** Whether a collection says how many rows all its pages have. */
  hasCount: boolean;
  /** Whether integers of 64 bits are text, for clients whose numbers are doubles. */
  isIeee754Compatible: boolean;
  /** The rows of a page, and the URL of the next one, to which a token is added. */
  page?: { size: number; url: string } | undefined;
}

/** @throws AppError `not_found` if the only entity does not exist */
export async function encodeOData(
  source: SnapshotSource,
  content: ODataContent,
): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
  const { query, kind, context, select, hasCount, page } = content;
  const texts = content.isIeee754Compatible ? integersOf(query.table) : [];
  if (kind === "count") return [encodeCount(await countFound(source, query))];
  const rows = readTable(source, query);
  if (kind === "entity") {
    const { value } = await rows.next();
    const [row] = (value as readonly FeedRow[] | undefined) ?? [];
    const entity = orNotFound(row, `No row of ${query.table} has this key.`);
    return [encodeEntity(entity, { context, select, texts })];
  }
  return encodeCollection(rows, {
    context,
    select,
    texts,
    count: hasCount ? await countFound(source, query) : undefined,
    page: page && {
      size: page.size,
      nextLink: (last) => {
        const token = { pageSize: page.size, after: positionOf(query, last) };
        return page.url + encodeSkipToken(query, token, source.organization.secret);
      },
    },
  });
}

/** `@odata.count` is an Edm.Int64 too. */
const integersOf = (table: TableQuery["table"]): string[] => [
  "@odata.count",
  ...Object.entries<RecordField>(feedTables[table].fields)
    .filter(([, { type }]) => feedTypes[type].edm === "Edm.Int64")
    .map(([name]) => name),
];

/** The values of a row in the fields of the order. */
function positionOf(query: TableQuery, row: FeedRow): PositionValue[] {
  return orderOf(query).map(([field]) => row[field] as PositionValue);
}
