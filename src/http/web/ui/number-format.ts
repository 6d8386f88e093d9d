// Number formats of the web application.

import { pluralize } from "../../../campaign/pluralize.ts";

// Intl rounds the decimal that is written: 0.2905 is 29.1%. d3-format multiplies first and gives 29.0%.
const count = new Intl.NumberFormat("en");
const mean = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 2 });
const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const rate = new Intl.NumberFormat("en", { ...oneDecimal, style: "percent" });
const percentage = new Intl.NumberFormat("en", oneDecimal);

/** Shown instead of a number that is unknown. */
const unknown = "–";

/** A whole number with thousands separators. */
export function formatCount(value: number | null): string {
  return value === null ? unknown : count.format(value);
}

/** A rate from 0 to 1 as a percentage with one decimal. */
export function formatRate(value: number | null): string {
  return value === null ? unknown : avoidRoundedExtremes(value, 1, rate.format(value));
}

/** A percentage from 0 to 100 with one decimal. */
export function formatPercentage(value: number | null): string {
  return value === null ? unknown : avoidRoundedExtremes(value, 100, `${percentage.format(value)}%`);
}

/** Keeps rounding from turning a few into 0% and almost all into 100%. */
function avoidRoundedExtremes(value: number, whole: number, text: string): string {
  if (value > 0 && text === "0.0%") return "<0.1%";
  return value < whole && text === "100.0%" ? ">99.9%" : text;
}

/** A mean with one or two decimals. */
export function formatMean(value: number | null): string {
  return value === null ? unknown : mean.format(value);
}

/** An index from -100 to 100, rounded and signed. */
export function formatIndex(value: number | null): string {
  if (value === null) return unknown;
  const rounded = Math.round(value);
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : "0";
}

/** `1 campaign`, `12,345 campaigns`. */
export function formatCountOf(count: number, noun: string): string {
  return pluralize(count, noun, formatCount);
}
