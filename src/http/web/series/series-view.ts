// What the page of a series shows: a sentence, the rates, the issues as dots, and what they are about.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { rangedRateOf } from "../../../campaign/rate-ranges.ts";
import type { CampaignComment } from "../../../listing/reports/latest-comments.ts";
import type { Series, SeriesIssue } from "../../../listing/reports/series.ts";
import { todayOf } from "../../../listing/sums/page-filters.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { isolatedText } from "../../../locale/isolated-text.ts";
import { fromAll, rateDifference } from "../../../locale/rate-difference.ts";
import { plainSubject } from "../../../locale/subject-text.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import { reachSection } from "../audience/reach.ts";
import { sentOn } from "../campaigns/campaign-columns.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { listQuery } from "../filters/filters.ts";
import { spanTitles } from "../filters/period-title.ts";
import { breadcrumb } from "../frame/layout.ts";
import type { PageContent, WebSession } from "../frame/page.ts";
import { freshCampaigns } from "../overview/fresh-campaigns.ts";
import { latestComments, topLinks } from "../overview/overview-details.ts";
import { coveredMetric } from "../overview/overview-metrics.ts";
import { renderChart } from "../ui/charts/charts.ts";
import { rateSeries } from "../ui/charts/rate-series.ts";
import { downloadAction } from "../ui/lists/download-link.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { moreActions, switchLinks } from "../ui/lists/menu.ts";
import { renderTable } from "../ui/lists/table.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";
import { keyMetrics, renderChange } from "../ui/numbers/key-metrics.ts";
import { rateWithRange } from "../ui/numbers/rate-with-range.ts";
import { subjectOf } from "../ui/texts/subject.ts";
import { type FoundSeries, issueCounts, type SeriesDetails } from "./read-page.ts";

type ShownSeries = FoundSeries & SeriesDetails & { comments: readonly CampaignComment[] };

export function showSeries(session: WebSession, shown: ShownSeries): PageContent {
  const { locale } = session;
  const { t } = locale;
  const { by, name, series, filters, defaults, fresh, now } = shown;
  const query = new URLSearchParams({ [by]: by === "tag" ? String(filters.tagIds) : name });
  const breakdown = by === "sender" ? undefined : by;
  return {
    title: name,
    heading: isolatedText(name),
    printedScope: name,
    ...(breakdown && {
      breadcrumb: breadcrumb(locale, [
        { url: `${paths.web.breakdown}?by=${breakdown}`, name: t(`overview.breakdowns.${breakdown}.title`) },
      ]),
    }),
    lead: sentence(session, series),
    headingLink: html`<a class="button second" href="${urlWithQuery(paths.web.campaigns, listQuery(filters, defaults))}">${t("overview.viewCampaigns")}</a>${moreActions(locale, [downloadAction(locale, urlWithQuery(paths.web.seriesCsv, withCount(query, shown.count)))])}`,
    body:
      series.issues.length + fresh.length === 0
        ? emptyState({ icon: "campaigns", title: t("series.none"), text: t("series.noneHint") })
        : html`${metrics(session, shown)}${freshCampaigns({ ...session, filters, defaults }, fresh, { total: series.total, now })}${series.issues.length > 0 && issuesShown(session, shown, query)}`,
  };
}

function withCount(query: URLSearchParams, count: string): URLSearchParams {
  return new URLSearchParams([...query, ...(count === "12" ? [] : [["issues", count]])]);
}

/** Whether it got better, in a sentence that says no more than the numbers do. */
function sentence({ locale }: WebSession, { total, compared }: Series): HtmlValue {
  const { t, format } = locale;
  const rate = rangedRateOf(total, "openRate");
  if (!rate) return false;
  const texts = { rate: format.rate(rate.value), count: total.openCampaigns };
  const before = compared && rangedRateOf(compared.total, "openRate");
  if (!before) return t("series.alone", texts);
  const isBeyondChance = rateDifference(locale, "openRate", rate, before).direction !== "flat";
  const both = { ...texts, before: format.rate(before.value) };
  return isBeyondChance ? t("series.changed", both) : t("series.unchanged", both);
}

function metrics({ locale }: WebSession, { series, filters }: ShownSeries): Html {
  const compared = { traffic: filters.traffic, compare: "year" } as const;
  return keyMetrics(
    (["openRate", "clickRate"] as const).map((name) => {
      const { before, from, ...metric } = coveredMetric(locale, series, name, compared);
      return { ...metric, note: [before, from].filter(Boolean).join(" · ") };
    }),
  );
}

function issuesShown(session: WebSession, shown: ShownSeries, query: URLSearchParams): Html {
  const { locale } = session;
  const { series, filters, defaults, details, comments, reach } = shown;
  const list = listQuery(filters, defaults);
  const kept = { traffic: filters.traffic, list };
  const urlOf = (id: number) => campaignUrl(id, defaults, kept);
  const url = (path: string) => urlWithQuery(path, list);
  const counted = series.issues.filter(({ stored }) => stored.counting).length;
  return html`<section class="card">${issuesChart(session, shown, { query, urlOf })}</section>
<div class="cards">${rankedIssues(session, series, urlOf)}${topLinks(locale, details, { counted, traffic: filters.traffic }, list)}${latestComments(locale, comments, { allUrl: url(paths.web.comments), campaignUrlOf: urlOf })}</div>
${reach.ledgerIds.length > 0 && reachSection(session, reach, url(paths.web.nonReaders))}`;
}

/** Each issue is a dot with its name, and leads to the campaign. */
function issuesChart(
  { locale }: WebSession,
  { series: { issues, total, compared, isAged }, count, defaults }: ShownSeries,
  { query, urlOf }: { query: URLSearchParams; urlOf: (id: number) => string },
): Html {
  const { t, format } = locale;
  const title = isAged ? t("series.atSevenDays") : t("overview.rates.openRate");
  const rates = issues.map(({ sums }) => rangedRateOf(sums, "openRate"));
  const before = compared && rangedRateOf(compared.total, "openRate");
  const [dates] = compared ? spanTitles(locale, [compared.span], todayOf(defaults)) : [];
  const dayOf = ({ stored }: SeriesIssue) => dateAt(stored.campaign.sentAt, defaults.timeZone);
  const largest = Math.max(...issues.map(({ sums }) => sums.openRecipients));
  // Lines between issues, and bars for ranges, would hide the dots.
  const series = { ...rateSeries(locale, { title, name: "openRate", rates }), ranges: [] };
  const yearBefore = before && {
    ...rateSeries(locale, { title: dates ?? "", name: "openRate", rates: issues.map(() => before) }),
    ranges: [],
    isComparison: true,
  };
  const counts = issueCounts.map((each) => ({
    url: `${paths.web.series}?${withCount(query, each)}`,
    name: each,
    isCurrent: each === count,
  }));
  const notes = [
    isAged ? t("series.agedNote") : t("series.unagedNote"),
    ...(compared ? [t("series.comparedNote", { count: total.settledCampaigns })] : []),
  ];
  return renderChart({
    locale,
    title,
    kind: "lines",
    xTitle: t("series.issue"),
    series: [series, ...(yearBefore ? [yearBefore] : [])],
    labels: issues.map(
      (issue) => `${format.date(dayOf(issue))} · ${plainSubject(locale, issue.stored.campaign)}`,
    ),
    axisLabels: issues.map((issue) => format.shortDate(dayOf(issue))),
    urls: issues.map(({ stored }) => urlOf(stored.campaign.id)),
    dots: rates.flatMap((rate, index) => {
      const whole = issues[index]?.sums.openRecipients ?? 0;
      return rate ? [{ at: index + 0.5, value: rate.value, size: Math.sqrt(whole / largest) }] : [];
    }),
    dotNote: t("overview.dots.openRate"),
    format: (rate) => format.rate(rate),
    formatTick: (rate) => format.roundRate(rate),
    heading: html`<div class="about-row">${switchLinks("issues", t("series.issues"), counts)}${aboutNumbers(locale, notes)}</div>`,
  });
}

/** The issues that differ from the others by more than chance. */
function rankedIssues(
  { locale, organization: { timeZone } }: WebSession,
  { issues, usual, ranked }: Series,
  urlOf: (id: number) => string,
): HtmlValue {
  const { t } = locale;
  if (usual === null) return false;
  const kinds = (["best", "worst"] as const).filter((which) => ranked[which].length > 0);
  if (issues.length < 2) return false;
  if (kinds.length === 0)
    return html`<section class="card whole"><p>${t("series.nothingStandsOut")}</p></section>`;
  return kinds.map((which) => {
    const title = t(`overview.ranked.rate.${which}`);
    const rows = ranked[which].flatMap((id) => {
      const issue = issues.find(({ stored }) => stored.campaign.id === id);
      const rate = issue && rangedRateOf(issue.sums, "openRate");
      if (!rate) return [];
      const day = sentOn(issue.stored.campaign.sentAt, timeZone, locale);
      return html`<tr><th scope="row" class="text"><a href="${urlOf(id)}">${subjectOf(locale, issue.stored.campaign)}</a><div class="vs-usual"><span class="soft">${day} ·</span> ${renderChange(fromAll(locale, rate.value, usual))}</div></th><td class="number">${rateWithRange(locale, "openRate", rate.value, rate)}</td></tr>
`;
    });
    const table = renderTable(title, [], rows, { hidesCaption: true });
    return html`<section class="card"><div class="card-head"><h2>${title}</h2></div>${table}</section>`;
  });
}
