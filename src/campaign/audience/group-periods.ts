// The open rate of groups, such as departments, by period: where a group differs from the others, or from its own periods
// before, by more than chance.

import { type Ranged, shareRange, standingOut } from "../ranges.ts";
import { emptyGroupSums } from "./group-sums.ts";

/** What a group counts in a period. */
export interface PeriodSums {
  sums: ReturnType<typeof emptyGroupSums>;
  /** The opens that it would have if it opened each campaign as often as all recipients of that campaign do. */
  expected: number;
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

export const emptyPeriod = (): PeriodSums => ({ sums: emptyGroupSums(), expected: 0 });

/** Those of the sums of a period that its open rate needs. */
const noOpens = () => ({ sums: { opens: 0, openRecipients: 0, openCampaigns: 0 }, expected: 0 });

type PeriodOpens = ReturnType<typeof noOpens>;

function addOpens(to: PeriodOpens, { sums, expected }: PeriodOpens): void {
  to.sums.opens += sums.opens;
  to.sums.openRecipients += sums.openRecipients;
  to.sums.openCampaigns += sums.openCampaigns;
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
      const isCovered = period.sums.campaigns > 0 && 2 * period.sums.campaigns >= of;
      const changed = isCovered && before.sums.openCampaigns > 0 && changeOf(period, before);
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
  { sums: { opens, openRecipients, openCampaigns }, expected }: PeriodOpens,
  people = openRecipients / openCampaigns,
): Ranged {
  const rate = opens / openRecipients;
  const { low, high } = shareRange(rate * people, people);
  return around(rate - expected / openRecipients, (high - low) / 2);
}

const around = (value: number, half: number): Ranged => ({ value, low: value - half, high: value + half });

/**
 * What the people did each time cancels out, so that chance is less the more campaigns there were before. A rate that rose with
 * those of all, only less, did not fall: it is as it was.
 */
function changeOf(period: PeriodOpens, before: PeriodOpens): Ranged {
  const [now, then] = [excessOf(period), excessOf(before, before.sums.openRecipients)];
  const value = now.value - then.value;
  const rateOf = ({ sums }: PeriodOpens) => sums.opens / sums.openRecipients;
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
        rate: run.sums.opens / run.sums.openRecipients,
        excess: Math.abs(excessOf(run).value),
      },
    ];
  });
  return runs.sort((a, b) => a.from - b.from || b.excess - a.excess)[0];
}
