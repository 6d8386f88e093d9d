// The fields of the feed record: those of the email record, and six that tools need beside them.

import { type RecordField, recordFields } from "../record-fields.ts";
import type { FeedValues } from "./feed-types.ts";

/** Increase it when a field is added, or when the same campaign reads differently. No field changes its type. */
export const feedFormat = 1;

/** In the order of every feed. */
export const feedFields = {
  ...recordFields,
  sent_on: {
    title: "Sent on",
    type: "date",
    description: "The date on which the campaign was sent, in the organization's time zone.",
    example: "2024-01-01",
  },
  sent_hour: {
    title: "Hour sent",
    type: "integer",
    description: "The hour in which the campaign was sent, 0 to 23, in the organization's time zone.",
    example: 9,
  },
  tag_names: {
    title: "Tag names",
    type: "string",
    description: "The names of the tags, joined by semicolons, for tools without lists.",
    example: "HR; Newsletter",
  },
  kind: {
    title: "Kind",
    type: "string",
    description: "Where the numbers come from: reported (an import) or counted (events).",
    example: "counted",
  },
  closed_at: {
    title: "Closed at",
    type: "instant",
    description: "When the campaign was closed: since then, its numbers are final.",
    nullMeans: "Not closed. Reported campaigns never are.",
    example: "2024-03-31T00:00:00.000Z",
    appliesTo: ["counted"],
  },
  updated_at: {
    title: "Updated at",
    type: "instant",
    description: "When the record last changed.",
    example: "2024-01-08T10:15:30.123Z",
  },
} as const satisfies Record<string, RecordField>;

export type FeedField = keyof typeof feedFields;
export const feedFieldNames = Object.keys(feedFields) as FeedField[];

type FieldWithNull = Extract<(typeof feedFields)[FeedField], { nullMeans: string }>;
/** What null means, for the fields that can be null. */
export type NullMeaning = FieldWithNull["nullMeans"];

type ValueOf<Field extends RecordField> =
  | FeedValues[Field["type"]]
  | (Field extends { nullMeans: string } ? null : never);

/** A campaign as feeds have it: typed values, and null if nothing is known. */
export type FeedRecord = { [Name in FeedField]: ValueOf<(typeof feedFields)[Name]> };
