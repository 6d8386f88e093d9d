// The page of one campaign: its numbers, how they came about, its links and its surveys.

import { hasPermission } from "../../../access/role.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { largestInteger } from "../../../campaign/field-schema.ts";
import { metricsOf } from "../../../campaign/metrics.ts";
import { AppError } from "../../../errors.ts";
import { CampaignDetailsReader } from "../../../listing/reports/campaign-details.ts";
import { findCampaigns, type StoredCampaign } from "../../../storage/campaigns/campaigns.ts";
import type { Organization } from "../../../storage/organizations.ts";
import { type HtmlValue, html } from "../../html.ts";
import type { Page } from "../page.ts";
import type { WebContext } from "../web-context.ts";
import { activityOf } from "./campaign-activity.ts";
import { factsOf, figuresOf, numbersOf } from "./campaign-numbers.ts";
import { surveysOf } from "./campaign-surveys.ts";

export function campaignPage({ database, closing, now: clock }: WebContext): Page {
  const details = new CampaignDetailsReader(database, closing);
  return {
    path: "/campaigns/:id",
    role: "viewer",
    async show({ organization, user }, { params }) {
      const id = idOf(params.id ?? "");
      const [stored] = await database.snapshot((queries) => findCampaigns(queries, organization.id, [id]));
      if (!stored) throw notFound(String(id));
      const { campaign, numbers } = stored;
      const { timeZone, countedTraffic } = organization;
      const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
      const now = clock();
      const isCounted = stored.counting !== null;
      const seen = isCounted ? await details.read(organization, stored) : undefined;
      return {
        title: campaign.subject.trim() || "Campaign without a subject",
        beside: html`<a href="/campaigns">All campaigns</a>`,
        body: html`<p class="soft">${campaign.sentAt > now ? "To be sent" : "Sent"} ${formatSentAt(campaign.sentAt, timeZone)}. ${originOf(stored, organization)}</p>
${figuresOf(stored, metrics)}
${seen && activityOf(seen.activity, stored, organization)}
${surveysOf(stored, metrics, { countedTraffic, results: seen?.surveys, showsNames: hasPermission(user.role, "admin") })}
${factsOf(stored, { timeZone, now })}
${numbersOf(metrics)}`,
      };
    },
  };
}

/** @throws Refusal `not_found` for whatever is no number of a campaign */
function idOf(text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d*$/.test(text) || id > largestInteger) throw notFound(text);
  return id;
}

function notFound(text: string): AppError {
  const given = JSON.stringify(text.slice(0, 100));
  return new AppError("not_found", `Campaign ${given} is none of your organization's campaigns.`);
}

/** Where its numbers come from. */
function originOf({ counting }: StoredCampaign, { timeZone, countedTraffic }: Organization): HtmlValue {
  if (!counting) {
    return "The numbers of this campaign were imported as they are. How they came about is not known here.";
  }
  const what = countedTraffic === "people" ? "what people did" : "all traffic, machines included";
  if (counting.closedAt !== null) {
    return `Counted from events until ${formatSentAt(counting.closedAt, timeZone)}; since then the campaign is closed, and its numbers stand.`;
  }
  return `Counted from events as they come in. The numbers are of ${what}.`;
}
