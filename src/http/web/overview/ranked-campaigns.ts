// The cards with the best and the worst subjects, by their open rates or by how those differ from the usual ones of their teams.

import { rangedRateOf, type SpreadSums } from "../../../campaign/rate-ranges.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import { overviewQuery } from "../../../listing/sums/filter-query.ts";
import { rankings } from "../../../listing/sums/overview-choices.ts";
import type { OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import type { TeamAverages } from "../../../listing/sums/team-averages.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { fromAll } from "../../../locale/rate-difference.ts";
import { urlWithQuery } from "../../../paths.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { columnNumber, differenceText, printedChange, sentOn } from "../campaigns/campaign-columns.ts";
import { incompleteMark } from "../campaigns/campaign-marks.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { listQuery } from "../filters/filters.ts";
import { switchLinks } from "../ui/lists/menu.ts";
import { renderTable } from "../ui/lists/table.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";
import { rateWithRange } from "../ui/numbers/rate-with-range.ts";
import { subjectOf } from "../ui/texts/subject.ts";
import type { OverviewContext } from "./overview-context.ts";

/** The choice of the ranking. */
function rankingSwitch({ locale, filters, defaults, view }: OverviewContext): Html {
  const links = rankings.map((each) => ({
    url: urlWithQuery("/", overviewQuery(filters, { ...view, ranking: each }, defaults)),
    name: locale.t(`overview.rankings.${each}`),
    isCurrent: each === view.ranking,
  }));
  return html`<div class="no-print">${switchLinks("rank", locale.t("overview.rankBy"), links)}</div>`;
}

/** Which campaigns the ranking leaves out. */
function notRanked({ locale }: OverviewContext, total: SpreadSums): string[] {
  const count = leftOutOf(total);
  return count > 0 ? [locale.t("overview.notRanked", { count })] : [];
}

/** The cards with the best and the worst campaigns, or that there are none. */
export function rankedCards(
  context: OverviewContext,
  { total }: Pick<OverviewNumbers, "total">,
  ranked: Record<"best" | "worst", readonly StoredCampaign[]>,
  averages: TeamAverages,
): Html[] {
  const { t } = context.locale;
  if (ranked.best.length + ranked.worst.length === 0) {
    return total.settledCampaigns > 0
      ? [
          html`<section class="card whole"><div class="card-head"><p>${[t("overview.nothingStandsOut"), ...notRanked(context, total)].join(" ")}</p>${rankingSwitch(context)}</div></section>`,
        ]
      : [];
  }
  return (["best", "worst"] as const).map((which) =>
    rankedCampaigns(context, which, { campaigns: ranked[which], averages, total }),
  );
}

interface RankedContent {
  /** The campaigns without those that were deleted meanwhile. */
  campaigns: readonly StoredCampaign[];
  averages: TeamAverages;
  total: SpreadSums;
}

function rankedCampaigns(
  context: OverviewContext,
  which: "best" | "worst",
  { campaigns, averages, total }: RankedContent,
): Html {
  const { locale, filters, defaults, view } = context;
  const { ranking } = view;
  const { t } = locale;
  const title = t(`overview.ranked.${ranking}.${which}`);
  const list = listQuery(filters, defaults);
  list.set("sort", ranking === "team" ? "open_rate_vs_team" : "open_rate");
  if (which === "best") list.set("order", "desc");
  const shown = { locale, timeZone: defaults.timeZone, traffic: filters.traffic, averages };
  const side = which === "best" ? 1 : -1;
  const rated = campaigns.map((stored) => ({ stored, rate: columnNumber("open_rate", stored, shown) }));
  // Ranked by the rate without its chance; readers look for the order of the printed numbers.
  const inOrder =
    ranking === "rate"
      ? rated.sort((a, b) => side * printedRate(b.rate) - side * printedRate(a.rate))
      : rated;
  const ofAll = rangedRateOf(total, "openRate");
  const rows = inOrder.map(({ stored, rate }) => {
    const url = campaignUrl(stored.campaign.id, defaults, { traffic: filters.traffic, list });
    const difference =
      ranking === "rate" && rate && ofAll
        ? printedChange(fromAll(locale, rate.value, ofAll.value))
        : differenceText("openRate", stored, shown, { isPrinted: true });
    const range = rate && Number.isFinite(rate.low) ? rate : null;
    const shownRate = rateWithRange(locale, "openRate", rate?.value ?? null, range);
    return rankedRow(context, stored, { url, difference, rate: shownRate });
  });
  const table =
    rows.length > 0
      ? renderTable(title, [], rows, { hidesCaption: true })
      : html`<p class="soft">${t("overview.noneRanked")}</p>`;
  return html`<section class="card"><div class="card-head"><h2>${title}</h2>${which === "best" ? rankingSwitch(context) : aboutNumbers(locale, [t("overview.rankedNote"), ...notRanked(context, total)])}</div>${table}</section>`;
}

/** A campaign with the day that it was sent, how it differs, and its rate. */
export function rankedRow(
  context: Pick<OverviewContext, "locale" | "defaults" | "sourcesAlert">,
  stored: StoredCampaign,
  { url, difference, rate }: { url: string; difference: HtmlValue; rate: HtmlValue },
): Html {
  const { locale, defaults } = context;
  const day = sentOn(stored.campaign.sentAt, defaults.timeZone, locale);
  return html`<tr><th scope="row" class="text"><a href="${url}">${subjectOf(locale, stored.campaign)}</a>${incompleteMark(context, stored)}<div class="vs-usual"><span class="soft">${day} ·</span> ${difference}</div></th><td class="number">${rate}</td></tr>
`;
}

const printedRate = (rate: { value: number } | null | undefined) => rate?.value ?? 0;
