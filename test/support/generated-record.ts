// Generated campaign records for benchmarks.

/** A record of the API, reproducible by its ID. Every tenth campaign has no tag. */
export function generateRecord(id: number) {
  const opens = (id * 7919) % 400;
  const clicks = (id * 104_729) % (opens + 1);
  return {
    id,
    subject: `The week in brief, no. ${id}: product news, new colleagues, and where to meet`,
    sent_at: new Date(Date.UTC(2015, 0, 1) + id * 300_000).toISOString(),
    sent_from: "news@example.com",
    organization_team: `Team ${id % 12}`,
    sending_type: ["Timezone", "Scheduled", "Immediate"][id % 3],
    tracking_type: ["Individual", "Anonymous", "Overall"][(id >> 2) % 3],
    open_rate: opens / 400,
    click_rate: clicks / 400,
    unique_opens: opens,
    multiple_opens: opens >> 1,
    unopened: 400 - opens,
    total_opens: opens + (opens >> 1),
    unique_clicks: clicks,
    multiple_clicks: clicks >> 2,
    total_clicks: clicks + (clicks >> 2),
    click_per_unique_open_rate: opens === 0 ? 0 : Math.round((100 * clicks) / opens),
    desktop_open_rate: 60,
    mobile_open_rate: 40,
    tags: id % 10 === 0 ? [] : [{ name: "Everything", color: "#4E79A7" }],
    recipient_count: 400,
    recipients: "Headquarters, Warehouse, Sales",
    read_time_glanced: 20,
    read_time_skimmed: 30,
    read_time_read: 50,
    surveys_count: 1,
    enps_score_average: 7.5,
    enps_reactions_count: 30,
    enps_comments_count: 9,
    survey_reactions_count: 20,
    survey_reactions_comments_count: 3,
  };
}

export function* generateRecords(count: number, firstId = 1) {
  for (let id = firstId; id < firstId + count; id++) yield generateRecord(id);
}
