// The card with the newest campaigns that are still counting: how each compares at its age, which no other card says.

import { campaignRange, campaignRate } from "../../../campaign/campaign-rates.ts";
import { recordedAges } from "../../../campaign/events/ages.ts";
import type { Range } from "../../../campaign/ranges.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import { findReleased, inOrder } from "../../../listing/find-released.ts";
import { likelyEndOf, type RatesAtAge, ratesAtAge, readSameAge } from "../../../listing/reports/same-age.ts";
import { ageText } from "../../../locale/age-text.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import { isStillCounting, type StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../../storage/organizations/organizations.ts";
import type { Database } from "../../../storage/queries/database.ts";
import { findNewestIds } from "../../../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../../../storage/sums/sums-filter.ts";
import { incompleteMark } from "../campaigns/campaign-marks.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { shownCampaign } from "../campaigns/page/campaign-view.ts";
import { changeAtAge, likelyEndText } from "../campaigns/page/same-age.ts";
import { listQuery } from "../filters/filters.ts";
import { renderTable } from "../ui/lists/table.ts";
import { renderChange } from "../ui/numbers/key-metrics.ts";
import { rateWithRange } from "../ui/numbers/rate-with-range.ts";
import { subjectOf } from "../ui/texts/subject.ts";
import type { OverviewContext } from "./overview-context.ts";

/** Each reads up to thirty campaigns to compare it with. */
const freshShown = 3;

export interface FreshCampaign {
  stored: StoredCampaign;
  /** Its open rate beside the usual one; undefined if there is none to compare with. */
  atItsAge: RatesAtAge | undefined;
  /** Of its open rate; undefined if it is too early to tell. */
  likelyEnd: Range | undefined;
}

/** The newest campaigns that are still counting. */
export async function readFresh(
  { database, now }: { database: Database; now: () => number },
  organization: Organization,
  filter: SumsFilter,
): Promise<FreshCampaign[]> {
  const at = now();
  const sentFrom = Math.max(filter.sentFrom ?? -Infinity, at - recordedAges["7d"]);
  const found = await database.query(async (queries) => {
    const ids = await findNewestIds(queries, organization.id, { ...filter, sentFrom }, freshShown);
    return inOrder(await findReleased(queries, organization, ids), ids);
  });
  const { traffic } = filter;
  return Promise.all(
    found.filter(isStillCounting).map(async (stored) => {
      const sameAge = await readSameAge(database, organization.id, stored, { traffic, now: at });
      return {
        stored,
        atItsAge: sameAge && ratesAtAge(sameAge, "openRate"),
        likelyEnd: sameAge && likelyEndOf(sameAge),
      };
    }),
  );
}

/** Nothing without such campaigns. */
export function freshCampaigns(
  context: OverviewContext,
  campaigns: readonly FreshCampaign[],
  { total, now }: { total: Sums; now: number },
): Html | false {
  if (campaigns.length === 0) return false;
  const { locale, filters, defaults } = context;
  const kept = { traffic: filters.traffic, list: listQuery(filters, defaults) };
  const rows = campaigns.map((campaign) => {
    const { stored } = campaign;
    const { id, sentAt } = stored.campaign;
    const shown = shownCampaign({ stored, traffic: filters.traffic });
    const rate = rateWithRange(
      locale,
      "openRate",
      campaignRate(shown, "openRate"),
      campaignRange(shown, "openRate"),
    );
    return html`<tr><th scope="row" class="text"><a href="${campaignUrl(id, defaults, kept)}">${subjectOf(locale, stored.campaign)}</a>${incompleteMark(context, stored)}<div class="vs-usual"><span class="soft">${ageText(locale, now - sentAt)}</span>${comparison(locale, campaign)}</div></th><td class="number">${rate}</td></tr>
`;
  });
  const title = locale.t("campaigns.isStillCounting");
  const table = renderTable(title, [], rows, { hidesCaption: true });
  const listUrl = urlWithQuery(paths.web.campaigns, kept.list);
  const more =
    leftOutOf(total) > campaigns.length &&
    html`<a href="${listUrl}">${locale.t("overview.viewCampaigns")}</a>`;
  return html`<section class="card no-print"><div class="card-head"><h2>${title}</h2>${more}</div>${table}</section>`;
}

/** How the open rate compares with the usual one, and where it will probably end. */
function comparison(locale: Locale, { atItsAge, likelyEnd }: FreshCampaign): HtmlValue {
  const change = changeAtAge(locale, "openRate", atItsAge);
  if (!change) return false;
  return html` <span class="soft">·</span> ${renderChange(change)} <span class="soft">· ${likelyEndText(locale, likelyEnd)}</span>`;
}
