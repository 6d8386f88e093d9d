// The issues of a series as a CSV file, newest first.

import { rangedRateOf } from "../../../campaign/rate-ranges.ts";
import type { SeriesIssue } from "../../../listing/reports/series.ts";
import { plainSubject } from "../../../locale/subject-text.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { numberColumn, timeColumn } from "../frame/columns.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { FileContent, WebSession } from "../frame/page.ts";
import type { PageColumn } from "../ui/lists/table.ts";
import type { FoundSeries } from "./read-page.ts";

export function seriesFile(session: WebSession, { filters, series }: FoundSeries): FileContent {
  const { locale } = session;
  const { t } = locale;
  const { issues, ranked, isAged } = series;
  const rateColumn = (title: string, name: "openRate" | "clickRate", end: "value" | "low" | "high") =>
    numberColumn(locale, title, "rate", ({ sums }: SeriesIssue) => rangedRateOf(sums, name)?.[end] ?? null);
  const title = isAged ? t("series.atSevenDays") : t("overview.rates.openRate");
  const columns: PageColumn<SeriesIssue>[] = [
    { title: t("campaigns.id"), csv: ({ stored }) => stored.campaign.id },
    { title: t("series.issue"), csv: ({ stored }) => plainSubject(locale, stored.campaign) },
    timeColumn(session, t("campaign.sent"), ({ stored }) => stored.campaign.sentAt),
    numberColumn(locale, t("audience.emails"), "count", ({ stored }) => stored.campaign.recipientCount),
    rateColumn(title, "openRate", "value"),
    rateColumn(t("breakdown.differences.low"), "openRate", "low"),
    rateColumn(t("breakdown.differences.high"), "openRate", "high"),
    rateColumn(t("overview.rates.clickRate"), "clickRate", "value"),
    {
      title: t("series.standsOut"),
      unit: "-1/0/1",
      csv: ({ stored: { campaign } }) =>
        Number(ranked.best.includes(campaign.id)) - Number(ranked.worst.includes(campaign.id)),
    },
  ];
  return csvFile(csvFileName("series", filters), columns, [issues.toReversed()]);
}
