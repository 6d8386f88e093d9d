// The open rates of groups by month or quarter: as a table with a sentence above it, and as a CSV file.

import { findRun, type GroupPeriod } from "../../../campaign/audience/group-periods.ts";
import type { CalendarDate } from "../../../campaign/calendar/calendar-date.ts";
import { type DateSpan, monthName } from "../../../campaign/calendar/period.ts";
import { rangeOfSomeParts } from "../../../campaign/rate-ranges.ts";
import { ratePartsOf, readRateParts } from "../../../campaign/sum-rates.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { spanTitles } from "../filters/period-title.ts";
import { numberColumn } from "../frame/columns.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { FileContent } from "../frame/page.ts";
import { icon } from "../ui/icons/icon.ts";
import { dataTable, type PageColumn } from "../ui/lists/table.ts";
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
  csv: string;
}

export function periodsSection(
  locale: Locale,
  audience: Pick<Audience, "rows" | "spans" | "isProvisional">,
  { rows, name, today, csv }: PeriodsOptions,
): Html {
  const { t, format } = locale;
  const titles = spanTitles(locale, audience.spans, today);
  const groups = audience.rows.map(({ periods }) => periods);
  const run = findRun(groups);
  const isSteady =
    groups.filter((periods) => periods.filter(({ isCovered }) => isCovered).length > 1).length > 1 &&
    groups.flat().every(({ change }) => change === 0);
  const sentences = [
    run &&
      t("audience.run", {
        group: audienceRows(locale, audience)[run.group]?.name ?? "",
        rate: format.rate(run.rate),
        period: titles[run.from] ?? "",
        isBelow: run.side < 0,
      }),
    isSteady && t("audience.steady"),
  ].filter(Boolean);
  const title = t("audience.periods");
  const cells = rows.map((row) => [row.label, ...row.periods.map((period) => cellOf(locale, row, period))]);
  const options = { classes: ["text", ...titles.map(() => "number")], hidesCaption: true, isStacked: true };
  return html`<section class="card periods"><div class="card-head"><h2>${title}</h2></div>
${sentences.length > 0 && html`<p><strong>${sentences.join(" ")}</strong></p>`}${dataTable(title, [name, ...titles], cells, options)}<p class="soft small">${t("audience.periodsNote")} <a href="${csv}" download>${t("ui.downloadCsv")}</a></p></section>`;
}

/** The rate with what it covers, if that is not all, and how it differs. */
function cellOf(locale: Locale, { total }: AudienceTableRow, period: GroupPeriod): Html {
  const { t } = locale;
  const { campaigns, recipients, opens, spread, of, isCovered, side, change } = period;
  const coverage =
    campaigns > 0 &&
    campaigns < of &&
    html` <small class="soft">${t("campaign.partOf", { count: campaigns, total: of })}</small>`;
  if (!isCovered) return html`${noValue(locale)}${coverage}`;
  const own = { parts: readRateParts([opens, recipients, opens, campaigns]), spread };
  const all = { parts: ratePartsOf(total, "openRate"), spread: total.spreads.openRate };
  const arrow =
    change !== 0 &&
    html`<span class="change${toneOf(change)}">${icon(change < 0 ? "down" : "up", t("audience.changed", { isBelow: change < 0 }))}</span>`;
  const others =
    side !== 0 &&
    html` <small class="change${toneOf(side)}">${t("audience.others", { isBelow: side < 0 })}</small>`;
  return html`${rateWithRange(locale, "openRate", opens / recipients, rangeOfSomeParts(own, all, "openRate"))}${arrow}${coverage}${others}`;
}

const toneOf = (side: number) => (side < 0 ? " worse" : " better");

/** Each group in each period that has numbers of it. */
export function periodsFile(
  locale: Locale,
  { spans }: Pick<Audience, "spans">,
  { rows, name, file }: Pick<PeriodsOptions, "rows" | "name"> & { file: string },
): FileContent {
  const { t } = locale;
  type Line = GroupPeriod & { name: string; start: string };
  const lines = rows.flatMap((row) =>
    row.periods.flatMap((period, index): Line[] => {
      const span = spans[index] as DateSpan;
      return period.campaigns > 0 ? [{ ...period, name: row.name, start: monthName(span.first) }] : [];
    }),
  );
  const columns: PageColumn<Line>[] = [
    { title: name, csv: (line) => line.name },
    { title: t("audience.firstMonth"), csv: ({ start }) => start },
    numberColumn(locale, t("pages.campaigns"), "count", ({ campaigns }) => campaigns),
    numberColumn(locale, t("audience.ofCampaigns"), "count", ({ of }) => of),
    numberColumn(locale, t("audience.emails"), "count", ({ recipients }) => recipients),
    numberColumn(locale, t("numbers.openRate"), "rate", ({ opens, recipients, isCovered }) =>
      isCovered ? opens / recipients : null,
    ),
    {
      title: t("overview.vsOthers"),
      csv: ({ side }) => (side === 0 ? null : t("audience.others", { isBelow: side < 0 })),
    },
    {
      title: t("audience.vsBefore"),
      csv: ({ change }) => (change === 0 ? null : t("audience.changed", { isBelow: change < 0 })),
    },
  ];
  return csvFile(file, columns, [lines]);
}
