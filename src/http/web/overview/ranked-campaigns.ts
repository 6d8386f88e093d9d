// The cards with the best and the worst subjects, by their open rates.

import { rangedRate } from "../../../campaign/campaign-number.ts";
import type { Ranged } from "../../../campaign/ranges.ts";
import { rangedRateOf, type SpreadSums } from "../../../campaign/rate-ranges.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import type { OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { fromAll } from "../../../locale/rate-difference.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { printedChange, sentOn } from "../campaigns/campaign-columns.ts";
import { incompleteMark } from "../campaigns/campaign-marks.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { listQuery } from "../filters/filters.ts";
import { renderTable } from "../ui/lists/table.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";
import { rateWithRange } from "../ui/numbers/rate-with-range.ts";
import { hasTwin, subjectOf } from "../ui/texts/subject.ts";
import type { OverviewContext } from "./overview-context.ts";

/** Which campaigns the ranking leaves out. */
function notRanked({ t }: OverviewContext, total: SpreadSums): string[] {
  const count = leftOutOf(total);
  return count > 0 ? [t("overview.notRanked", { count })] : [];
}

/** The cards with the best and the worst campaigns, or that there are none. */
export function rankedCards(
  context: OverviewContext,
  { total }: Pick<OverviewNumbers, "total">,
  ranked: Record<"best" | "worst", readonly StoredCampaign[]>,
): Html[] {
  if (ranked.best.length + ranked.worst.length === 0) {
    return total.settledCampaigns > 0
      ? [
          html`<section class="card whole"><p>${[context.t("overview.nothingStandsOut"), ...notRanked(context, total)].join(" ")}</p></section>`,
        ]
      : [];
  }
  return (["best", "worst"] as const).map((which) => rankedCard(context, which, ranked[which], total));
}

/** @param campaigns without those that were deleted meanwhile */
function rankedCard(
  context: OverviewContext,
  which: "best" | "worst",
  campaigns: readonly StoredCampaign[],
  total: SpreadSums,
): Html {
  const { filters, defaults, t } = context;
  const { traffic } = filters;

  const title = t(`overview.ranked.${which}`);
  const list = listQuery(filters, defaults);
  list.set("sort", "open_rate");
  if (which === "best") list.set("order", "desc");
  const side = which === "best" ? 1 : -1;
  const all = rangedRateOf(total, "openRate");
  // Ranked by the rate without its chance; readers look for the order of the printed numbers.
  const rows = campaigns
    .flatMap((stored) => {
      const rate = rangedRate(stored, traffic, "openRate");
      return rate ? { stored, rate } : [];
    })
    .sort((a, b) => side * (b.rate.value - a.rate.value))
    .map(({ stored, rate }) => {
      const url = campaignUrl(stored.campaign.id, defaults, { traffic, list });
      const difference = all && printedChange(fromAll(context, rate.value, all.value));
      return rankedRow(context, stored, {
        list: campaigns,
        url,
        difference,
        rate,
      });
    });
  const table =
    rows.length > 0
      ? renderTable(title, [], rows, { hidesCaption: true })
      : html`<p class="soft">${t("overview.noneRanked")}</p>`;
  const notes = aboutNumbers(context, [t("overview.rankedNote"), ...notRanked(context, total)]);
  return html`<section class="card"><div class="card-head"><h2>${title}</h2>${which === "worst" && notes}</div>${table}</section>`;
}

interface RankedRow {
  url: string;
  difference: HtmlValue;
  rate: Ranged | null;
  /** The campaigns that readers tell it from. */
  list: readonly Pick<StoredCampaign, "campaign">[];
  /** By default the day that it was sent. */
  when?: HtmlValue;
}

/** A campaign with its day or age, how it differs, and its rate. */
export function rankedRow(
  context: Omit<OverviewContext, "view" | "filters">,
  stored: StoredCampaign,
  {
    url,
    difference,
    rate,
    list,
    when = sentOn(stored.campaign.sentAt, context.defaults, context),
  }: RankedRow,
): Html {
  const { team } = stored.campaign;
  const range = rate && Number.isFinite(rate.low) ? rate : null;
  const sender = team && hasTwin(stored, list) && html`<bdi>${team}</bdi> · `;
  return html`<tr><th scope="row" class="text"><a href="${url}">${subjectOf(context, stored.campaign)}</a>${incompleteMark(context, stored)}<div class="vs-usual"><span class="soft">${sender}${when}${difference && " ·"}</span> ${difference}</div></th><td class="number">${rateWithRange(context, "openRate", rate?.value ?? null, range)}</td></tr>
`;
}
