// The types of feed fields, and what each is called in JSON, OData (EDM) and Parquet.

import type { RecordField } from "../record-fields.ts";

/** The value of each type in a feed record, which is ready for JSON. */
export interface FeedValues {
  integer: number;
  number: number;
  string: string;
  /** ISO-8601 in UTC with milliseconds: `2024-01-01T09:00:00.000Z`. */
  instant: string;
  /** `2024-01-01` */
  date: string;
  tags: readonly { name: string; color: string }[];
}

/** EDM types are those of OData 4.0 (CSDL, 4.4); Parquet types name the physical or, if there is one, the logical type. */
export const feedTypes = {
  integer: { edm: "Edm.Int64", parquet: "INT64" },
  number: { edm: "Edm.Double", parquet: "DOUBLE" },
  string: { edm: "Edm.String", parquet: "STRING" },
  instant: { edm: "Edm.DateTimeOffset", parquet: "TIMESTAMP(MILLIS, UTC)" },
  date: { edm: "Edm.Date", parquet: "DATE" },
  tags: { edm: "Collection(EmailAnalytics.Tag)", parquet: "LIST<STRUCT<name STRING, color STRING>>" },
} as const satisfies Record<RecordField["type"], { edm: string; parquet: string }>;
