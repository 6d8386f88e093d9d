// The key metrics and charts of the overview.

import { clickRateOf, enpsIndexOf, enpsMeanOf, openRateOf, sharesOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { type Html, html } from "../../html.ts";
import { overviewStrings } from "../strings/overview.ts";
import { type Chart, renderChart } from "../ui/charts.ts";
import { formatCount, formatIndex, formatMean, formatRate } from "../ui/number-format.ts";
import type { Periods } from "./periods.ts";

/** Sums that make up a whole. */
type Parts = readonly (keyof typeof overviewStrings.shares)[];
const devices: Parts = ["desktop", "mobile"];
const readTimes: Parts = ["glanced", "skimmed", "read"];

/** The numbers at the top of the page, and what they exclude. */
export function keyMetrics(total: Sums): Html {
  const { ratings, indexed, unrated } = total;
  const metric = (name: string, value: string, hint?: string) =>
    html`<li><b>${value}</b> ${name}${hint !== undefined && html` <span class="soft small">${hint}</span>`}</li>`;
  const index = enpsIndexOf(total);
  const ratingsHint = overviewStrings.ratings(ratings);
  const hint = index === null ? ratingsHint : `${ratingsHint}. ${overviewStrings.index(index, indexed)}`;
  return html`<ul class="metrics">
${metric(overviewStrings.campaigns, formatCount(total.campaigns))}
${metric(overviewStrings.recipients, formatCount(total.recipients))}
${metric(overviewStrings.openRate, formatRate(openRateOf(total)))}
${metric(overviewStrings.clickRate, formatRate(clickRateOf(total)))}
${metric(overviewStrings.enpsAverage, formatMean(enpsMeanOf(total)), ratings > 0 ? hint : undefined)}
</ul>
${unrated > 0 && html`<p class="soft small">${overviewStrings.excluded(unrated)}</p>`}`;
}

/** The charts over time. Charts of shares also show the shares of the total. */
export function overviewCharts({ unit, periods }: Periods, total: Sums): Html {
  const isMonthly = unit === "month";
  const series: MakeSeries = (name, pick) => ({ name, values: periods.map(({ sums }) => pick(sums)) });
  const xTitle = isMonthly ? overviewStrings.month : overviewStrings.year;
  const base = { xTitle, startsAtEnd: true, labels: periods.map(({ label }) => label) };
  const rates = { ...base, format: formatRate };
  const shares = (title: string, parts: Parts) => {
    const all = parts.map((part) =>
      series(overviewStrings.shares[part], (sums) => sharesOf(sums, parts)[part]),
    );
    return card(
      renderChart({ ...rates, title, kind: "stacked", max: 1, series: all }),
      totalShares(total, parts),
    );
  };
  const openAndClick = [
    series(overviewStrings.openRate, openRateOf),
    series(overviewStrings.clickRate, clickRateOf),
  ];
  const campaigns = [series(overviewStrings.campaigns, (sums) => sums.campaigns)];
  const perPeriod = isMonthly ? overviewStrings.perMonth : overviewStrings.perYear;
  return html`<h2 class="visually-hidden">${overviewStrings.overTime}</h2><div class="cards">
${card(renderChart({ ...rates, title: overviewStrings.rates, kind: "lines", series: openAndClick }))}
${card(renderChart({ ...base, title: perPeriod, kind: "columns", series: campaigns, format: formatCount }))}
${shares(overviewStrings.devices, devices)}
${shares(overviewStrings.readTime, readTimes)}
${total.ratings > 0 && enpsCharts(base, series)}
</div>`;
}

type MakeSeries = (
  name: string,
  pick: (sums: Sums) => number | null,
) => { name: string; values: (number | null)[] };

function enpsCharts(base: Pick<Chart, "xTitle" | "startsAtEnd" | "labels">, series: MakeSeries): Html {
  const averages = renderChart({
    ...base,
    title: overviewStrings.enpsAverage,
    kind: "lines",
    max: 10,
    series: [series(overviewStrings.average, enpsMeanOf)],
    format: formatMean,
  });
  const index = series(overviewStrings.indexName, enpsIndexOf);
  if (index.values.every((value) => value === null)) return card(averages);
  const indexes = renderChart({
    ...base,
    title: overviewStrings.enpsIndex,
    kind: "columns",
    series: [index],
    format: formatIndex,
  });
  return html`${card(averages)}
${card(indexes, html`<p class="soft small">${overviewStrings.indexNote}</p>`)}`;
}

function card(chart: Html, note?: Html | false): Html {
  return html`<section class="card">${chart}${note}</section>`;
}

/** `Total: Desktop 61.0%, Mobile 39.0%.` */
function totalShares(total: Sums, parts: Parts): Html | false {
  const shares = sharesOf(total, parts);
  if (parts.some((part) => shares[part] === null)) return false;
  const texts = parts.map((part) => `${overviewStrings.shares[part]} ${formatRate(shares[part])}`);
  return html`<p class="soft small">${overviewStrings.total(texts)}</p>`;
}
