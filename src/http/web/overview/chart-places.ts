// Where campaigns are among the buckets of the overview's chart.

import { startsOf } from "../../../campaign/calendar/buckets.ts";
import type { DateSpan } from "../../../campaign/calendar/period.ts";
import type { CampaignDot } from "../../../listing/sums/overview-numbers.ts";
import type { ChartDot } from "../ui/charts/charts.ts";

/** Where campaigns stand among the buckets, and how large their dots are: the area is proportional to their recipients. */
export function chartDots(
  dots: readonly CampaignDot[],
  spans: readonly DateSpan[],
  timeZone: string,
): ChartDot[] {
  const starts = startsOf(spans, timeZone);
  const most = Math.max(...dots.map(({ whole }) => whole));
  return dots.flatMap(({ sentAt, rate, whole, isFresh }) => {
    const index = starts.findLastIndex((start) => start <= sentAt);
    const [start, end] = [starts[index], starts[index + 1]];
    if (start === undefined || end === undefined) return [];
    const at = index + (sentAt - start) / (end - start);
    return [{ at, value: rate, size: Math.sqrt(whole / most), isHollow: isFresh === true }];
  });
}
