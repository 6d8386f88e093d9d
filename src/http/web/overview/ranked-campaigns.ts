// The cards with the best and the worst subjects, by their open rates or by how those differ from the usual ones of their teams.

import type { TeamAverages } from "../../../listing/sums/team-averages.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { columnNumber, differenceText, sentOn } from "../campaigns/campaign-columns.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import { listQuery } from "../filters/filters.ts";
import { leftOutOf } from "../ui/left-out.ts";
import { switchLinks } from "../ui/menu.ts";
import { rateWithRange } from "../ui/rate-with-range.ts";
import { subjectOf } from "../ui/subject.ts";
import { renderTable } from "../ui/table.ts";
import type { OverviewContext } from "./breakdown.ts";
import type { OverviewNumbers } from "./overview-numbers.ts";
import { overviewQuery, rankings } from "./overview-url.ts";

/** The choice of the ranking. */
export function rankingSwitch({ locale, filters, defaults, view }: OverviewContext): Html {
  const links = rankings.map((each) => ({
    url: urlWithQuery("/", overviewQuery(filters, { ...view, ranking: each }, defaults)),
    name: locale.t(`overview.rankings.${each}`),
    isCurrent: each === view.ranking,
  }));
  return html`<div class="row section">${switchLinks("rank", locale.t("overview.rankBy"), links)}<span class="soft small">${locale.t("overview.rankedNote")}</span></div>`;
}

/** The cards with the best and the worst campaigns, or that there are none. */
export function rankedCards(
  context: OverviewContext,
  { total }: Pick<OverviewNumbers, "total">,
  ranked: Record<"best" | "worst", readonly StoredCampaign[]>,
  averages: TeamAverages,
): Html[] {
  const { t } = context.locale;
  const leftOut = leftOutOf(total);
  const note = leftOut > 0 && html`<p class="soft small">${t("overview.notRanked", { count: leftOut })}</p>`;
  if (ranked.best.length + ranked.worst.length === 0) {
    const text = total.settledCampaigns > 0 && html`<p>${t("overview.nothingStandsOut")}</p>`;
    return [html`<section class="card whole">${text}${note}</section>`];
  }
  return (["best", "worst"] as const).map((which) =>
    rankedCampaigns(context, which, { campaigns: ranked[which], averages, note }),
  );
}

interface RankedContent {
  /** Without those that were deleted meanwhile. */
  campaigns: readonly StoredCampaign[];
  averages: TeamAverages;
  note: HtmlValue;
}

function rankedCampaigns(
  { locale, filters, defaults, view: { ranking } }: OverviewContext,
  which: "best" | "worst",
  { campaigns, averages, note }: RankedContent,
): Html {
  const { t } = locale;
  const title = t(`overview.ranked.${ranking}.${which}`);
  const list = listQuery(filters, defaults);
  list.set("sort", ranking === "team" ? "open_rate_vs_team" : "open_rate");
  if (which === "best") list.set("order", "desc");
  const shown = { locale, timeZone: defaults.timeZone, traffic: filters.traffic, averages };
  const rows = campaigns.map((stored) => {
    const url = campaignUrl(stored.campaign.id, defaults, { traffic: filters.traffic, list });
    const difference = differenceText("openRate", stored, shown, { isPrinted: true });
    const rate = columnNumber("open_rate", stored, shown);
    const range = rate && Number.isFinite(rate.low) ? rate : null;
    return html`<tr><th scope="row" class="text"><a href="${url}">${subjectOf(locale, stored.campaign)}</a><div class="vs-usual"><span class="soft">${sentOn(stored.campaign.sentAt, defaults.timeZone, locale)} ·</span> ${difference}</div></th><td class="number">${rateWithRange(locale, "openRate", rate?.value ?? null, range)}</td></tr>
`;
  });
  const table =
    rows.length > 0
      ? renderTable(title, [], rows, { hidesCaption: true })
      : html`<p class="soft">${t("overview.noneRanked")}</p>`;
  return html`<section class="card"><div class="card-head"><h2>${title}</h2></div>${table}${note}</section>`;
}
