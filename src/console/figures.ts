// How numbers are written for people.

/** What is not known is a dash. */
const unknown = "–";

/** A whole number with commas between its thousands; of another one all decimals. */
export function formatCount(value: number | null): string {
  return value === null ? unknown : value.toLocaleString("en", { maximumFractionDigits: 20 });
}

/** A rate from 0 to 1 as a percentage with one decimal. */
export function formatRate(value: number | null): string {
  if (value === null) return unknown;
  return `${(value * 100).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`;
}

/** A mean with one decimal. */
export function formatMean(value: number | null): string {
  return value === null
    ? unknown
    : value.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** An index from -100 to 100 with its sign. */
export function formatIndex(value: number | null): string {
  if (value === null) return unknown;
  const whole = Math.round(value);
  return whole > 0 ? `+${whole}` : whole < 0 ? `−${-whole}` : "0";
}

/** `1 campaign`, `12,345 campaigns`. */
export function countedWords(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
