// The key numbers of a campaign, each beside the average of its baseline and of its tags.

import { numberOf } from "../../../../campaign/campaign-number.ts";
import { campaignRate, sumsOfCampaign } from "../../../../campaign/campaign-rates.ts";
import { metricsOf } from "../../../../campaign/metrics.ts";
import { type Range, type Ranged, withRange } from "../../../../campaign/ranges.ts";
import { rangeOf } from "../../../../campaign/rate-ranges.ts";
import { areComparable, coveredRateOf } from "../../../../campaign/sum-rates.ts";
import type { Sums } from "../../../../campaign/sums.ts";
import { type Benchmarks, minAveraged } from "../../../../listing/reports/campaign-benchmarks.ts";
import { ratesAtAge, type SameAge } from "../../../../listing/reports/same-age.ts";
import { type Html, type HtmlValue, html, joinHtml } from "../../../../locale/html.ts";
import { isolate } from "../../../../locale/isolated-text.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { type MetricChange, rateDifference } from "../../../../locale/rate-difference.ts";
import { methodOfRate, type NamedRate } from "../../../../locale/rate-text.ts";
import { changeAtAge, comparedName } from "../../../../locale/same-age-text.ts";
import { isStillCounting } from "../../../../storage/campaigns/stored-campaign.ts";
import { type KeyMetric, keyMetrics } from "../../ui/numbers/key-metrics.ts";
import { leftOutText } from "../../ui/numbers/left-out.ts";
import { noValue, withheldText } from "../../ui/numbers/number-or-dash.ts";
import { rateWithRange } from "../../ui/numbers/rate-with-range.ts";
import { type CampaignView, shownCampaign } from "./campaign-view.ts";

/** @param sameAge undefined if the campaign was imported or has no recipients */
export function keyNumbers(view: CampaignView, benchmarks: Benchmarks, sameAge: SameAge | undefined): Html {
  const { t } = view;
  const campaign = shownCampaign(view);
  const own = sumsOfCampaign(campaign);
  const metric = (name: NamedRate, note: HtmlValue) => {
    const value = campaignRate(campaign, name);
    const range = rangeOf(own, name);
    const rate = value === null ? null : withRange(value, range);
    const comparison = isStillCounting(view.stored)
      ? compareAtAge(view, name, sameAge)
      : compareWithOthers(view, name, { own, rate, benchmarks });
    return keyMetric(view, name, { value, range, note, comparison });
  };
  const isRated = own.indexed > 0 || campaignRate(campaign, "enpsMean") !== null;
  return keyMetrics([
    metric("openRate", ofRecipients(view, "unique_opens")),
    metric("clickRate", ofRecipients(view, "unique_clicks")),
    campaignRate(campaign, "readShare") !== null && metric("readShare", readNote(view, own)),
    isRated
      ? metric(
          own.indexed > 0 ? "enpsIndex" : "enpsMean",
          own.ratings > 0 && t("campaign.ratings", { ratings: own.ratings }),
        )
      : noRatings(view),
  ]);
}

/** Recipients of whom only a prefetch is known, at most as many as did not open. */
export function unknownOpensOf({
  stored: { campaign, numbers },
  traffic,
}: Pick<CampaignView, "stored" | "traffic">): number {
  if (!("tallies" in numbers)) return 0;
  const { uniqueOpens, unknownOpens } = numbers.tallies[traffic];
  return Math.max(0, Math.min(unknownOpens, (campaign.recipientCount ?? 0) - uniqueOpens));
}

/** Why it is not known whether some recipients opened, if there are such. */
export function unknownOpensNote(view: CampaignView): string[] {
  const unknown = unknownOpensOf(view);
  return unknown > 0 ? [view.t("campaign.openedUnknownNote", { unknown })] : [];
}

/** Undefined without ratings. They may be withheld, and an import may give their number without their average. */
function noRatings(view: CampaignView): KeyMetric | undefined {
  const { stored, traffic } = view;
  const ratings =
    metricsOf(stored.numbers, stored.campaign.recipientCount, traffic).enps_reactions_count ?? 0;
  const withheld = withheldText(view, stored, "enpsIndex");
  if (ratings === 0) return undefined;
  return {
    name: view.t("numbers.enpsIndex"),
    value: withheld ?? noValue(view),
    isText: withheld !== undefined,
    note: view.t("campaign.ratings", { ratings }),
  };
}

/** More may have opened than there are recipients: others than they may open a campaign. */
function ofRecipients(view: CampaignView, name: "unique_opens" | "unique_clicks"): string | false {
  const { stored, traffic, t } = view;
  const { recipientCount: recipients } = stored.campaign;
  const count = numberOf(stored, traffic, name);
  if (count === null || recipients === null) return false;
  const isOpens = name === "unique_opens";
  if (count > recipients)
    return isOpens
      ? t("campaign.openedMore", { opened: count, recipients })
      : t("campaign.clickedMore", { clicked: count, recipients });
  const unknown = isOpens ? unknownOpensOf(view) : 0;
  if (unknown > 0) return t("campaign.openedUnknown", { opened: count, unknown, recipients });
  return recipients > 0 && t("campaign.partOf", { count, total: recipients });
}

const baselineText = (locale: Locale, { name, sums }: Benchmarks["baseline"]) =>
  locale.t("campaign.vsTeam", { team: comparedName(locale, name), campaigns: sums.settledCampaigns });

/** What the key numbers are compared with, or why with nothing. */
export function baselineOf(locale: Locale, { baseline }: Benchmarks): string {
  const { name, sums } = baseline;
  if (sums.settledCampaigns < minAveraged)
    return locale.t("campaign.tooFewOfTeam", { team: comparedName(locale, name) });
  const compared = baselineText(locale, baseline);
  // Others that were sent before a campaign are still counting only if it was closed early.
  const notes = [
    !baseline.isComparable("openRate") && `${locale.t("ui.notCompared")}.`,
    leftOutText(locale, sums),
  ];
  const added = notes.filter(Boolean).join(" ");
  return added === "" ? compared : `${compared}. ${added}`;
}

/** An imported campaign has only the shares of its reads. */
function readNote({ stored, t }: CampaignView, { glanced, skimmed, read }: Sums): HtmlValue {
  // Sums have reads times 100.
  const measured = (glanced + skimmed + read) / 100;
  return "tallies" in stored.numbers && t("campaign.readOf", { read: read / 100, measured });
}

interface KeyNumber {
  value: number | null;
  range: Range | null;
  note: HtmlValue;
  comparison: KeyComparison;
}

/** What a key number is compared with. */
interface KeyComparison {
  change: MetricChange | undefined;
  texts: (string | undefined)[];
}

/** A campaign that is still counting is compared with the usual at its age, where that is known. */
function compareAtAge(locale: Locale, name: NamedRate, sameAge: SameAge | undefined): KeyComparison {
  const isKnown = name === "openRate" || name === "clickRate";
  const change = sameAge && isKnown ? changeAtAge(locale, name, ratesAtAge(sameAge, name)) : undefined;
  if (!change) return { change, texts: [] };
  const { comparedWith, ...shown } = change;
  return { change: shown, texts: [comparedWith] };
}

function compareWithOthers(
  view: CampaignView,
  name: NamedRate,
  { own, rate, benchmarks: { baseline, tags } }: { own: Sums; rate: Ranged | null; benchmarks: Benchmarks },
): KeyComparison {
  const { traffic, stored, t, format } = view;
  const usual = baseline.usual(name);
  const team = stored.campaign.team ? t("campaigns.columns.team") : comparedName(view, baseline.name);
  const averageText = (tag: string, rate: number) =>
    t("campaign.tagAverage", { tag, value: format[methodOfRate(name)](rate) });
  const average = usual ? averageText(team, usual.value) : undefined;
  const change = rate && usual ? rateDifference(view, name, rate, usual) : undefined;
  const texts = [
    change ? undefined : average,
    // Fewer campaigns, or those that cannot be compared, are said once, for all numbers.
    usual === null && baseline.sums.settledCampaigns >= minAveraged && baseline.isComparable(name)
      ? t("campaign.teamTooFew", { team })
      : undefined,
    // A campaign rarely has more, and the card has little room.
    ...tags.slice(0, 2).map(({ tag, sums }) => {
      const average = areComparable(own, sums, { name, traffic }) ? coveredRateOf(sums, name).rate : null;
      // A tag with the same campaigns would say the same again.
      const isBaseline = average === usual?.value && sums.settledCampaigns === baseline.sums.settledCampaigns;
      return average === null || isBaseline ? undefined : averageText(isolate(tag.name), average);
    }),
  ];
  if (!change) return { change: undefined, texts };
  return {
    change: { ...change, text: `${change.text} · ${average}`, comparedWith: baselineText(view, baseline) },
    texts,
  };
}

function keyMetric(
  view: CampaignView,
  name: NamedRate,
  { value, range, note, comparison: { change, texts } }: KeyNumber,
): KeyMetric {
  const notes = [note, ...texts].filter(Boolean);
  return {
    name: view.t(`numbers.${name}`),
    value: value === null ? noValue(view) : rateWithRange(view, name, value, range),
    change: value === null ? undefined : change,
    note: joinHtml(notes, html`<br>`),
  };
}
