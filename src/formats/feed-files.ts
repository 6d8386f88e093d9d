// The table of file formats of the feed: media type, compression, and encoder.

import type { FeedRow, FeedTable } from "../campaign/feed/feed-tables.ts";
import { metricContract } from "../campaign/feed/metric-contract.ts";
import { encodeCsv } from "./csv.ts";
import { encodeNdjson } from "./ndjson.ts";
import { encodeParquet } from "./parquet.ts";
import { encodeXlsx } from "./xlsx.ts";

/** The state of the organization that a file shows. */
interface FileState {
  timeZone: string;
  revision: number;
  /** In CSV, for spreadsheets of most European countries. */
  decimal?: "comma" | undefined;
}

interface FileFormat {
  /** The name that people read. */
  title: string;
  contentType: string;
  /** Whether gzip makes it smaller. */
  isText: boolean;
  /** @param batches the rows in order; one batch at a time is in memory */
  encode(
    table: FeedTable,
    batches: AsyncIterable<readonly FeedRow[]>,
    state: FileState,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** The formats by the suffix of the file name. */
export const fileFormats = {
  csv: {
    title: "CSV",
    contentType: "text/csv; charset=utf-8; header=present",
    isText: true,
    encode: encodeCsv,
  },
  ndjson: {
    title: "NDJSON",
    contentType: "application/x-ndjson; charset=utf-8",
    isText: true,
    encode: encodeNdjson,
  },
  parquet: {
    title: "Parquet",
    contentType: "application/vnd.apache.parquet",
    isText: false,
    encode: (table, batches, { timeZone, revision }) =>
      encodeParquet(table, batches, {
        "email-analytics.metrics": JSON.stringify(metricContract),
        "email-analytics.time_zone": timeZone,
        "email-analytics.revision": String(revision),
      }),
  },
  xlsx: {
    title: "Excel",
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    isText: false,
    encode: encodeXlsx,
  },
} as const satisfies Record<string, FileFormat>;

export type FileFormatName = keyof typeof fileFormats;
export const fileFormatNames = Object.keys(fileFormats) as FileFormatName[];
