// The name of a period for people: "This quarter", "Q3 2026", "Aug 2026", "Jan 5 – Feb 3, 2026", "Jan 5, 2026".

import type { CalendarDate } from "../../../campaign/calendar/calendar-date.ts";
import {
  type DateSpan,
  type NamedPeriod,
  periodNames,
  type RelativePeriod,
  wholeMonths,
} from "../../../campaign/calendar/period.ts";
import type { Locale } from "../../../locale/locale.ts";

export function periodTitle({ t, format }: Locale, { name, span, from, until }: NamedPeriod): string {
  if (isRelative(name)) return t(`filters.periods.${name}`);
  if (name !== undefined && span) {
    if (/^\d{4}$/.test(name)) return name;
    const [year = "", part = ""] = name.split("-");
    return part.startsWith("Q")
      ? t("filters.quarter", { quarter: part.slice(1), year })
      : format.month(span.first);
  }
  if (from && until) return format.dateRange(from, until);
  if (from) return t("filters.since", { date: format.date(from) });
  return until ? t("filters.upTo", { date: format.date(until) }) : t("filters.periods.all");
}

/** Spans that are compared: `October` and `September`, `Q3 2026`, `2025`, or their dates. Months of this year go without it. */
export function spanTitles({ t, format }: Locale, spans: readonly DateSpan[], today: CalendarDate): string[] {
  const areOfThisYear = spans.every(({ first }) => first.year === today.year);
  return spans.map((span) => {
    const { first, last } = span;
    const months = wholeMonths(span);
    if (months === 1) return areOfThisYear ? format.monthName(first) : format.month(first);
    if (months === 3 && first.month % 3 === 1)
      return t("filters.quarter", { quarter: Math.ceil(first.month / 3), year: first.year });
    return months === 12 && first.month === 1 ? String(first.year) : format.dateRange(first, last);
  });
}

function isRelative(name: string | undefined): name is RelativePeriod {
  return periodNames.some((each) => each === name);
}
