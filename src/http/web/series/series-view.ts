// What the page of a series shows: a sentence, the rates, the issues as dots, and what they are about.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { changeKind, type Ranged } from "../../../campaign/ranges.ts";
import { rangedRateOf } from "../../../campaign/rate-ranges.ts";
import type { FreshCampaign } from "../../../listing/reports/fresh-campaigns.ts";
import type { CampaignComment } from "../../../listing/reports/latest-comments.ts";
import type { Series, SeriesIssue } from "../../../listing/reports/series.ts";
import { rateLineOf } from "../../../listing/sums/overview-numbers.ts";
import { type FilterDefaults, type PageFilters, todayOf } from "../../../listing/sums/page-filters.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { isolatedText } from "../../../locale/isolated-text.ts";
import { fromAll } from "../../../locale/rate-difference.ts";
import { plainSubject } from "../../../locale/subject-text.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import type { Reach } from "../../../storage/audience/reach.ts";
import { type ReachSelection, reachSection } from "../audience/reach.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { listQuery } from "../filters/filters.ts";
import { spanTitles } from "../filters/period-title.ts";
import type { PageContent, WebSession } from "../frame/page.ts";
import { freshCampaigns } from "../overview/fresh-campaigns.ts";
import { type FoundDetails, latestComments, topLinks } from "../overview/overview-details.ts";
import { rateCard } from "../overview/overview-metrics.ts";
import { rankedRow } from "../overview/ranked-campaigns.ts";
import { renderChart } from "../ui/charts/charts.ts";
import { rateSeries } from "../ui/charts/rate-series.ts";
import { downloadAction, headActions } from "../ui/lists/menu.ts";
import { renderTable } from "../ui/lists/table.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";
import { keyMetrics, renderChange } from "../ui/numbers/key-metrics.ts";
import type { SeriesKind } from "../ui/texts/series-link.ts";

export interface NamedSeries {
  by: SeriesKind;
  /** The id of a tag, or the name. */
  value: string;
  name: string;
  filter: Partial<PageFilters>;
}

export interface FoundSeries extends NamedSeries {
  /** Of the period of the issues. */
  filters: PageFilters;
  defaults: FilterDefaults;
  series: Series;
  fresh: FreshCampaign[];
  /** What the issues are about, and whom they reached. */
  details: FoundDetails;
  reach: ReachSelection & Reach;
}

export function showSeries(
  session: WebSession,
  found: FoundSeries,
  comments: readonly CampaignComment[],
): PageContent {
  const { t } = session;
  const { by, name, series, filters, defaults, fresh, details, reach } = found;
  const { issues } = series;
  const list = listQuery(filters, defaults);
  const url = (path: string) => urlWithQuery(path, list);
  const kept = { traffic: filters.traffic, list };
  const urlOf = (id: number) => campaignUrl(id, defaults, kept);
  const compared = { traffic: filters.traffic, compare: "year" } as const;
  const metrics = (["openRate", "clickRate"] as const).map((rate) =>
    rateCard(session, series, rate, compared),
  );
  const countedCampaigns = issues.filter(({ stored }) => stored.counting).length;
  const cards = [
    ...rankedIssues(session, found, urlOf),
    topLinks(session, details, { campaigns: issues.length, countedCampaigns }, filters.traffic, list),
    latestComments(session, comments, { allUrl: url(webPaths.comments), campaignUrlOf: urlOf }),
  ];
  const parent = by !== "sender" && {
    url: `${webPaths.breakdown}?by=${by}`,
    name: t(`overview.breakdowns.${by}.title`),
  };
  return {
    title: name,
    heading: isolatedText(name),
    breadcrumb: parent ? [parent] : undefined,
    lead: issues.length + fresh.length === 0 ? t("series.none") : sentence(session, found),
    headingLink: html`<a class="button second" href="${url(webPaths.campaigns)}">${t("overview.viewCampaigns")}</a>${headActions(downloadAction(session, url(webPaths.campaignsCsv)))}`,
    body: html`${issues.length > 0 && keyMetrics(metrics)}${freshCampaigns({ ...session, filters, defaults }, fresh)}
${issues.length > 0 && html`<section class="card">${issuesChart(session, found, urlOf)}</section>`}<div class="cards">${cards}</div>
${reach.ledgerIds.length > 0 && reachSection(session, reach, url(webPaths.nonReaders))}`,
  };
}

/** Whether it got better, in a sentence that says no more than the numbers do. */
function sentence({ t, format }: WebSession, { series, filters }: FoundSeries): HtmlValue {
  const line = rateLineOf(series, "openRate", filters.traffic);
  if (!line.rate) return false;
  const [rate, count] = [format.rate(line.rate.value), series.total.openCampaigns];
  if (!line.before) return t("series.alone", { rate, count });
  const before = format.rate(line.before.value);
  return changeKind(line.rate, line.before) === "cannot_tell"
    ? t("series.unchanged", { rate, count, before })
    : t("series.changed", { rate, count, before });
}

/** Each issue is a dot with its name, and leads to the campaign. */
function issuesChart(
  session: WebSession,
  { defaults, series }: FoundSeries,
  urlOf: (id: number) => string,
): Html {
  const { t, format } = session;
  const { issues, total, compared, isAged } = series;
  const title = isAged ? t("series.atSevenDays") : t("numbers.openRate");
  const before = compared && rangedRateOf(compared.total, "openRate");
  const dayOf = ({ stored }: SeriesIssue) => dateAt(stored.campaign.sentAt, defaults.timeZone);
  const rates = issues.map(({ sums }) => rangedRateOf(sums, "openRate"));
  // Bars for the ranges would hide the dots; tips and the table print them.
  const seriesOf = (title: string, rates: readonly (Ranged | null)[]) => ({
    ...rateSeries(session, { title, name: "openRate", rates }),
    ranges: [],
  });
  const yearBefore = compared && {
    ...seriesOf(
      spanTitles(session, [compared.span], todayOf(defaults)).join(),
      issues.map(() => before ?? null),
    ),
    isComparison: true,
  };
  const largest = Math.max(...issues.map(({ sums }) => sums.openRecipients));
  const notes = [
    isAged ? t("series.agedNote") : t("series.unagedNote"),
    ...(compared ? [t("series.comparedNote", { count: total.settledCampaigns })] : []),
  ];
  return renderChart({
    locale: session,
    title,
    kind: "lines",
    xTitle: t("series.issue"),
    series: [seriesOf(title, rates), ...(yearBefore ? [yearBefore] : [])],
    labels: issues.map(
      (issue) => `${format.date(dayOf(issue))} · ${plainSubject(session, issue.stored.campaign)}`,
    ),
    axisLabels: issues.map((issue) => format.shortDate(dayOf(issue))),
    urls: issues.map(({ stored }) => urlOf(stored.campaign.id)),
    dots: issues.flatMap(({ sums }, index) => {
      const rate = rates[index];
      const size = Math.sqrt(sums.openRecipients / largest);
      return rate ? [{ at: index + 0.5, value: rate.value, size }] : [];
    }),
    dotNote: t("overview.dots.openRate"),
    format: (rate) => format.rate(rate),
    formatTick: (rate) => format.roundRate(rate),
    heading: aboutNumbers(session, notes),
  });
}

/** The issues that differ from the others by more than chance. */
function rankedIssues(
  session: WebSession,
  { series: { issues, usual, ranked }, defaults }: FoundSeries,
  urlOf: (id: number) => string,
): Html[] {
  if (issues.length < 2 || usual === null) return [];
  const kinds = (["best", "worst"] as const).filter((which) => ranked[which].length > 0);
  if (kinds.length === 0)
    return [html`<section class="card whole"><p>${session.t("series.nothingStandsOut")}</p></section>`];
  return kinds.map((which) => {
    const title = session.t(`overview.ranked.${which}`);
    const rows = ranked[which].flatMap((id) => {
      const { stored, sums } = issues.find((issue) => issue.stored.campaign.id === id) ?? {};
      const rate = sums && rangedRateOf(sums, "openRate");
      if (!stored || !rate) return [];
      return rankedRow({ ...session, defaults }, stored, {
        url: urlOf(id),
        list: issues.map((issue) => issue.stored),
        difference: renderChange(fromAll(session, rate.value, usual)),
        rate,
      });
    });
    return html`<section class="card"><div class="card-head"><h2>${title}</h2></div>${renderTable(title, [], rows, { hidesCaption: true })}</section>`;
  });
}
