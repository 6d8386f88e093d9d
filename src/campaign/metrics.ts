// The numbers of a campaign, under the names they have in the public record.

/** Every number of a record that says what became of the campaign. */
export const metricNames = [
  "open_rate",
  "click_rate",
  "unique_opens",
  "multiple_opens",
  "unopened",
  "total_opens",
  "unique_clicks",
  "multiple_clicks",
  "total_clicks",
  "click_per_unique_open_rate",
  "desktop_open_rate",
  "mobile_open_rate",
  "read_time_glanced",
  "read_time_skimmed",
  "read_time_read",
  "enps_score_average",
  "enps_reactions_count",
  "enps_comments_count",
  "survey_reactions_count",
  "survey_reactions_comments_count",
] as const;

export type MetricName = (typeof metricNames)[number];

/**
 * What a reported campaign carries: its numbers came finished and are kept exactly as they were given, so no
 * number is derived from another. `null` where none was given.
 */
export type ReportedMetrics = Record<MetricName, number | null>;
