// The page of one campaign at `/campaigns/:id`: metrics, activity, links and surveys.

import { hasPermission } from "../../../access/role.ts";
import { metricsOf } from "../../../campaign/metrics.ts";
import { CampaignDetailsReader } from "../../../listing/reports/campaign-details.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../../storage/organizations.ts";
import { html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Page } from "../page.ts";
import { breadcrumb } from "../ui/layout.ts";
import type { WebContext } from "../web-context.ts";
import { activitySection } from "./campaign-activity.ts";
import { campaignDetails, headlineMetrics, metricsTable } from "./campaign-numbers.ts";
import { surveysSection } from "./campaign-surveys.ts";
import { findCampaign } from "./find-campaign.ts";

export function campaignPage({ database, shutdownSignal, now: clock }: WebContext): Page {
  const reader = new CampaignDetailsReader(database, shutdownSignal);
  return {
    path: "/campaigns/:id",
    role: "viewer",
    async show(session, request) {
      const { organization, user, locale } = session;
      const { strings, format } = locale;
      const stored = await findCampaign(database, session, request);
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
        breadcrumb: breadcrumb(locale, [{ url: paths.web.campaigns, name: strings.pages.campaigns }]),
        lead: html`${sentence} ${describeOrigin(locale, stored, organization)}`,
        body: html`${headlineMetrics(locale, stored, metrics)}
${showsNames && html`<p><a href="/campaigns/${campaign.id}/recipients">${strings.campaign.recipients}</a></p>`}
${details && activitySection(locale, details.activity, stored, organization)}
${surveysSection(locale, stored, metrics, { countedTraffic, results, showsNames })}
${campaignDetails(locale, stored, { timeZone, now })}
${metricsTable(locale, metrics)}`,
      };
    },
  };
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
