// The chart of campaigns by age: which share of their recipients had opened them by then.

import { ages } from "../../../../campaign/events/ages.ts";
import { type AgedCampaign, openingCurve, usualRate } from "../../../../campaign/forecast.ts";
import { ageText } from "../../../../locale/age-text.ts";
import type { Html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { renderChart } from "../../ui/charts/charts.ts";
import { rateSeries } from "../../ui/charts/rate-series.ts";

interface Curve {
  name: string;
  campaign: AgedCampaign;
}

/** @param usual the campaigns whose usual curve is shown too */
export function openingChart(
  locale: Locale,
  curves: readonly Curve[],
  {
    usual,
    now,
    height = 240,
  }: {
    usual?: { name: string; campaigns: readonly AgedCampaign[] } | undefined;
    now: number;
    height?: number;
  },
): Html {
  const { t, format } = locale;
  const series = curves.map(({ name: title, campaign }) =>
    rateSeries(locale, { title, name: "openRate", rates: openingCurve(campaign, now) }),
  );
  const usualValues = usual && [
    ...ages.map((age) => usualRate(usual.campaigns, "opensByAge", age)?.value ?? null),
    null,
  ];
  return renderChart({
    locale,
    title: t("campaign.openingCurve"),
    kind: "lines",
    xTitle: t("campaign.afterSending"),
    labels: [...ages.map((age) => ageText(locale, age)), t("campaign.later")],
    series: [
      ...series,
      ...(usual && usualValues ? [{ name: usual.name, values: usualValues, isComparison: true }] : []),
    ],
    format: (rate) => format.rate(rate),
    formatTick: (rate) => format.roundRate(rate),
    height,
  });
}
