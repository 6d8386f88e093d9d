// The name of a period for people: "This quarter", "Q3 2026", "Aug 2026", "Jan 5 – Feb 3, 2026", "Jan 5, 2026".

import { type NamedPeriod, periodNames, type RelativePeriod } from "../../../campaign/calendar/period.ts";
import type { Locale } from "../locale.ts";

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

function isRelative(name: string | undefined): name is RelativePeriod {
  return periodNames.some((each) => each === name);
}
