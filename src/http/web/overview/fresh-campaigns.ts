// The card with the newest campaigns that are still counting: how each compares at its age, which no other card says.

import { rangedRate } from "../../../campaign/campaign-number.ts";
import { type FreshCampaign, freshShown } from "../../../listing/reports/fresh-campaigns.ts";
import { ageText } from "../../../locale/age-text.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { changeAtAge, likelyEndText } from "../../../locale/same-age-text.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { listQuery } from "../filters/filters.ts";
import { renderTable } from "../ui/lists/table.ts";
import { renderChange } from "../ui/numbers/key-metrics.ts";
import type { OverviewContext } from "./overview-context.ts";
import { rankedRow } from "./ranked-campaigns.ts";

/**
 * Returns nothing without such campaigns.
 *
 * @param counting how many there are. @param isPrinted a report has them only where most campaigns are among them
 */
export function freshCampaigns(
  context: Omit<OverviewContext, "view">,
  campaigns: readonly FreshCampaign[],
  { counting = campaigns.length, isPrinted = false } = {},
): Html | false {
  if (campaigns.length === 0) return false;
  const { filters, defaults, t } = context;
  const kept = { traffic: filters.traffic, list: listQuery(filters, defaults) };
  const rows = campaigns.slice(0, freshShown).map((campaign) => {
    const { stored } = campaign;
    const { id, sentAt } = stored.campaign;
    return rankedRow(context, stored, {
      list: campaigns.map((each) => each.stored),
      url: campaignUrl(id, defaults, kept),
      when: ageText(context, defaults.now - sentAt),
      difference: comparison(context, campaign),
      rate: rangedRate(stored, filters.traffic, "openRate"),
    });
  });
  const title = t("campaigns.isStillCounting");
  const table = renderTable(title, [], rows, { hidesCaption: true });
  const more = counting - rows.length;
  return html`<section class="card${!isPrinted && " no-print"}"><h2>${title}</h2>${table}${more > 0 && html`<p class="soft small">${t("digest.moreCounting", { count: more })}</p>`}</section>`;
}

/** How the open rate compares with the usual one, and where it will probably end. */
function comparison(locale: Locale, { atItsAge, likelyEnd }: FreshCampaign): HtmlValue {
  const change = changeAtAge(locale, "openRate", atItsAge);
  return (
    change &&
    html`${renderChange(change)} <span class="soft">${locale.t("campaign.atTheirAge")} · ${likelyEndText(locale, likelyEnd)}</span>`
  );
}
