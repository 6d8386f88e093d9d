// How rates and their ranges are written.

import type { Range } from "../campaign/ranges.ts";
import type { CoveredRateName } from "../campaign/sum-rates.ts";
import type { Locale } from "./locale.ts";
import type { NameIn } from "./translations.ts";

/** A rate with a name for people. */
export type NamedRate = CoveredRateName & NameIn<"numbers">;

/** The methods of the formatter for numbers. */
export type NumberMethod = "count" | "rate" | "fineRate" | "mean" | "index";

/** How a rate is written: the eNPS is an index, the average rating a mean. */
export function methodOfRate(name: CoveredRateName): NumberMethod {
  if (name === "enpsIndex") return "index";
  if (name === "complaint_rate") return "fineRate";
  return name === "enpsMean" ? "mean" : "rate";
}

/** Says from how many campaigns a rate is; undefined if it is from all to which it applies. */
export function coverageText(
  { t }: Locale,
  { name, from, of }: { name: CoveredRateName; from: number; of: number },
): string | undefined {
  if (from >= of) return undefined;
  return name === "enpsIndex" ? t("overview.fromSurveyed", { from, of }) : t("overview.from", { from, of });
}

/** `(45–74)`; `(−3 to +14)` of an index. */
export function rangeInText({ t, format }: Locale, name: CoveredRateName, { low, high }: Range): string {
  const method = methodOfRate(name);
  const [first = "", last = ""] = [low, high].map((end) =>
    method === "rate" ? format.count(Math.round(100 * end)) : format[method](end),
  );
  return `(${method === "index" ? t("ui.lowToHigh", { low: first, high: last }) : `${first}–${last}`})`;
}
