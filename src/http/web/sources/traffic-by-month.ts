// The opens and clicks of the last months: how many, the share of each reason, and whether these changed.

import type { Month } from "../../../campaign/calendar/months.ts";
import {
  findTrafficJumps,
  listAutomatedVerdicts,
  type TrafficMonth,
} from "../../../listing/reports/traffic-months.ts";
import { jumpText } from "../../../locale/alert-texts.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { textsOfVerdict } from "../../../locale/verdict-texts.ts";
import { renderChart } from "../ui/charts/charts.ts";
import { dataTable } from "../ui/lists/table.ts";
import { numberOrDash } from "../ui/numbers/number-or-dash.ts";

const reasonsShown = 6;
const trafficId = "traffic";

/** The chart and the table of the months. @param campaigns how many the months have, and how many there are */
export function trafficByMonth(
  locale: Locale,
  months: readonly TrafficMonth[],
  campaigns: { read: number; of: number; since: Month },
): Html | false {
  const first = months.findIndex(({ seen }) => seen > 0);
  if (first === -1) return false;
  const shown = months.slice(first);
  const { t, format } = locale;
  const { read, of, since } = campaigns;
  return html`<section class="card" id="${trafficId}">${monthsChart(locale, shown)}
<h3 class="section">${t("sources.byMonthCaption")}</h3>
${monthsTable(locale, shown)}
<p class="soft small">${t("sources.byMonthScope", { isPartial: read < of, read, of, month: format.month(since) })}</p></section>`;
}

/** Whether the share of a kind of automated traffic jumped; without enough months, nothing. */
export function trafficVerdict(locale: Locale, months: readonly TrafficMonth[]): HtmlValue {
  const { t, format } = locale;
  const jumps = findTrafficJumps(months);
  if (jumps === undefined) return false;
  const link = html`<a href="#${trafficId}">${t("sources.byMonth")}</a>`;
  const newest = months.at(-2);
  if (jumps.length === 0 && newest) {
    const share = format.rate(1 - newest.human / newest.seen);
    return html`<p class="small">${t("sources.noJump", { share, month: format.month(newest.month) })} ${link}</p>`;
  }
  return jumps.map((jump) => html`<p class="warning">${jumpText(locale, jump)} ${link}</p>`);
}

function monthsChart(locale: Locale, months: readonly TrafficMonth[]): Html {
  const { t, format } = locale;
  return renderChart({
    locale,
    title: t("sources.byMonth"),
    kind: "stacked",
    height: 160,
    xTitle: t("overview.units.month"),
    labels: months.map(({ month }) => format.month(month)),
    series: [
      { name: t("campaign.human"), values: months.map(({ human }) => human) },
      { name: t("campaign.automated"), values: months.map(({ seen, human }) => seen - human) },
    ],
    format: (count) => format.count(count),
    unfinished: months.map((_, index) =>
      index === months.length - 1 ? t("overview.unfinished.month") : undefined,
    ),
  });
}

function monthsTable(locale: Locale, months: readonly TrafficMonth[]): Html {
  const { t, format } = locale;
  const verdicts = listAutomatedVerdicts(months);
  const others = new Set(verdicts.slice(reasonsShown));
  const columns: { name: string; count: (month: TrafficMonth) => number }[] = [
    { name: t("campaign.human"), count: ({ human }) => human },
    ...verdicts.slice(0, reasonsShown).map((verdict) => ({
      name: textsOfVerdict(locale, verdict).title,
      count: ({ verdicts }: TrafficMonth) => verdicts.get(verdict) ?? 0,
    })),
  ];
  const countOthers = ({ verdicts }: TrafficMonth) =>
    [...verdicts].reduce((sum, [verdict, count]) => sum + (others.has(verdict) ? count : 0), 0);
  if (others.size > 0) columns.push({ name: t("sources.otherReasons"), count: countOthers });
  const rows = months.map((month) => {
    const shareOf = (count: number) => (month.seen === 0 ? null : count / month.seen);
    const shares = columns.map(({ count }) => numberOrDash(locale, "rate", shareOf(count(month))));
    return [format.month(month.month), format.count(month.seen), ...shares];
  });
  const titles = [t("overview.units.month"), t("sources.seen"), ...columns.map(({ name }) => name)];
  const classes = titles.map((_, index) => (index === 0 ? "" : "number"));
  const options = { classes, isPinned: true, hidesCaption: true };
  return dataTable(t("sources.byMonthCaption"), titles, rows, options);
}
