// What readers should know of a campaign beside its subject: that it is still counting, or may miss events.

import { missedSourceOf } from "../../../listing/reports/sources-alert.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { isStillCounting, type StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { WebSession } from "../frame/page.ts";
import { badge } from "../ui/texts/badge.ts";

type Context = Pick<WebSession, "t" | "sourcesAlert">;

export function campaignMarks(context: Context, stored: StoredCampaign): Html {
  return html`${isStillCounting(stored) && html` ${badge(context.t("campaigns.stillCounting"), "accent")}`}${incompleteMark(context, stored)}`;
}

/** Marks a campaign that may miss events. */
export function incompleteMark({ sourcesAlert, t }: Context, stored: StoredCampaign): HtmlValue {
  return missedSourceOf(sourcesAlert, stored) && html` ${badge(t("campaigns.mayMissEvents"), "warn")}`;
}
