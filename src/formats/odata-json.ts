// Writes rows as OData JSON (OData JSON Format 4.0): a collection, one entity, or a count.

import type { FeedRow } from "../campaign/feed/feed-tables.ts";

interface Collection {
  /** The URL that describes the rows. */
  context: string;
  /** The number of rows of all pages, if the client wants it. */
  count?: number | undefined;
  /** The fields to write; all by default. */
  select?: readonly string[] | undefined;
  /** The names of numbers that are written as text. */
  texts: readonly string[];
  /** Ends the page after so many rows, with a link if there are more. */
  page?: { size: number; nextLink: (last: FeedRow) => string } | undefined;
}

/** @param batches the rows in order; one batch at a time is in memory */
export async function* encodeCollection(
  batches: AsyncIterable<readonly FeedRow[]>,
  { context, count, select, texts, page }: Collection,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const total = texts.includes("@odata.count") ? `"${count}"` : count;
  const countText = count === undefined ? "" : `,"@odata.count":${total}`;
  yield encoder.encode(`{"@odata.context":${JSON.stringify(context)}${countText},"value":[`);
  let left = page?.size ?? Number.POSITIVE_INFINITY;
  let last: FeedRow | undefined;
  let end = "]}";
  for await (const rows of batches) {
    const some = rows.slice(0, left);
    if (some.length > 0) {
      const text = some.map((row) => JSON.stringify(writtenFields(row, select, texts))).join(",");
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
  { context, select, texts }: Pick<Collection, "context" | "select" | "texts">,
): Uint8Array<ArrayBuffer> {
  const entity = { "@odata.context": context, ...writtenFields(row, select, texts) };
  return new TextEncoder().encode(JSON.stringify(entity));
}

export function encodeCount(count: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(String(count));
}

function writtenFields(
  row: FeedRow,
  select: readonly string[] = Object.keys(row),
  texts: readonly string[],
): FeedRow {
  if (texts.length === 0 && select.length === Object.keys(row).length) return row;
  const written = (name: string) =>
    texts.includes(name) && row[name] !== null ? String(row[name]) : row[name];
  return Object.fromEntries(select.map((name) => [name, written(name)]));
}
