// The key metrics and charts of the overview.

import { clickRateOf, enpsIndexOf, enpsMeanOf, openRateOf, sharesOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Strings } from "../strings/en.ts";
import { type Chart, renderChart } from "../ui/charts.ts";
import { type KeyMetric, keyMetrics } from "../ui/key-metrics.ts";
import type { Periods } from "./periods.ts";

/** Sums that make up a whole. */
type Parts = readonly (keyof Strings["overview"]["shares"])[];
const devices: Parts = ["desktop", "mobile"];
const readTimes: Parts = ["glanced", "skimmed", "read"];

/** The numbers at the top of the page, and what they exclude. */
export function overviewMetrics({ strings, format }: Locale, total: Sums): Html {
  const { ratings, indexed } = total;
  const metric = (name: string, value: string, note?: string): KeyMetric => ({ name, value, note });
  const index = enpsIndexOf(total);
  const ratingsHint = strings.overview.ratings(ratings);
  const hint = index === null ? ratingsHint : `${ratingsHint}. ${strings.overview.index(index, indexed)}`;
  const metrics = [
    metric(strings.overview.campaigns, format.count(total.campaigns)),
    metric(strings.fields.recipient_count, format.count(total.recipients)),
    metric(strings.fields.open_rate, format.rate(openRateOf(total))),
    metric(strings.fields.click_rate, format.rate(clickRateOf(total))),
    metric(strings.overview.enpsAverage, format.mean(enpsMeanOf(total)), ratings > 0 ? hint : undefined),
  ];
  return keyMetrics(metrics);
}

/** The charts over time. Charts of shares also show the shares of the total. */
export function overviewCharts(locale: Locale, { unit, periods }: Periods, total: Sums): Html {
  const { strings, format } = locale;
  const isMonthly = unit === "month";
  const series: MakeSeries = (name, pick) => ({ name, values: periods.map(({ sums }) => pick(sums)) });
  const xTitle = isMonthly ? strings.overview.month : strings.overview.year;
  const base = { locale, xTitle, labels: periods.map(({ label }) => label) };
  const rates = { ...base, format: (rate: number) => format.rate(rate) };
  const shares = (title: string, parts: Parts) => {
    const all = parts.map((part) =>
      series(strings.overview.shares[part], (sums) => sharesOf(sums, parts)[part]),
    );
    return card(
      renderChart({ ...rates, title, kind: "stacked", max: 1, series: all }),
      totalShares(locale, total, parts),
    );
  };
  const openAndClick = [
    series(strings.fields.open_rate, openRateOf),
    series(strings.fields.click_rate, clickRateOf),
  ];
  const campaigns = [series(strings.overview.campaigns, (sums) => sums.campaigns)];
  const perPeriod = isMonthly ? strings.overview.perMonth : strings.overview.perYear;
  return html`<h2 class="visually-hidden">${strings.overview.overTime}</h2><div class="cards">
${card(renderChart({ ...rates, title: strings.overview.rates, kind: "lines", series: openAndClick }))}
${card(renderChart({ ...base, title: perPeriod, kind: "columns", series: campaigns, format: (count) => format.count(count) }))}
${shares(strings.overview.devices, devices)}
${shares(strings.overview.readTime, readTimes)}
${total.ratings > 0 && enpsCharts(base, series)}
</div>`;
}

type MakeSeries = (
  name: string,
  pick: (sums: Sums) => number | null,
) => { name: string; values: (number | null)[] };

function enpsCharts(base: Pick<Chart, "locale" | "xTitle" | "labels">, series: MakeSeries): Html {
  const { strings, format } = base.locale;
  const averages = renderChart({
    ...base,
    title: strings.overview.enpsAverage,
    kind: "lines",
    max: 10,
    series: [series(strings.overview.average, enpsMeanOf)],
    format: (mean) => format.mean(mean),
  });
  const index = series(strings.overview.indexName, enpsIndexOf);
  if (index.values.every((value) => value === null)) return card(averages);
  const indexes = renderChart({
    ...base,
    title: strings.overview.enpsIndex,
    kind: "columns",
    series: [index],
    format: (value) => format.index(value),
  });
  return html`${card(averages)}
${card(indexes, html`<p class="soft small">${strings.overview.indexNote}</p>`)}`;
}

function card(chart: Html, note?: Html | false): Html {
  return html`<section class="card">${chart}${note}</section>`;
}

/** `Total: Desktop 61.0%, Mobile 39.0%.` */
function totalShares({ strings, format }: Locale, total: Sums, parts: Parts): Html | false {
  const shares = sharesOf(total, parts);
  if (parts.some((part) => shares[part] === null)) return false;
  const texts = parts.map((part) => `${strings.overview.shares[part]} ${format.rate(shares[part])}`);
  return html`<p class="soft small">${strings.overview.total(texts)}</p>`;
}
