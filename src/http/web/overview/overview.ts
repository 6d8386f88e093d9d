// The overview page at `/`: what changed, what worked, and what to do differently.

import type { Tag } from "../../../campaign/campaign.ts";
import { findUsualRates, type UsualRates } from "../../../listing/numbers/usual-rates.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { columnNames } from "../campaigns/campaign-columns.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { gettingStarted } from "../campaigns/getting-started.ts";
import { type FilteredPage, filterBar, trafficSwitch, urlWithQuery } from "../filters/filter-bar.ts";
import { filterDefaults } from "../filters/filter-defaults.ts";
import { findFilterOptions } from "../filters/filter-options.ts";
import {
  type FilterDefaults,
  filterQuery,
  listQuery,
  type PageFilters,
  readFilters,
} from "../filters/filters.ts";
import type { DateSpan } from "../filters/period.ts";
import { printedScope } from "../filters/printed-scope.ts";
import type { Locale } from "../locale.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../page.ts";
import { downloadLink } from "../ui/download-link.ts";
import { results } from "../ui/results.ts";
import type { WebContext } from "../web-context.ts";
import { breakdown, type OverviewContext } from "./breakdown.ts";
import { overviewChart } from "./overview-chart.ts";
import {
  latestComments,
  type OverviewDetails,
  OverviewDetailsReader,
  openTimes,
  topLinks,
} from "./overview-details.ts";
import { countedText, overviewMetrics } from "./overview-metrics.ts";
import { computeOverview, type OverviewNumbers } from "./overview-numbers.ts";
import { type OverviewView, overviewQuery, parseView } from "./overview-url.ts";
import { rankedCampaigns, rankingSwitch } from "./ranked-campaigns.ts";

const path = "/";

export function overviewPage(context: WebContext): Page {
  const details = new OverviewDetailsReader(context);
  return {
    path,
    role: "viewer",
    async show(session: WebSession, { query }: PageRequest): Promise<PageContent> {
      const { organization, user, locale } = session;
      const numbers = await context.numbers.current(organization);
      if (numbers.size === 0)
        return { title: locale.t("overview.title"), body: gettingStarted(locale, user.role) };
      const defaults = filterDefaults(session, numbers, context.now());
      const options = await findFilterOptions(context.database, organization.id, numbers);
      const { filters, rejected } = readFilters(locale, query, defaults);
      const view = parseView(locale, query, options);
      const page = toFilteredPage(filters, view, defaults);
      const filtered = { ...page, rejected };
      const bar = filterBar(locale, filtered, options, { more: ["compare"] });
      if (rejected) {
        const problem = html`<p class="problem" role="alert">${rejected.problem}</p>`;
        return { title: locale.t("overview.title"), body: html`${problem}${bar}`, status: 400 };
      }
      const overview = await computeOverview(numbers, filters, defaults, view);
      if (overview.total.campaigns === 0) {
        const none = html`<p class="card">${locale.rich("overview.noMatches", { href: "/?period=all" })}</p>`;
        return {
          title: locale.t("overview.title"),
          hasResults: true,
          body: html`${bar}${results(locale.t("overview.campaignCount", { count: 0 }), none)}`,
        };
      }
      const { best, worst } = overview.ranked;
      const read = await details.read(session, overview.selection, {
        traffic: filters.traffic,
        listedIds: [...best, ...worst],
      });
      const usual = await findUsualRates(numbers, [...read.campaigns.values()], filters.traffic);
      const shown = { locale, filters, defaults, view };
      return {
        title: locale.t("overview.title"),
        headingLink: headingLinks(locale, page),
        printedScope: printedScope(locale, filters, options, defaults),
        hasResults: true,
        body: html`${bar}${overviewBody(shown, overview, { ...read, usual }, options.tags)}`,
      };
    },
  };
}

function toFilteredPage(filters: PageFilters, view: OverviewView, defaults: FilterDefaults): FilteredPage {
  return {
    ...{ path, filters, defaults },
    queryOf: (change) => overviewQuery({ ...filters, ...change }, view, defaults),
  };
}

function headingLinks(locale: Locale, page: FilteredPage): Html {
  const { t } = locale;
  const query = filterQuery(page.filters, page.defaults);
  const { campaigns, campaignsCsv } = paths.web;
  // The page has more numbers than the columns that the list shows by default.
  const fileQuery = new URLSearchParams([...query, ["columns", columnNames.join(",")]]);
  return html`${trafficSwitch(locale, page)}
<a class="button second" href="${urlWithQuery(campaigns, query)}">${t("overview.viewCampaigns")}</a>
${downloadLink(locale, urlWithQuery(campaignsCsv, fileQuery))}`;
}

/** The dates of the period, and of the one that it is compared with. */
function datesOf({ t, format }: Locale, { span, compared }: OverviewNumbers): HtmlValue {
  if (!span) return false;
  const rangeOf = ({ first, last }: DateSpan) => format.dateRange(first, last);
  const dates = rangeOf(span);
  return html`<span class="soft">${compared ? t("overview.vsPeriod", { dates, others: rangeOf(compared.span) }) : dates}</span> · `;
}

function overviewBody(
  context: OverviewContext,
  overview: OverviewNumbers,
  details: OverviewDetails & { usual: UsualRates },
  tags: readonly Tag[],
): Html {
  const { locale, filters, defaults } = context;
  const { t } = locale;
  const stored = (ids: readonly number[]) => ids.flatMap((id) => details.campaigns.get(id) ?? []);
  const { best, worst } = overview.ranked;
  const query = filterQuery(filters, defaults);
  const kept = { traffic: filters.traffic, list: listQuery(filters, defaults) };
  // Cards of similar length are beside each other.
  const cards = [
    rankedCampaigns(context, "best", stored(best), details.usual),
    rankedCampaigns(context, "worst", stored(worst), details.usual),
    breakdown(context, overview.groups, tags),
    topLinks(locale, details, query),
    openTimes(locale, details, filters.traffic),
    latestComments(locale, details.comments, {
      allUrl: urlWithQuery(paths.web.comments, query),
      campaignUrlOf: (id) => campaignUrl(id, defaults, kept),
    }),
  ];
  const count = t("overview.campaignCount", { count: overview.total.campaigns });
  return html`${results(count, overviewMetrics(locale, overview, filters.traffic))}
<p class="small">${datesOf(locale, overview)}<a href="${paths.web.help}/fields#open_rate">${t("help.numbersLink")}</a></p>
${overviewChart(locale, overview, filters, defaults)}
${rankingSwitch(context)}
<div class="cards">${cards}</div>
<p class="soft small">${countedText(locale, overview.total, filters.traffic)} ${t("overview.scope", { timeZone: defaults.timeZone })}</p>`;
}
