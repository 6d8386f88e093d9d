// The tables that readers see of the campaigns that were sent. Publishing writes all three, in the transaction of the change.

import {
  type CountName,
  countNames,
  type KindOfNumbers,
  type SurveyFilter,
} from "../../campaign/campaign-number.ts";
import { type ProofName, proofNames } from "../../campaign/events/tally.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { type FeedField, feedFieldNames, feedFields } from "../../campaign/feed/feed-fields.ts";
import type { TypedRecord } from "../../campaign/feed/typed-record.ts";
import type { RecordField } from "../../campaign/record-fields.ts";
import {
  fractionalSummands,
  type SnakeCase,
  type SumColumns,
  snakeCase,
  summandColumns,
} from "../../campaign/sums.ts";
import {
  type Column,
  type ColumnKind,
  integer,
  integerOrNull,
  number,
  type Table,
  text,
  textOf,
  textOrNull,
} from "./columns.ts";

/** The key is first. */
const feedColumns = Object.fromEntries(
  (["sent_at", "id", ...feedFieldNames] as const).map((name) => [name, feedColumn(feedFields[name])]),
) as { [Name in FeedField]: Column<TypedRecord[Name]> };

function feedColumn({ type, nullMeans }: RecordField): Column {
  const kinds: Partial<Record<RecordField["type"], ColumnKind>> = {
    integer: "integer",
    instant: "integer",
    number: "number",
  };
  return { kind: kinds[type] ?? "text", isNullable: nullMeans !== undefined };
}

const sumsColumns = Object.fromEntries(
  summandColumns.map(([name, column]) => [column, fractionalSummands.includes(name) ? number : integer]),
) as { [Name in keyof SumColumns]: Column<number> };

const countColumns = Object.fromEntries(countNames.map((name) => [name, integerOrNull])) as Record<
  CountName,
  Column<number | null>
>;
const proofColumns = Object.fromEntries(proofNames.map((name) => [snakeCase(name), integer])) as {
  [Name in ProofName as SnakeCase<Name>]: Column<number>;
};

export const publishedTables = {
  /**
   * A campaign that was sent, with a column per field of the feed. Its key is the order of pages. No foreign key to the
   * campaign: SQLite would search all rows for its id.
   */
  emails: {
    changes: "often",
    key: ["sent_at", "id"],
    indexes: ["create index emails_id on emails (organization_id, id)"],
    columns: {
      ...feedColumns,
      /** The record of v1 as JSON, ready to send. */
      record: text,
    },
  },

  /** What one campaign adds to any total, with one traffic (see `Sums`), and what its human traffic says of the filter. */
  sums: {
    changes: "often",
    key: ["traffic", "sent_at", "campaign_id"],
    columns: {
      traffic: textOf<TrafficFilter>(),
      /** The columns from here down to `surveys` describe the campaign. */
      sent_at: integer,
      campaign_id: integer,
      team: textOrNull,
      sending_type: textOrNull,
      tracking_type: textOrNull,
      kind: textOf<KindOfNumbers>(),
      surveys: textOf<SurveyFilter>(),
      ...countColumns,
      /** Ratings and other answers to surveys; null if it is not known. */
      answers: integerOrNull,
      ...sumsColumns,
      ...proofColumns,
    },
  },

  /**
   * The change log: the last change of each campaign that was ever published. A deleted campaign keeps its row, so that no
   * client ever misses a deletion.
   */
  changes: {
    changes: "often",
    key: ["campaign_id"],
    indexes: [
      "create index changes_revision on changes (organization_id, revision, campaign_id)",
      "create index changes_order_revision on changes (organization_id, order_revision, campaign_id)",
    ],
    columns: {
      campaign_id: integer,
      /** The organization's revision when the record of the campaign last changed, or when it was deleted. */
      revision: integer,
      /** The organization's revision id then, which does not repeat after a backup was restored. */
      revision_id: integer,
      /** The revision at which the campaign was last added, moved, retagged or deleted. */
      order_revision: integer,
      /** When the campaign was sent; null if it is deleted. */
      sent_at: integerOrNull,
    },
  },
} satisfies Record<string, Table>;
