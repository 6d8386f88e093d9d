// The open rate of groups, such as departments, by period: where a group differs from the others, or from its own periods
// before, by more than chance.

import { type Ranged, type Spread, shareRange, spreadOf, standingOut } from "../ranges.ts";

interface PeriodOpens {
  campaigns: number;
  recipients: number;
  opens: number;
  /** The opens that it would have if it opened each campaign as often as all recipients of that campaign do. */
  expected: number;
}

/** What a group counts in a period. */
export interface PeriodSums extends PeriodOpens {
  /** How much its open rates of the campaigns differ. */
  spread: Spread;
}

export interface GroupPeriod extends PeriodSums {
  /** How many campaigns of the period match. */
  of: number;
  /** Whether the group is in at least half of them. Otherwise its rate is not shown. */
  isCovered: boolean;
  /** Below or above the others. */
  side: -1 | 0 | 1;
  /** Fell or rose against its own periods before, and by more than the others did. */
  change: -1 | 0 | 1;
}

const noOpens = (): PeriodOpens => ({ campaigns: 0, recipients: 0, opens: 0, expected: 0 });

export const emptyPeriod = (): PeriodSums => ({ ...noOpens(), spread: spreadOf(0, 0) });

function addOpens(to: PeriodOpens, { campaigns, recipients, opens, expected }: PeriodOpens): void {
  to.campaigns += campaigns;
  to.recipients += recipients;
  to.opens += opens;
  to.expected += expected;
}

/** @param groups the periods of each group. @param campaigns that match, by period */
export function comparePeriods(
  groups: readonly (readonly PeriodSums[])[],
  campaigns: readonly number[],
): GroupPeriod[][] {
  const rows = groups.map((periods) => {
    const before = noOpens();
    return periods.map((period, index) => {
      const of = campaigns[index] ?? 0;
      const isCovered = period.campaigns > 0 && 2 * period.campaigns >= of;
      const changed = isCovered && before.campaigns > 0 && changeOf(period, before);
      if (isCovered) addOpens(before, period);
      return { ...period, of, isCovered, side: 0, change: 0, changed } as GroupPeriod & {
        changed: Ranged | false;
      };
    });
  });
  for (const index of campaigns.keys()) {
    const covered = rows.flatMap((row) => row[index] ?? []).filter(({ isCovered }) => isCovered);
    for (const [place, side] of sidesOf(covered.map((cell) => excessOf(cell)))) {
      (covered[place] as GroupPeriod).side = side;
    }
    const changed = covered.filter((cell) => cell.changed);
    for (const [place, side] of sidesOf(changed.map((cell) => cell.changed as Ranged))) {
      (changed[place] as GroupPeriod).change = side;
    }
  }
  return rows;
}

/** One group alone has no others. */
const sidesOf = (excesses: readonly Ranged[]) =>
  (excesses.length > 1 ? standingOut(excesses, 0) : []).entries();

/**
 * How far the open rate is above the one that was expected. The campaigns of a period have the same people, who may do the same each time,
 * so chance is that of as many people as one campaign has.
 */
function excessOf(
  { campaigns, recipients, opens, expected }: PeriodOpens,
  people = recipients / campaigns,
): Ranged {
  const rate = opens / recipients;
  const { low, high } = shareRange(rate * people, people);
  return around(rate - expected / recipients, (high - low) / 2);
}

const around = (value: number, half: number): Ranged => ({ value, low: value - half, high: value + half });

/**
 * What the people did each time cancels out, so that chance is less the more campaigns there were before. A rate that rose with
 * those of all, only less, did not fall: it is as it was.
 */
function changeOf(period: PeriodOpens, before: PeriodOpens): Ranged {
  const [now, then] = [excessOf(period), excessOf(before, before.recipients)];
  const value = now.value - then.value;
  const rateOf = ({ opens, recipients }: PeriodOpens) => opens / recipients;
  const isSame = value * (rateOf(period) - rateOf(before)) <= 0;
  return around(isSame ? 0 : value, Math.hypot(now.high - now.value, then.high - then.value));
}

/** A group that is on the same side of the others in each period up to the last. */
interface GroupRun {
  /** The position of the group. */
  group: number;
  /** The first period of the run. */
  from: number;
  side: -1 | 0 | 1;
  /** The open rate in these periods. */
  rate: number;
}

/** The longest run of at least two periods up to the last with a rate; of several, that of the group that differs most. */
export function findRun(rows: readonly (readonly GroupPeriod[])[]): GroupRun | undefined {
  const end = 1 + Math.max(...rows.map((row) => row.findLastIndex(({ isCovered }) => isCovered)));
  const runs = rows.flatMap((periods, group) => {
    const row = periods.slice(0, end);
    const side = row.at(-1)?.side ?? 0;
    const from = row.findLastIndex((cell) => cell.side !== side) + 1;
    if (side === 0 || row.length - from < 2) return [];
    const run = noOpens();
    for (const period of row.slice(from)) addOpens(run, period);
    return [
      {
        group,
        from,
        side,
        rate: run.opens / run.recipients,
        excess: Math.abs(excessOf(run).value),
      },
    ];
  });
  return runs.sort((a, b) => a.from - b.from || b.excess - a.excess)[0];
}
