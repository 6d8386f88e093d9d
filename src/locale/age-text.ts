// How old a campaign is, in the largest unit of which it has whole ones: 15 min, 3 h, 7 d.

import { dayMs, hourMs, minuteMs } from "../campaign/calendar/durations.ts";
import type { Locale } from "./locale.ts";

/** @param age in milliseconds; hours up to three days, in which people count them */
export function ageText({ t }: Locale, age: number): string {
  if (age < hourMs) return t("ui.ages.minutes", { count: Math.floor(age / minuteMs) });
  return age <= 3 * dayMs
    ? t("ui.ages.hours", { count: Math.floor(age / hourMs) })
    : t("ui.ages.days", { count: Math.floor(age / dayMs) });
}
