// How a rate differs from another one.

import type { Comparison } from "../campaign/calendar/period.ts";
import { changeKind, type Ranged } from "../campaign/ranges.ts";
import type { CoveredRateName } from "../campaign/sum-rates.ts";
import type { Locale } from "./locale.ts";
import { methodOfRate } from "./rate-text.ts";

export interface MetricChange {
  /** The change with its sign: `+4.1 pts`. */
  text: string;
  /** Up is better. One that chance or the season explains, or is neither better nor worse, is flat. */
  direction: "up" | "down" | "flat";
  /** How certain it is that it changed, for screen readers. */
  certainty?: string;
  /** What the value is compared with, for screen readers and as a tooltip. */
  comparedWith?: string;
}

/**
 * The difference of a rate from another in points, `+4.1 pts`, as it follows from the two numbers that pages print; that of the
 * eNPS and of average ratings without a unit. One that the season explains says what it was a year before.
 * How much campaigns usually differ is part of the range of a usual rate, so it counts as chance.
 */
export function rateDifference(
  { t, format }: Locale,
  name: CoveredRateName,
  rate: Ranged,
  other: Ranged,
  yearBefore: number | null = null,
): MetricChange {
  const method = methodOfRate(name);
  const difference = (printed(method, rate.value) - printed(method, other.value)) / steps[method];
  const shown = method === "index" ? format.index(difference) : format.pointChange(difference);
  const text = method === "rate" ? t("ui.points", { difference: shown }) : shown;
  // A bare 0 below an eNPS would read as a number of its own.
  if (!/[1-9]/.test(shown)) return { text: method === "index" ? `±${text}` : text, direction: "flat" };
  const kind = changeKind(rate, other, yearBefore);
  if (kind === "cannot_tell") return { text, direction: "flat" };
  if (kind === "seasonal") {
    const season = t("overview.seasonal", { rate: format[method](yearBefore ?? 0) });
    return { text: `${text}, ${season}`, direction: "flat" };
  }
  return { text, direction: kind === "higher" ? "up" : "down", certainty: t("ui.moreThanChance") };
}

/** `30.0% before`, or `30.0% a year before`. */
export function valueBefore({ t }: Locale, value: string, compare: Comparison): string {
  return compare === "year" ? t("overview.yearBefore", { value }) : t("overview.before", { value });
}

/** How an open rate differs from that of all campaigns: beyond chance, because only such campaigns are listed. */
export function fromAll(locale: Locale, rate: number, all: number): MetricChange {
  const exact = (value: number) => ({ value, low: value, high: value });
  return {
    ...rateDifference(locale, "openRate", exact(rate), exact(all)),
    comparedWith: locale.t("overview.vsAll", { rate: locale.format.rate(all) }),
  };
}

interface ChangedRate {
  name: CoveredRateName;
  rate: Ranged | null;
  before: Ranged | null;
  yearBefore: number | null;
}

/** How a rate changed from the one before; undefined if there is none to compare with. */
export function changeSince(
  locale: Locale,
  { name, rate, before, yearBefore }: ChangedRate,
  compare: Comparison,
): MetricChange | undefined {
  if (!rate || !before) return undefined;
  return comparedWith(
    locale,
    rateDifference(locale, name, rate, before, yearBefore),
    valueBefore(locale, locale.format[methodOfRate(name)](before.value), compare),
  );
}

/** The change with the value that it is from. */
export function comparedWith(locale: Locale, change: MetricChange, before: string): MetricChange {
  const isZero = !/[1-9]/.test(change.text);
  return {
    ...change,
    text: isZero ? locale.t("overview.unchanged") : change.text,
    direction: isZero ? "flat" : change.direction,
    comparedWith: before,
  };
}

/** The steps in which pages print a number: tenths of a percent, whole points of the index, tenths of a rating. */
const steps = { rate: 10, fineRate: 10, index: 1, mean: 10, count: 1 } as const;

/** The number as pages print it, in {@link steps}. */
function printed(method: keyof typeof steps, value: number): number {
  return Math.round((method === "rate" ? 100 : 1) * steps[method] * value);
}
