// The tables that feeds offer to tools which think in rows and columns: their fields, keys and order.

import type { RecordField } from "../record-fields.ts";
import { feedFields } from "./feed-fields.ts";
import { groupFields } from "./group-fields.ts";

/** A value of a row, ready for JSON. */
export type FeedRow = Readonly<Record<string, unknown>>;

export interface FeedTable {
  /** The name of one row. */
  row: string;
  description: string;
  /** The fields in the order of every feed. */
  fields: Readonly<Record<string, RecordField>>;
  /** The fields that identify a row. */
  key: readonly string[];
  /** The order of the rows, which no two rows share. */
  order: readonly FeedOrder[];
  /** Other fields by which the rows can be sorted, before their order. */
  sortedBy: readonly string[];
}

export type FeedOrder = readonly [field: string, direction: "asc" | "desc"];

const emailId = {
  title: "Email ID",
  type: "integer",
  description: "The id of the campaign in emails.",
  example: 1,
} as const satisfies RecordField;

const count = { type: "integer", unit: "count" } as const;

const tagFields = {
  id: {
    title: "ID",
    type: "integer",
    description: "Tag identifier, unique within the organization.",
    example: 7,
  },
  name: { title: "Name", type: "string", description: "The name of the tag.", example: "Newsletter" },
  color: { title: "Color", type: "string", description: "The color of the tag.", example: "#4E79A7" },
} as const satisfies Record<string, RecordField>;

/** The fields of a tag in the list of a campaign's tags. */
export const embeddedTagFields = { name: tagFields.name, color: tagFields.color };

const linkFields = {
  email_id: emailId,
  url: {
    title: "URL",
    type: "string",
    description:
      "The link without query and fragment. Empty for all links beyond the first 500 of a campaign.",
    example: "https://example.com/news",
  },
  human_clicks: { ...count, title: "Human clicks", description: "Clicks by people.", example: 12 },
  automated_clicks: {
    ...count,
    title: "Automated clicks",
    description: "Clicks by scanners and other programs.",
    example: 3,
  },
} as const satisfies Record<string, RecordField>;

const hourFields = {
  email_id: emailId,
  hour: {
    title: "Hour",
    type: "instant",
    description: "When the hour starts on the organization's clocks.",
    example: "2024-01-01T09:00:00.000Z",
  },
  human_opens: { ...count, title: "Human opens", description: "Opens by people.", example: 20 },
  automated_opens: {
    ...count,
    title: "Automated opens",
    description: "Opens by scanners and other programs.",
    example: 5,
  },
  human_clicks: linkFields.human_clicks,
  automated_clicks: linkFields.automated_clicks,
} as const satisfies Record<string, RecordField>;

const byKey = (key: readonly string[]) => ({
  key,
  order: key.map((field): FeedOrder => [field, "asc"]),
  sortedBy: [],
});

export const feedTables = {
  emails: {
    row: "email",
    description: "The campaigns that were sent, with their numbers.",
    fields: feedFields,
    key: ["id"],
    order: [
      ["sent_at", "desc"],
      ["id", "desc"],
    ],
    sortedBy: Object.keys(feedFields).filter((name) => name !== "tags"),
  },
  tags: {
    row: "tag",
    description: "The tags of the organization.",
    fields: tagFields,
    ...byKey(["id"]),
  },
  email_tags: {
    row: "email_tag",
    description: "Which campaign has which tag.",
    fields: {
      email_id: emailId,
      tag_id: { title: "Tag ID", type: "integer", description: "The id of the tag in tags.", example: 7 },
    },
    ...byKey(["email_id", "tag_id"]),
  },
  email_links: {
    row: "email_link",
    description: "Clicks by link, of campaigns counted from events.",
    fields: linkFields,
    ...byKey(["email_id", "url"]),
  },
  email_hours: {
    row: "email_hour",
    description: "Opens and clicks by hour, of campaigns counted from events. Hours without any have no row.",
    fields: hourFields,
    ...byKey(["email_id", "hour"]),
  },
  email_groups: {
    row: "email_group",
    description:
      "Recipients, opens, clicks, reads and ratings by group, such as a department, of campaigns counted from events. Groups that are withheld have no row.",
    fields: { email_id: emailId, ...groupFields },
    ...byKey(["email_id", "attribute", "value"]),
  },
} as const satisfies Record<string, FeedTable>;

export type FeedTableName = keyof typeof feedTables;
export const feedTableNames = Object.keys(feedTables) as FeedTableName[];

/** The tables that downloads have as files. */
export const fileTableNames = ["emails", "email_groups"] as const satisfies readonly FeedTableName[];
export type FileTableName = (typeof fileTableNames)[number];

/** Orders rows. Null comes before all other values. */
export function compareRows(order: readonly FeedOrder[]): (a: FeedRow, b: FeedRow) => number {
  return (a, b) => {
    for (const [field, direction] of order) {
      const [left, right] = [a[field], b[field]] as [number | null, number | null];
      if (left === right) continue;
      const isBefore = left === null || (right !== null && left < right);
      return isBefore === (direction === "asc") ? -1 : 1;
    }
    return 0;
  };
}
