// The key numbers of a campaign, each beside the average of its team and of its tags.

import { campaignRate, sumsOfCampaign } from "../../../campaign/campaign-rates.ts";
import { readTimeLimits } from "../../../campaign/events/recipient.ts";
import { type CoveredRateName, coveredRateOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import type { Benchmarks } from "../../../listing/reports/campaign-benchmarks.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Strings } from "../strings/en.ts";
import { type KeyMetric, keyMetrics, type MetricChange } from "../ui/key-metrics.ts";
import { methodOfRate, noValue } from "../ui/number-or-dash.ts";
import { type CampaignView, shownCampaign } from "./campaign-view.ts";

export function keyNumbers(view: CampaignView, benchmarks: Benchmarks): Html {
  const { strings } = view.session.locale;
  const campaign = shownCampaign(view);
  const own = sumsOfCampaign(campaign);
  const { opened, clicked, clickedOfOpened, ratings } = strings.campaign;
  const { recipientCount } = view.stored.campaign;
  const metric = (name: KeyRate, note: HtmlValue) =>
    keyMetric(view.session.locale, name, { value: campaignRate(campaign, name), benchmarks, note });
  const isRated = own.indexed > 0 || campaignRate(campaign, "enpsMean") !== null;
  return keyMetrics([
    metric("openRate", own.openRecipients > 0 && opened(own.opens, recipientCount ?? 0)),
    metric("clickRate", own.clickRecipients > 0 && clicked(own.clicks, recipientCount ?? 0)),
    metric("clickToOpenRate", own.openers > 0 && clickedOfOpened(own.clickers, own.openers)),
    metric("readShare", readNote(view, own)),
    isRated
      ? metric(own.indexed > 0 ? "enpsIndex" : "enpsMean", own.ratings > 0 && ratings(own.ratings))
      : { name: strings.campaign.keyNumbers.enpsIndex, value: strings.campaign.noRatings, isText: true },
  ]);
}

/** An imported campaign has only the shares of its reads. */
function readNote({ session, stored }: CampaignView, { glanced, skimmed, read }: Sums): string {
  const { readFor, readOf } = session.locale.strings.campaign;
  // Sums have reads times 100.
  const measured = (glanced + skimmed + read) / 100;
  return "tallies" in stored.numbers && measured > 0
    ? readOf(read / 100, measured, readTimeLimits.skimmed)
    : readFor(readTimeLimits.skimmed);
}

type KeyRate = keyof Strings["campaign"]["keyNumbers"];

function keyMetric(
  locale: Locale,
  name: KeyRate,
  { value, benchmarks, note }: { value: number | null; benchmarks: Benchmarks; note: HtmlValue },
): KeyMetric {
  const { keyNumbers, teamAverage, teamTooFew, tagAverage } = locale.strings.campaign;
  const averageOf = (sums: Sums | undefined) => (sums ? coveredRateOf(sums, name).rate : null);
  const team = averageOf(benchmarks.team);
  const isTooFew = benchmarks.team !== undefined && coveredRateOf(benchmarks.team, name).isTooFew;
  const averages = [
    isTooFew && teamTooFew,
    team !== null && teamAverage(formatRate(locale, name, team)),
    ...benchmarks.tags.slice(0, tagsShown).map(({ tag, sums }) => {
      const average = averageOf(sums);
      // A tag with the same campaigns as the team would say the same again.
      const isNew = average !== null && sums.campaigns !== benchmarks.team?.campaigns;
      return isNew && tagAverage(tag.name, formatRate(locale, name, average));
    }),
  ].filter((text) => text !== false);
  return {
    name: keyNumbers[name],
    value: value === null ? noValue(locale) : formatRate(locale, name, value),
    change:
      value === null || team === null ? undefined : changeFrom(locale, name, { value, team, benchmarks }),
    note: html`${note}${averages.map((text, index) => html`${(note || index > 0) && html`<br>`}${text}`)}`,
  };
}

/** A campaign rarely has more, and the card has little room. */
const tagsShown = 2;

function changeFrom(
  { strings, format }: Locale,
  name: CoveredRateName,
  { value, team, benchmarks }: { value: number; team: number; benchmarks: Benchmarks },
): MetricChange {
  const isShare = name !== "enpsIndex" && name !== "enpsMean";
  const difference = isShare ? 100 * (value - team) : value - team;
  const shown = name === "enpsIndex" ? format.index(difference) : format.pointChange(difference);
  const campaigns = benchmarks.team?.campaigns ?? 0;
  return {
    text: isShare ? strings.ui.points(shown) : shown,
    direction: !/[1-9]/.test(shown) ? "flat" : difference > 0 ? "up" : "down",
    comparedWith: strings.campaign.comparedWithTeam(campaigns),
  };
}

function formatRate({ format }: Locale, name: CoveredRateName, rate: number): string {
  return format[methodOfRate(name)](rate);
}
