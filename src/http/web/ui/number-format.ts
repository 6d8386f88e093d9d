// How numbers are written for people: each of them in one way, wherever it stands.

// They are costly to make, and cheap to use.
const count = new Intl.NumberFormat("en");
const mean = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 2 });
const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
// As in a record, halves are rounded up, and as they are written: 0.2905 is 29.1%, whatever binary fractions make of it.
const rate = new Intl.NumberFormat("en", { ...oneDecimal, style: "percent" });
const percentage = new Intl.NumberFormat("en", oneDecimal);

/** What is not known is a dash. */
const unknown = "–";

/** A whole number with commas between its thousands. */
export function formatCount(value: number | null): string {
  return value === null ? unknown : count.format(value);
}

/** A rate from 0 to 1 as a percentage with one decimal. */
export function formatRate(value: number | null): string {
  return value === null ? unknown : unequalEnds(value, 1, rate.format(value));
}

/** The same of what is a percentage already, from 0 to 100. */
export function formatPercentage(value: number | null): string {
  return value === null ? unknown : unequalEnds(value, 100, `${percentage.format(value)}%`);
}

/** A few are not written as none, and nearly all not as all. */
function unequalEnds(value: number, all: number, text: string): string {
  if (value > 0 && text === "0.0%") return "<0.1%";
  return value < all && text === "100.0%" ? ">99.9%" : text;
}

/** A mean with one decimal, or two where it has them. */
export function formatMean(value: number | null): string {
  return value === null ? unknown : mean.format(value);
}

/** An index from -100 to 100 with its sign. */
export function formatIndex(value: number | null): string {
  if (value === null) return unknown;
  const whole = Math.round(value);
  return whole > 0 ? `+${whole}` : whole < 0 ? `−${-whole}` : "0";
}

/** `1 campaign`, `12,345 campaigns`. */
export function countedWords(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}
