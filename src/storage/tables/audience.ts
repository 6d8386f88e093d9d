// The tables of the groups of recipients, such as departments.

import { groupCountColumns } from "../../campaign/audience/group-counts.ts";
import { type Column, integer, type Table, text, textOf } from "./columns.ts";

const counts = Object.fromEntries(groupCountColumns.map((column) => [column, integer])) as Record<
  (typeof groupCountColumns)[number],
  Column<number>
>;

export const audienceTables = {
  /** The attributes of an organization, such as Department, and their values. */
  audience_groups: {
    key: ["id"],
    columns: {
      id: integer,
      /** The attribute; an attribute has its own id here. Its group has the recipients without a value. */
      attribute_id: integer,
      name: text,
    },
  },

  /** Which groups the recipients of an organization belong to. The code deletes these rows. */
  directory: {
    changes: "often",
    key: ["version", "recipient"],
    references: {},
    columns: {
      /** A version is written in several transactions. Only that of the organization counts. */
      version: integer,
      /** Hash of the recipient, keyed with the organization's secret. */
      recipient: text,
      /** JSON object: the group by attribute. */
      groups: text,
    },
  },

  /** Lists of recipients that are being saved. A row is deleted once its list is merged. */
  recipient_lists: {
    key: ["ledger_id"],
    columns: {
      /** The ledger under which the recipients are staged. */
      ledger_id: integer,
      campaign_id: integer,
      /** `staging` until all recipients are there. */
      state: textOf<"staging" | "merging">(),
      /** The last name up to which it is merged into the ledger of the campaign, and how many recipients. */
      merged_until: text,
      listed: integer,
      /** JSON list of the ids of the values that it has added to attributes. */
      added: text,
      /** The time of the last transaction that staged or merged a part. */
      worked_at: integer,
    },
  },

  /** What a campaign counts by group, as it is now. Readers see `released_groups`. */
  campaign_groups: {
    changes: "often",
    key: ["campaign_id", "group_id"],
    sqliteReferences: { campaign_id: "campaigns" },
    columns: { campaign_id: integer, group_id: integer, attribute_id: integer, ...counts },
  },

  /** The copy of `campaign_groups` that readers see. It changes rarely. A row for each group would take a page ten times as long. */
  released_groups: {
    changes: "often",
    key: ["campaign_id", "attribute_id"],
    sqliteReferences: { campaign_id: "campaigns" },
    columns: {
      campaign_id: integer,
      attribute_id: integer,
      counted_at: integer,
      /**
       * JSON list of groups, each a list of its id and its counts in the order of `groupCounts`. The id 0 is what the withheld
       * groups of the attribute have together. Withheld counts are null.
       */
      groups: text,
    },
  },
} satisfies Record<string, Table>;
