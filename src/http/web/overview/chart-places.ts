// Where campaigns and annotations are among the buckets of the overview's chart.

import { startsOf } from "../../../campaign/calendar/buckets.ts";
import { daysBetween, isoDay } from "../../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../../campaign/calendar/iso-timestamp.ts";
import type { DateSpan } from "../../../campaign/calendar/period.ts";
import type { CampaignDot } from "../../../listing/sums/overview-numbers.ts";
import { isolatedText } from "../../../locale/isolated-text.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { NameIn } from "../../../locale/translations.ts";
import type { Annotation } from "../../../storage/organizations/annotations.ts";
import { type Chart, type ChartAnnotation, type ChartDot, maxCaseGroups } from "../ui/charts/charts.ts";

/** The dots of campaigns, in colors if they are of a few teams. */
export function chartDots(
  dots: readonly CampaignDot[],
  spans: readonly DateSpan[],
  { locale: { t }, name, timeZone }: { locale: Locale; name: NameIn<"overview.dots">; timeZone: string },
): Pick<Chart, "dots" | "dotNote" | "dotGroups"> {
  const teams = [...new Set(dots.map(({ team }) => team ?? ""))].sort();
  const areColored = teams.length > 1 && teams.length <= maxCaseGroups;
  return {
    dots: placeDots(dots, spans, timeZone).map(({ team, ...dot }) => ({
      ...dot,
      ...(areColored && { group: teams.indexOf(team ?? "") }),
    })),
    dotNote: t(`overview.dots.${name}`),
    dotGroups: areColored
      ? teams.map((team) => (team === "" ? t("overview.notSet") : isolatedText(team)))
      : [],
  };
}

/** Where campaigns stand among the buckets, and how large their dots are: the area is proportional to their recipients. */
function placeDots(
  dots: readonly CampaignDot[],
  spans: readonly DateSpan[],
  timeZone: string,
): (ChartDot & Pick<CampaignDot, "team">)[] {
  const starts = startsOf({ unit: "day", spans: [...spans] }, timeZone);
  const most = Math.max(...dots.map(({ whole }) => whole));
  return dots.flatMap(({ sentAt, team, rate, whole }) => {
    const index = starts.findLastIndex((start) => start <= sentAt);
    const [start, end] = [starts[index], starts[index + 1]];
    if (start === undefined || end === undefined) return [];
    return [
      { team, at: index + (sentAt - start) / (end - start), value: rate, size: Math.sqrt(whole / most) },
    ];
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
