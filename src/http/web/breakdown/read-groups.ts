// Reads what the page and the file of the breakdown show.

import type { Tag } from "../../../campaign/campaign.ts";
import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { othersOf, rangedRateOf, rateOfGroup, type SpreadSums } from "../../../campaign/rate-ranges.ts";
import { areComparable } from "../../../campaign/sum-rates.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import {
  type FreshCampaign,
  freshOfGroup,
  leadingNumbers,
  readFresh,
  type SoFar,
  soFarOf,
} from "../../../listing/reports/fresh-campaigns.ts";
import { type Breakdown, computeBreakdown } from "../../../listing/sums/breakdown-numbers.ts";
import type { BreakdownField } from "../../../listing/sums/overview-choices.ts";
import { rateLineOf } from "../../../listing/sums/overview-numbers.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { type MetricChange, rateDifference } from "../../../locale/rate-difference.ts";
import { changeAtAge, likelyEndText } from "../../../locale/same-age-text.ts";
import { listTags } from "../../../storage/organizations/tags.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";
import { renderChange } from "../ui/numbers/key-metrics.ts";
import { seriesLink, tagLink } from "../ui/texts/series-link.ts";
import type { BreakdownRow } from "./group-order.ts";

/** How many campaigns of a group are still counting, and that its numbers are those so far if they are most. */
function stillCounting({ t }: Locale, total: SpreadSums, soFar: SoFar | undefined): HtmlValue {
  return (
    soFar &&
    html`<span class="visually-hidden">, </span> <span class="soft small">${soFar.isMost ? t("overview.soFar") : t("overview.ofThemCounting", { count: leftOutOf(total) })}</span>`
  );
}

/**
 * How the open rate of a group differs from that of all other campaigns: the ranges of two groups alone do not say whether
 * one is better.
 *
 * @param total of all campaigns, with the spread of the open rate
 */
function differenceFromOthers(
  locale: Locale,
  sums: SpreadSums,
  { total, traffic }: { total: SpreadSums; traffic: TrafficFilter },
): MetricChange | undefined {
  const name = "openRate";
  const others = othersOf(total, sums);
  const [rate, other] = [rateOfGroup(sums, total, name), rangedRateOf(others, name)];
  if (!rate || !other || !areComparable(sums, others, { name, traffic })) return undefined;
  return { ...rateDifference(locale, name, rate, other), comparedWith: locale.format.rate(other.value) };
}

const differenceText = (change: MetricChange, others: string): Html =>
  html`<span class="visually-hidden">, </span><div class="vs-usual">${renderChange(change)} <span class="soft">${others}</span></div>`;

interface GroupsContext {
  locale: Locale;
  traffic: TrafficFilter;
}

/** The rows of groups. Each tag and team links to its series. @param tags of the organization, if they are tags */
export function groupRows(
  { locale, traffic }: GroupsContext,
  by: BreakdownField,
  { groups, total: all, fresh }: Pick<BrokenDown["breakdown"], "groups" | "total" | "fresh">,
  tags: readonly Tag[],
): BreakdownRow[] {
  return groups.flatMap(({ key, total, before }): BreakdownRow[] => {
    const tag = tags.find(({ id }) => id === key);
    // It was deleted meanwhile.
    if (by === "tag" && !tag) return [];
    const isUnknown = key === null || key === "";
    const name = tag?.name ?? (isUnknown ? locale.t("overview.notSet") : String(key));
    const label = tag ? tagLink(tag) : isUnknown ? html`<i>${name}</i>` : seriesLink("team", name);
    const soFar = soFarOf(total, freshOfGroup(fresh, by, key), traffic);
    const isProvisional = soFar?.isMost === true;
    const shown = leadingNumbers({ total, compared: before && { total: before } }, soFar);
    const line = rateLineOf(shown, "openRate", traffic);
    const change = isProvisional
      ? changeAtAge(locale, "openRate", soFar.openRate)
      : differenceFromOthers(locale, total, { total: all, traffic });
    const others = isProvisional
      ? `${locale.t("campaign.atTheirAge")} · ${likelyEndText(locale, soFar.likelyEnd)}`
      : locale.t("overview.vsOthers");
    return [
      {
        name,
        total: shown.total,
        ...(!isProvisional && { all }),
        isProvisional,
        isUnknown,
        standsOut: change !== undefined && change.direction !== "flat",
        label: html`${label}${stillCounting(locale, total, soFar)}${change && differenceText(change, others)}`,
        rate: line.rate,
        before: line.before,
      },
    ];
  });
}

export interface BrokenDown {
  breakdown: Breakdown & { fresh: FreshCampaign[] };
  rows: BreakdownRow[];
}

export async function readGroups(
  scope: Scope,
  found: FilteredCampaigns,
  by: BreakdownField,
): Promise<BrokenDown> {
  const {
    page: { filters, defaults },
  } = found;
  const computed = await computeBreakdown(scope, { filters, by }, defaults);
  const breakdown = {
    ...computed,
    fresh: await readFresh(scope, found.organization, computed.filter, defaults.now),
  };
  const tags = by === "tag" ? await listTags(scope) : [];
  return { breakdown, rows: groupRows({ locale: found, traffic: filters.traffic }, by, breakdown, tags) };
}
