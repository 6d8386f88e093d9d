// The figures and charts of the overview, made of sums.

import {
  clickRateOf,
  enpsIndexOf,
  enpsMeanOf,
  openRateOf,
  type Sums,
  sharesOf,
} from "../../../campaign/sums.ts";
import { type Html, html } from "../../html.ts";
import { type Chart, chartOf } from "../ui/charts.ts";
import { countedWords, formatCount, formatIndex, formatMean, formatRate } from "../ui/number-format.ts";
import type { Periods } from "./periods.ts";

/** Parts that make up a whole. */
type Parts = readonly (keyof Sums)[];
const devices: Parts = ["desktop", "mobile"];
const lengths: Parts = ["glanced", "skimmed", "read"];

/** What one sees first, and what is not in it. */
export function keyFigures(total: Sums): Html {
  const figureOf = (name: string, value: string, hint?: string) =>
    html`<li><b>${value}</b> ${name}${hint !== undefined && html` <span class="soft small">${hint}</span>`}</li>`;
  const index = enpsIndexOf(total);
  const ratings = countedWords(total.ratings, "rating");
  const indexed =
    index === null ? "" : `. Index ${formatIndex(index)}, from ${formatCount(total.indexed)} of them`;
  return html`<ul class="figures">
${figureOf("Campaigns", formatCount(total.campaigns))}
${figureOf("Recipients", formatCount(total.recipients))}
${figureOf("Open rate", formatRate(openRateOf(total)))}
${figureOf("Click rate", formatRate(clickRateOf(total)))}
${figureOf("eNPS, mean of 0 to 10", formatMean(enpsMeanOf(total)), total.ratings > 0 ? ratings + indexed : undefined)}
</ul>
${total.unrated > 0 && html`<p class="soft small">Campaigns that do not tell recipients, opens and clicks are left out of the rates that need them: ${formatCount(total.unrated)}.</p>`}`;
}

/** Everything over time; of parts, what they are in all of it as well. */
export function chartsOf({ unit, periods }: Periods, total: Sums): Html {
  const over: Over = (name, numberOf) => ({ name, values: periods.map(({ sums }) => numberOf(sums)) });
  const base = { across: unit, beginsAtEnd: true, labels: periods.map(({ label }) => label) };
  const rates = { ...base, format: formatRate };
  const seriesOf = (parts: Parts) =>
    parts.map((part) => over(capital(part), (sums) => sharesOf(sums, parts)[part]));
  const ofParts = (title: string, parts: Parts) =>
    card(
      chartOf({ ...rates, title, kind: "stacked", max: 1, series: seriesOf(parts) }),
      partsInAll(total, parts),
    );
  const openAndClick = [over("Open rate", openRateOf), over("Click rate", clickRateOf)];
  const campaigns = [over("Campaigns", (sums) => sums.campaigns)];
  const perUnit = `Campaigns per ${unit.toLowerCase()}`;
  return html`<h2 class="visually-hidden">Over time</h2><div class="cards">
${card(chartOf({ ...rates, title: "Open and click rate", kind: "lines", series: openAndClick }))}
${card(chartOf({ ...base, title: perUnit, kind: "columns", series: campaigns, format: formatCount }))}
${ofParts("Devices", devices)}
${ofParts("How long messages are read", lengths)}
${total.ratings > 0 && enpsCharts(base, over)}
</div>`;
}

type Over = (
  name: string,
  numberOf: (sums: Sums) => number | null,
) => { name: string; values: (number | null)[] };

function enpsCharts(base: Pick<Chart, "across" | "beginsAtEnd" | "labels">, over: Over): Html {
  const means = { kind: "lines", max: 10, series: [over("Mean", enpsMeanOf)], format: formatMean } as const;
  const index = over("Index", enpsIndexOf);
  const indexes = { kind: "columns", series: [index], format: formatIndex } as const;
  return html`${card(chartOf({ ...base, ...means, title: "eNPS, mean of the ratings from 0 to 10" }))}
${
  index.values.some((value) => value !== null) &&
  card(
    chartOf({ ...base, ...indexes, title: "eNPS index, from −100 to +100" }),
    html`<p class="soft small">The percentage of ratings of 9 and 10, less that of ratings up to 6. Campaigns whose numbers came
finished are not in it: they tell the mean only.</p>`,
  )
}`;
}

function card(chart: Html, more?: Html | false): Html {
  return html`<section class="card">${chart}${more}</section>`;
}

/** `In all: desktop 61.0%, mobile 39.0%.` */
function partsInAll(total: Sums, parts: Parts): Html | false {
  const shares = sharesOf(total, parts);
  if (parts.some((part) => shares[part] === null)) return false;
  const words = parts.map((part) => `${part} ${formatRate(shares[part])}`).join(", ");
  return html`<p class="soft small">In all: ${words}.</p>`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
