// The types of the API. `npm run docs` writes this file from the tables of the service.

/** A tag of a campaign. */
export interface Tag {
  name: string;
  /** `#RRGGBB` */
  color: string;
}

/** A campaign of `emails()`: no field is null, so a 0 or an empty text may mean that nothing is known. */
export interface Email {
  id: number;
  subject: string;
  /** On the organization's clocks. */
  sent_at: string;
  sent_from: string;
  organization_team: string;
  sending_type: string;
  tracking_type: string;
  open_rate: number;
  click_rate: number;
  unique_opens: number;
  multiple_opens: number;
  unopened: number;
  total_opens: number;
  unique_clicks: number;
  multiple_clicks: number;
  total_clicks: number;
  click_per_unique_open_rate: number;
  desktop_open_rate: number;
  mobile_open_rate: number;
  tags: readonly Tag[];
  recipient_count: number;
  recipients: string;
  read_time_glanced: number;
  read_time_skimmed: number;
  read_time_read: number;
  surveys_count: number;
  enps_score_average: number;
  enps_reactions_count: number;
  enps_comments_count: number;
  survey_reactions_count: number;
  survey_reactions_comments_count: number;
}

/** A campaign of `download()` and `changes()`: typed, and null where nothing is known. Instants are ISO-8601 in UTC, dates `YYYY-MM-DD`. */
export interface FeedRecord {
  /** Campaign identifier, unique within the organization. */
  id: number;
  /** Campaign subject. */
  subject: string;
  /** When the campaign was sent. */
  sent_at: string;
  /** Sender address. Null: Not given, or empty. */
  sent_from: string | null;
  /** Team name. Null: Not given, or empty. */
  organization_team: string | null;
  /** How it was sent. Observed values: Timezone, Scheduled, Immediate. Null: Not given, or empty. */
  sending_type: string | null;
  /** What was tracked. Observed values: Individual, Anonymous, Overall. Null: Not given, or empty. */
  tracking_type: string | null;
  /** Share of recipients who opened the campaign. Null: No recipients, or the import has no value. */
  open_rate: number | null;
  /** Share of recipients who clicked a link. Null: No recipients, or the import has no value. */
  click_rate: number | null;
  /** Recipients with at least one open. Null: The import has no value. */
  unique_opens: number | null;
  /** Opens beyond each recipient's first. Null: The import has no value. */
  multiple_opens: number | null;
  /** Recipients without an open. Null: The import has no value. */
  unopened: number | null;
  /** All opens. Null: The import has no value. */
  total_opens: number | null;
  /** Recipients with at least one click. Null: The import has no value. */
  unique_clicks: number | null;
  /** Clicks beyond each recipient's first. Null: The import has no value. */
  multiple_clicks: number | null;
  /** All clicks. Null: The import has no value. */
  total_clicks: number | null;
  /** Click-to-open rate: the share of recipients with an open who clicked a link. Null: No unique opens, or the import has no value. */
  click_per_unique_open_rate: number | null;
  /** Share of opens on desktop devices. Null: No open with a known device, or the import has no value. */
  desktop_open_rate: number | null;
  /** Share of opens on mobile devices. Null: No open with a known device, or the import has no value. */
  mobile_open_rate: number | null;
  /** Tags of the campaign, by name. May be empty. */
  tags: readonly Tag[];
  /** Number of recipients. Null: The import has no value. */
  recipient_count: number | null;
  /** Comma-separated list of recipient group names. Null: Not given, or empty. */
  recipients: string | null;
  /** Share of reads up to 3 seconds. Null: No measured read, or the import has no value. */
  read_time_glanced: number | null;
  /** Share of reads over 3 and up to 9 seconds. Null: No measured read, or the import has no value. */
  read_time_skimmed: number | null;
  /** Share of reads over 9 seconds. Null: No measured read, or the import has no value. */
  read_time_read: number | null;
  /** Surveys in the campaign. Null: The import has no value. */
  surveys_count: number | null;
  /** Mean eNPS score (employee Net Promoter Score, an answer from 0 to 10). Null: No eNPS ratings, or the import has no value. */
  enps_score_average: number | null;
  /** eNPS scores. Null: The import has no value. */
  enps_reactions_count: number | null;
  /** eNPS scores with a comment. Null: The import has no value. */
  enps_comments_count: number | null;
  /** Answers to other surveys. Null: The import has no value. */
  survey_reactions_count: number | null;
  /** Answers to other surveys with a comment. Null: The import has no value. */
  survey_reactions_comments_count: number | null;
  /** The date on which the campaign was sent, in the organization's time zone. */
  sent_on: string;
  /** The hour in which the campaign was sent, 0 to 23, in the organization's time zone. */
  sent_hour: number;
  /** The names of the tags, joined by semicolons, for tools without lists. */
  tag_names: string;
  /** Where the numbers come from: reported (an import) or counted (events). */
  kind: string;
  /** When the campaign was closed: since then, its numbers are final. Null: Not closed. Reported campaigns never are. */
  closed_at: string | null;
  /** When the record last changed. */
  updated_at: string;
}

/** The codes of the errors of the service. */
export type ErrorCode =
  | "bad_request"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "not_acceptable"
  | "request_timeout"
  | "conflict"
  | "gone"
  | "payload_too_large"
  | "uri_too_long"
  | "unsupported_media_type"
  | "expectation_failed"
  | "too_many_requests"
  | "request_header_fields_too_large"
  | "internal_error"
  | "not_implemented"
  | "unavailable";
