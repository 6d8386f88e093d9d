// The open rates of groups by month or quarter: as a table with a sentence above it.

import { findRun, type GroupPeriod } from "../../../campaign/audience/group-periods.ts";
import type { CalendarDate } from "../../../campaign/calendar/calendar-date.ts";
import { rateOfSome } from "../../../campaign/rate-ranges.ts";
import { coveredRateOf } from "../../../campaign/sum-rates.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { spanTitles } from "../filters/period-title.ts";
import { icon } from "../ui/icons/icon.ts";
import { dataTable } from "../ui/lists/table.ts";
import { noValue } from "../ui/numbers/number-or-dash.ts";
import { rateWithRange } from "../ui/numbers/rate-with-range.ts";
import { type AudienceTableRow, audienceRows } from "./audience-columns.ts";
import type { Audience } from "./read-audience.ts";

interface PeriodsOptions {
  /** The rows of this page of the table. */
  rows: readonly AudienceTableRow[];
  /** The title of the first column. */
  name: string;
  today: CalendarDate;
}

export function periodsSection(
  locale: Locale,
  audience: Pick<Audience, "rows" | "spans" | "isProvisional">,
  { rows, name, today }: PeriodsOptions,
): Html {
  const { t, format } = locale;
  const titles = spanTitles(locale, audience.spans, today);
  const run = findRun(audience.rows.map(({ periods }) => periods));
  const sentence =
    run &&
    t("audience.run", {
      group: audienceRows(locale, audience)[run.group]?.name ?? "",
      rate: format.rate(run.rate),
      period: titles[run.from] ?? "",
      isBelow: run.side < 0,
    });
  const title = t("audience.periods");
  const cells = rows.map((row) => [row.label, ...row.periods.map((period) => cellOf(locale, row, period))]);
  const options = { classes: ["text", ...titles.map(() => "number")], hidesCaption: true, isStacked: true };
  return html`<section class="card periods"><div class="card-head"><h2>${title}</h2></div>
${sentence !== undefined && html`<p><strong>${sentence}</strong></p>`}${dataTable(title, [name, ...titles], cells, options)}<p class="soft small">${t("audience.periodsNote")}</p></section>`;
}

/** The rate with what it covers, if that is not all, and how it differs. */
function cellOf(locale: Locale, { total }: AudienceTableRow, period: GroupPeriod): Html {
  const { t } = locale;
  const { sums, of, isCovered, side, change } = period;
  const isPartial = sums.campaigns > 0 && sums.campaigns < of;
  const coverage =
    isPartial &&
    html` <small class="soft">${t("campaign.partOf", { count: sums.campaigns, total: of })}</small>`;
  if (!isCovered) return html`${noValue(locale)}${coverage}`;
  const { rate } = coveredRateOf(sums, "openRate");
  const arrow =
    change !== 0 &&
    html`<span class="change${toneOf(change)}">${icon(change < 0 ? "down" : "up", t("audience.changed", { isBelow: change < 0 }))}</span>`;
  const others =
    side !== 0 &&
    html` <small class="change${toneOf(side)}">${t("audience.others", { isBelow: side < 0 })}</small>`;
  return html`${rateWithRange(locale, "openRate", rate, rateOfSome(sums, total, "openRate"))}${arrow}${coverage}${others}`;
}

const toneOf = (side: number) => (side < 0 ? " worse" : " better");
