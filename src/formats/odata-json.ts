// Writes rows as OData JSON (OData JSON Format 4.0): a collection, one entity, or a count.

import type { FeedRow } from "../campaign/feed/feed-tables.ts";

interface Collection {
  /** The URL that describes the rows. */
  context: string;
  /** The number of rows of all pages, if the client wants it. */
  count?: number | undefined;
  /** The fields to write; all by default. */
  select?: readonly string[] | undefined;
  /** Ends the page after so many rows, with a link if there are more. */
  page?: { size: number; nextLink: (last: FeedRow) => string } | undefined;
}

/** @param batches the rows in order; one batch at a time is in memory */
export async function* encodeCollection(
  batches: AsyncIterable<readonly FeedRow[]>,
  { context, count, select, page }: Collection,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const countText = count === undefined ? "" : `,"@odata.count":${count}`;
  yield encoder.encode(`{"@odata.context":${JSON.stringify(context)}${countText},"value":[`);
  let left = page?.size ?? Number.POSITIVE_INFINITY;
  let last: FeedRow | undefined;
  let end = "]}";
  for await (const rows of batches) {
    const some = rows.slice(0, left);
    if (some.length > 0) {
      const text = some.map((row) => JSON.stringify(selectFields(row, select))).join(",");
      yield encoder.encode(last === undefined ? text : `,${text}`);
      last = some.at(-1);
    }
    left -= some.length;
    if (page && last && some.length < rows.length) {
      end = `],"@odata.nextLink":${JSON.stringify(page.nextLink(last))}}`;
      break;
    }
  }
  yield encoder.encode(end);
}

export function encodeEntity(
  row: FeedRow,
  { context, select }: Pick<Collection, "context" | "select">,
): Uint8Array<ArrayBuffer> {
  const entity = { "@odata.context": context, ...selectFields(row, select) };
  return new TextEncoder().encode(JSON.stringify(entity));
}

export function encodeCount(count: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(String(count));
}

function selectFields(row: FeedRow, select: readonly string[] | undefined): FeedRow {
  return select ? Object.fromEntries(select.map((name) => [name, row[name]])) : row;
}
