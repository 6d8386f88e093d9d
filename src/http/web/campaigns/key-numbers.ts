// The key numbers of a campaign, each beside the average of its team and of its tags.

import { campaignRate, sumsOfCampaign } from "../../../campaign/campaign-rates.ts";
import { readTimeLimits } from "../../../campaign/events/recipient.ts";
import { areComparable, type CoveredRateName, coveredRateOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { numberOf } from "../../../listing/numbers/number-values.ts";
import { minUsualCampaigns } from "../../../listing/numbers/usual-rates.ts";
import type { Benchmarks } from "../../../listing/reports/campaign-benchmarks.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Strings } from "../strings/en.ts";
import { isolate } from "../ui/isolated-text.ts";
import { type KeyMetric, keyMetrics } from "../ui/key-metrics.ts";
import { methodOfRate, noValue } from "../ui/number-or-dash.ts";
import { rateDifference } from "../ui/rate-difference.ts";
import { type CampaignView, shownCampaign } from "./campaign-view.ts";

export function keyNumbers(view: CampaignView, benchmarks: Benchmarks): Html {
  const { strings } = view.session.locale;
  const campaign = shownCampaign(view);
  const own = sumsOfCampaign(campaign);
  const { opened, openedMore, clicked, clickedMore, clickedOfOpened, ratings } = strings.campaign;
  const metric = (name: KeyRate, note: HtmlValue) =>
    keyMetric(view, name, { own, value: campaignRate(campaign, name), benchmarks, note });
  const isRated = own.indexed > 0 || campaignRate(campaign, "enpsMean") !== null;
  return keyMetrics([
    metric("openRate", ofRecipients(view, "unique_opens", { some: opened, more: openedMore })),
    metric("clickRate", ofRecipients(view, "unique_clicks", { some: clicked, more: clickedMore })),
    metric("clickToOpenRate", own.openers > 0 && clickedOfOpened(own.clickers, own.openers)),
    metric("readShare", readNote(view, own)),
    isRated
      ? metric(own.indexed > 0 ? "enpsIndex" : "enpsMean", own.ratings > 0 && ratings(own.ratings))
      : noRatings(view),
  ]);
}

/** An import may say neither whether there were ratings nor their average. */
function noRatings({ session: { locale }, stored: { numbers } }: CampaignView): KeyMetric {
  const { keyNumbers, noRatings: none } = locale.strings.campaign;
  const isKnown = "tallies" in numbers || numbers.reported.enps_reactions_count !== null;
  return { name: keyNumbers.enpsIndex, value: isKnown ? none : noValue(locale), isText: isKnown };
}

interface OfRecipients {
  some(count: number, recipients: number): string;
  more(count: number, recipients: number): string;
}

/** Others than the recipients may open a campaign, so more may have opened it than there are recipients. */
function ofRecipients(
  { stored, traffic }: CampaignView,
  name: "unique_opens" | "unique_clicks",
  { some, more }: OfRecipients,
): string | false {
  const { recipientCount } = stored.campaign;
  const count = numberOf(stored, traffic, name);
  if (count === null || recipientCount === null) return false;
  if (count > recipientCount) return more(count, recipientCount);
  return recipientCount > 0 && some(count, recipientCount);
}

/** What the key numbers are compared with, or why with nothing. Undefined without a team. */
export function baselineOf({ strings }: Locale, { team }: Benchmarks): string | undefined {
  if (!team) return undefined;
  const { vsTeam, tooFewOfTeam } = strings.campaign;
  const name = isolate(team.name);
  if (team.campaigns < minUsualCampaigns) return tooFewOfTeam(name);
  const compared = vsTeam(name, team.campaigns);
  return team.isComparable("openRate") ? compared : `${compared}. ${strings.ui.notCompared}`;
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

interface KeyNumber {
  /** The sums of the campaign. */
  own: Sums;
  value: number | null;
  benchmarks: Benchmarks;
  note: HtmlValue;
}

function keyMetric(
  { session: { locale }, traffic }: CampaignView,
  name: KeyRate,
  { own, value, benchmarks, note }: KeyNumber,
): KeyMetric {
  const { keyNumbers, teamAverage, teamTooFew, tagAverage } = locale.strings.campaign;
  const { team, tags } = benchmarks;
  const usual = team?.usual(name) ?? null;
  const averages = [
    usual !== null && teamAverage(formatRate(locale, name, usual)),
    // Fewer campaigns, or those that cannot be compared, are said once, for all numbers.
    usual === null &&
      team !== undefined &&
      team.campaigns >= minUsualCampaigns &&
      team.isComparable(name) &&
      teamTooFew,
    ...tags.slice(0, tagsShown).map(({ tag, sums, isTeam }) => {
      const average = areComparable(own, sums, { name, traffic }) ? coveredRateOf(sums, name).rate : null;
      // A tag with the same campaigns as the team would say the same again.
      return average !== null && !isTeam && tagAverage(isolate(tag.name), formatRate(locale, name, average));
    }),
  ].filter((text) => text !== false);
  return {
    name: keyNumbers[name],
    value: value === null ? noValue(locale) : formatRate(locale, name, value),
    change:
      value === null || usual === null
        ? undefined
        : {
            ...rateDifference(locale, name, value, usual),
            comparedWith: locale.strings.campaign.comparedWithTeam(team?.campaigns ?? 0),
          },
    note: html`${note}${averages.map((text, index) => html`${(note || index > 0) && html`<br>`}${text}`)}`,
  };
}

/** A campaign rarely has more, and the card has little room. */
const tagsShown = 2;

function formatRate({ format }: Locale, name: CoveredRateName, rate: number): string {
  return format[methodOfRate(name)](rate);
}
