// Where campaigns and annotations are among the buckets of the overview's chart.

import { startsOf } from "../../../campaign/calendar/buckets.ts";
import { daysBetween, isoDay } from "../../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../../campaign/calendar/iso-timestamp.ts";
import type { DateSpan } from "../../../campaign/calendar/period.ts";
import type { CampaignDot } from "../../../listing/sums/overview-numbers.ts";
import type { Annotation } from "../../../storage/organizations/annotations.ts";
import type { ChartAnnotation, ChartDot } from "../ui/charts/charts.ts";

/** Where campaigns stand among the buckets, and how large their dots are: the area is proportional to their recipients. */
export function chartDots(
  dots: readonly CampaignDot[],
  spans: readonly DateSpan[],
  timeZone: string,
): ChartDot[] {
  const starts = startsOf({ unit: "day", spans: [...spans] }, timeZone);
  const most = Math.max(...dots.map(({ whole }) => whole));
  return dots.flatMap(({ sentAt, rate, whole }) => {
    const index = starts.findLastIndex((start) => start <= sentAt);
    const [start, end] = [starts[index], starts[index + 1]];
    if (start === undefined || end === undefined) return [];
    return [{ at: index + (sentAt - start) / (end - start), value: rate, size: Math.sqrt(whole / most) }];
  });
}

/** The annotations of each bucket, the oldest first. Those of other days are left out. */
export function placeAnnotations(
  annotations: readonly Annotation[],
  spans: readonly DateSpan[],
): Map<number, ChartAnnotation[]> {
  const placed = annotations.toReversed().flatMap(({ day, text }) => {
    const index = spans.findIndex(({ first, last }) => isoDay(first) <= day && day <= isoDay(last));
    const parsed = parseIsoTimestamp(day);
    const span = spans[index];
    if (!span || parsed?.kind !== "date") return [];
    const [days, length] = [daysBetween(span.first, parsed.date), daysBetween(span.first, span.last) + 1];
    return [{ index, at: index + (days + 0.5) / length, text }];
  });
  return Map.groupBy(placed, ({ index }) => index);
}
