// When to send: how many recipients open within two hours, by the weekday and hour of sending. The kind of mail matters
// more than the hour, so each campaign is compared with those of its own series.

import { hourMs } from "../../campaign/calendar/durations.ts";
import { countUpTo } from "../../campaign/events/ages.ts";
import { type Ranged, spreadOf, standingOut } from "../../campaign/ranges.ts";
import { addUpSums, rateOfSome, type SpreadSums } from "../../campaign/rate-ranges.ts";
import { emptySums } from "../../campaign/sums.ts";
import { findTagsOfCampaigns } from "../../storage/campaigns/campaign-tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { findSentTallies } from "../../storage/sums/tallies.ts";

/** One of the ages at which opens are counted. */
const earlyAge = 2 * hourMs;

/** The newest say enough, and reading all would take too long. */
const maxTimed = 1_000;

export interface EarlyOpened {
  /** The day of the week, from 0 (Monday) to 6. */
  weekday: number;
  /** The hour of the day, from 0 to 23. */
  hour: number;
  /** The names of its tags; without tags, of its team. Campaigns with the same labels are a series. */
  labels: readonly string[];
  recipients: number;
  /** How many opened within two hours. */
  opens: number;
}

export interface SendingTime extends Pick<EarlyOpened, "weekday" | "hour" | "recipients"> {
  campaigns: number;
  /** The share that opened within two hours. */
  rate: number;
  /** How much higher it is than that of the series of each; null if these were sent at no other time. */
  difference: Ranged | null;
  /** The tag or team that all campaigns of this time have and others do not. */
  owner: string | undefined;
  /** Whether the time is worse or better by more than chance. One with an owner is neither. */
  side: -1 | 0 | 1;
}

export interface SendingTimes {
  /** The times, sorted by weekday and hour. */
  times: SendingTime[];
  campaigns: number;
  /** The rate of all these campaigns; null without any. */
  rate: number | null;
}

/** Reads counted campaigns that are not still counting: imported ones have no opens by age. */
export async function findSendingTimes(scope: Scope, filter: SumsFilter): Promise<SendingTimes> {
  const sent = await findSentTallies(scope, filter, maxTimed);
  const tags = await findTagsOfCampaigns(
    scope,
    sent.map(({ id }) => id),
  );
  return compareTimes(
    sent.map(({ id, team, tallies, ...campaign }) => ({
      ...campaign,
      labels: tags.get(id)?.map(({ name }) => name) ?? (team ? [team] : []),
      opens: Math.min(countUpTo(tallies[filter.traffic].opensByAge, earlyAge), campaign.recipients),
    })),
  );
}

const timeOf = ({ weekday, hour }: Pick<EarlyOpened, "weekday" | "hour">) => weekday * 24 + hour;

/** @param campaigns with recipients */
export function compareTimes(campaigns: readonly EarlyOpened[]): SendingTimes {
  const rate = rateOfAll(campaigns);
  const bySeries = Map.groupBy(campaigns, ({ labels }) => labels.toSorted().join("\0"));
  const adjusted = [...bySeries.values()].flatMap((series) => {
    // Campaigns that are always sent at one time say nothing about times.
    if (new Set(series.map(timeOf)).size < 2) return [];
    const usual = rateOfAll(series);
    // A campaign is part of its series, and the fewer these are, the less it differs from them.
    const scale = Math.sqrt(series.length / (series.length - 1));
    return series.map((each) => ({
      time: timeOf(each),
      sums: sumsOf(rate + scale * (each.opens / each.recipients - usual), each.recipients),
    }));
  });
  const addUp = (some: typeof adjusted) => addUpSums(some.map(({ sums }) => sums));
  const all = addUp(adjusted);
  const cells = Map.groupBy(adjusted, ({ time }) => time);
  const groups = [...Map.groupBy(campaigns, timeOf)].sort(([one], [other]) => one - other);
  const rates = groups.map(([time]) => {
    const cell = cells.get(time);
    return cell ? rateOfSome(addUp(cell), all, "openRate") : null;
  });
  const sides = standingOut(
    rates.filter((each) => each !== null),
    rate,
  );
  const times = groups.map(([time, own], index): SendingTime => {
    const compared = rates[index];
    const side = (compared && sides.shift()) ?? 0;
    const owner = ownerOf(own, campaigns);
    return {
      weekday: Math.floor(time / 24),
      hour: time % 24,
      campaigns: own.length,
      recipients: own.reduce((sum, { recipients }) => sum + recipients, 0),
      rate: rateOfAll(own),
      difference: compared
        ? { value: compared.value - rate, low: compared.low - rate, high: compared.high - rate }
        : null,
      owner,
      side: owner === undefined ? side : 0,
    };
  });
  return { times, campaigns: campaigns.length, rate: campaigns.length === 0 ? null : rate };
}

function rateOfAll(campaigns: readonly EarlyOpened[]): number {
  const sum = (name: "opens" | "recipients") => campaigns.reduce((total, each) => total + each[name], 0);
  return sum("opens") / sum("recipients");
}

/** Returns a label that all of these campaigns have, but not all campaigns. */
function ownerOf(
  [first, ...others]: readonly EarlyOpened[],
  all: readonly EarlyOpened[],
): string | undefined {
  return first?.labels.find(
    (label) =>
      others.every(({ labels }) => labels.includes(label)) &&
      all.some(({ labels }) => !labels.includes(label)),
  );
}

/** The sums of one campaign. */
function sumsOf(rate: number, recipients: number): SpreadSums {
  const opens = rate * recipients;
  return {
    ...emptySums(),
    opens,
    openRecipients: recipients,
    openCampaigns: 1,
    spreads: { openRate: spreadOf(opens, recipients) },
  };
}
