// The hand-written baseline: Fastify with the plain database driver. It looks up the key, finds the page by offset, counts
// all campaigns, and serializes objects as JSON.

import { hash } from "node:crypto";
import Fastify from "fastify";
import { formatSentAt } from "../../src/campaign/calendar/sent-at.ts";
import { type CampaignRow, openStore } from "./baseline-store.ts";

const store = openStore(process.argv[2] ?? "");
const app = Fastify();

app.get<{ Querystring: { page?: string; per_page?: string } }>(
  "/data_api/v1/emails",
  async (request, reply) => {
    const key = (request.headers.authorization ?? "").replace("Bearer ", "");
    const organization = await store.findOrganization(Number(key.split("_")[2]), hash("sha256", key));
    if (!organization) return reply.code(401).send({ error: "unauthorized" });
    const id = Number(organization.id);
    const page = Number(request.query.page ?? 1);
    const perPage = Math.min(Number(request.query.per_page ?? 10), 100);
    const rows = await store.findCampaigns(id, perPage, (page - 1) * perPage);
    const tags = await store.findTags(
      id,
      rows.map(({ id }) => Number(id)),
    );
    const total = await store.countCampaigns(id);
    const emails = rows.map((row, index) => toEmail(row, tags[index] ?? [], organization.time_zone));
    return {
      emails,
      meta: { page, per_page: perPage, total_entries: total, total_pages: Math.ceil(total / perPage) },
    };
  },
);

function toEmail(row: CampaignRow, tags: unknown[], timeZone: string) {
  const metrics = JSON.parse(row.reported_metrics) as Record<string, number | null>;
  return {
    id: Number(row.id),
    subject: row.subject,
    sent_at: formatSentAt(Number(row.sent_at), timeZone),
    sent_from: row.sent_from ?? "",
    organization_team: row.team ?? "",
    sending_type: row.sending_type ?? "",
    tracking_type: row.tracking_type ?? "",
    open_rate: metrics.open_rate ?? 0,
    click_rate: metrics.click_rate ?? 0,
    unique_opens: metrics.unique_opens ?? 0,
    multiple_opens: metrics.multiple_opens ?? 0,
    unopened: metrics.unopened ?? 0,
    total_opens: metrics.total_opens ?? 0,
    unique_clicks: metrics.unique_clicks ?? 0,
    multiple_clicks: metrics.multiple_clicks ?? 0,
    total_clicks: metrics.total_clicks ?? 0,
    click_per_unique_open_rate: metrics.click_per_unique_open_rate ?? 0,
    desktop_open_rate: metrics.desktop_open_rate ?? 0,
    mobile_open_rate: metrics.mobile_open_rate ?? 0,
    tags,
    recipient_count: Number(row.recipient_count ?? 0),
    recipients: row.recipients ?? "",
    read_time_glanced: metrics.read_time_glanced ?? 0,
    read_time_skimmed: metrics.read_time_skimmed ?? 0,
    read_time_read: metrics.read_time_read ?? 0,
    surveys_count: Number(row.surveys_count ?? 0),
    enps_score_average: metrics.enps_score_average ?? 0,
    enps_reactions_count: metrics.enps_reactions_count ?? 0,
    enps_comments_count: metrics.enps_comments_count ?? 0,
    survey_reactions_count: metrics.survey_reactions_count ?? 0,
    survey_reactions_comments_count: metrics.survey_reactions_comments_count ?? 0,
  };
}

const url = await app.listen({ host: "127.0.0.1", port: 0 });
console.log(JSON.stringify({ url }));
