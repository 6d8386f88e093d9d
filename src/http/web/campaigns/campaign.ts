// The page of one campaign at `/campaigns/:id`: metrics, activity, links and surveys.

import { hasPermission } from "../../../access/role.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { largestInteger } from "../../../campaign/field-schema.ts";
import { metricsOf } from "../../../campaign/metrics.ts";
import { AppError } from "../../../errors.ts";
import { CampaignDetailsReader } from "../../../listing/reports/campaign-details.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../../storage/organizations.ts";
import { html } from "../../html.ts";
import type { Page } from "../page.ts";
import { campaignStrings } from "../strings/campaign.ts";
import type { WebContext } from "../web-context.ts";
import { activitySection } from "./campaign-activity.ts";
import { campaignDetails, headlineMetrics, metricsTable } from "./campaign-numbers.ts";
import { surveysSection } from "./campaign-surveys.ts";

export function campaignPage({ database, shutdownSignal, now: clock }: WebContext): Page {
  const reader = new CampaignDetailsReader(database, shutdownSignal);
  return {
    path: "/campaigns/:id",
    role: "viewer",
    async show({ organization, user }, { params }) {
      const id = parseCampaignId(params.id ?? "");
      const [stored] = await database.snapshot((queries) => findCampaigns(queries, organization.id, [id]));
      if (!stored) throw notFound(String(id));
      const { campaign, numbers } = stored;
      const { timeZone, countedTraffic } = organization;
      const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
      const now = clock();
      const details = stored.counting === null ? undefined : await reader.read(organization, stored);
      const results = details?.surveys;
      const showsNames = hasPermission(user.role, "admin");
      const sentence = campaignStrings.sentSentence(
        campaign.sentAt <= now,
        formatSentAt(campaign.sentAt, timeZone),
      );
      return {
        title: campaign.subject.trim() || campaignStrings.untitled,
        headingLink: html`<a href="/campaigns">${campaignStrings.allCampaigns}</a>`,
        body: html`<p class="soft">${sentence} ${describeOrigin(stored, organization)}</p>
${headlineMetrics(stored, metrics)}
${details && activitySection(details.activity, stored, organization)}
${surveysSection(stored, metrics, { countedTraffic, results, showsNames })}
${campaignDetails(stored, { timeZone, now })}
${metricsTable(metrics)}`,
      };
    },
  };
}

/** @throws AppError `not_found` if the text is not a campaign id */
function parseCampaignId(text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d*$/.test(text) || id > largestInteger) throw notFound(text);
  return id;
}

function notFound(text: string): AppError {
  return new AppError("not_found", campaignStrings.notFound(JSON.stringify(text.slice(0, 100))));
}

/** Where the campaign's numbers come from. */
function describeOrigin({ counting }: StoredCampaign, { timeZone, countedTraffic }: Organization): string {
  if (!counting) return campaignStrings.imported;
  const { closedAt } = counting;
  if (closedAt !== null) return campaignStrings.closed(formatSentAt(closedAt, timeZone));
  return campaignStrings.counted(countedTraffic === "people");
}
