// The link that takes a campaign out of a comparison.

import { comparedCampaigns } from "../../../../listing/reports/campaign-comparison.ts";
import { type HtmlValue, html } from "../../../../locale/html.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import { paths, urlWithQuery } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { WebSession } from "../../frame/page.ts";
import { icon } from "../../ui/icons/icon.ts";
import { type Kept, keptQuery } from "../campaign-url.ts";

function compareUrl(organization: WebSession["organization"], kept: Kept, ids: readonly number[]): string {
  const chosen = ids.map((id) => ["ids", String(id)]);
  return urlWithQuery(paths.web.compare, new URLSearchParams([...keptQuery(organization, kept), ...chosen]));
}

/** False if only two are compared. */
export function removeLink(
  { locale, organization }: WebSession,
  { campaign }: StoredCampaign,
  campaigns: readonly StoredCampaign[],
  kept: Kept,
): HtmlValue {
  if (campaigns.length <= comparedCampaigns.min) return false;
  const others = campaigns.map((each) => each.campaign.id).filter((id) => id !== campaign.id);
  const name = locale.t("comparison.remove", { subject: subjectText(locale, campaign) });
  return html` <a class="remove" href="${compareUrl(organization, kept, others)}" title="${name}">${icon("close", name)}</a>`;
}
