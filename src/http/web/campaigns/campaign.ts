// The page of one campaign at `/campaigns/:id`: metrics, activity, links and surveys.

import { hasPermission } from "../../../access/role.ts";
import { largestInteger } from "../../../campaign/field-schema.ts";
import { metricsOf } from "../../../campaign/metrics.ts";
import { AppError } from "../../../errors.ts";
import { CampaignDetailsReader } from "../../../listing/reports/campaign-details.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../../storage/organizations.ts";
import { html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Page } from "../page.ts";
import type { WebContext } from "../web-context.ts";
import { activitySection } from "./campaign-activity.ts";
import { campaignDetails, headlineMetrics, metricsTable } from "./campaign-numbers.ts";
import { surveysSection } from "./campaign-surveys.ts";

export function campaignPage({ database, shutdownSignal, now: clock }: WebContext): Page {
  const reader = new CampaignDetailsReader(database, shutdownSignal);
  return {
    path: "/campaigns/:id",
    role: "viewer",
    async show({ organization, user, locale }, { params }) {
      const { strings, format } = locale;
      const id = parseCampaignId(locale, params.id ?? "");
      const [stored] = await database.snapshot((queries) => findCampaigns(queries, organization.id, [id]));
      if (!stored) throw notFound(locale, String(id));
      const { campaign, numbers } = stored;
      const { timeZone, countedTraffic } = organization;
      const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
      const now = clock();
      const details = stored.counting === null ? undefined : await reader.read(organization, stored);
      const results = details?.surveys;
      const showsNames = hasPermission(user.role, "admin");
      const { sentAt, scheduledFor } = strings.campaign;
      const time = format.dateTime(campaign.sentAt, timeZone);
      const sentence = campaign.sentAt <= now ? sentAt(time) : scheduledFor(time);
      return {
        title: campaign.subject.trim() || strings.campaign.untitled,
        headingLink: html`<a href="/campaigns">${strings.campaign.allCampaigns}</a>`,
        body: html`<p class="soft">${sentence} ${describeOrigin(locale, stored, organization)}</p>
${headlineMetrics(locale, stored, metrics)}
${details && activitySection(locale, details.activity, stored, organization)}
${surveysSection(locale, stored, metrics, { countedTraffic, results, showsNames })}
${campaignDetails(locale, stored, { timeZone, now })}
${metricsTable(locale, metrics)}`,
      };
    },
  };
}

/** @throws AppError `not_found` if the text is not a campaign id */
function parseCampaignId(locale: Locale, text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d*$/.test(text) || id > largestInteger) throw notFound(locale, text);
  return id;
}

function notFound({ strings }: Locale, text: string): AppError {
  return new AppError("not_found", strings.campaign.notFound(JSON.stringify(text.slice(0, 100))));
}

/** Where the campaign's numbers come from. */
function describeOrigin(
  { strings, format }: Locale,
  { counting }: StoredCampaign,
  { timeZone, countedTraffic }: Organization,
): string {
  if (!counting) return strings.campaign.imported;
  const { closedAt } = counting;
  if (closedAt !== null) return strings.campaign.closed(format.dateTime(closedAt, timeZone));
  return strings.campaign.counted[countedTraffic];
}
