// The overview page at `/`: what changed, what worked, and what to do differently.

import { leftOutOf } from "../../../campaign/sums.ts";
import {
  type FreshCampaign,
  readFresh,
  type SoFar,
  soFarOf,
} from "../../../listing/reports/fresh-campaigns.ts";
import type { CampaignComment } from "../../../listing/reports/latest-comments.ts";
import { findGroups } from "../../../listing/sums/breakdown-numbers.ts";
import { filterQuery, overviewQuery } from "../../../listing/sums/filter-query.ts";
import { type ChartMetric, chartMetrics, type OverviewView } from "../../../listing/sums/overview-choices.ts";
import { computeOverview, type OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import { columnNames } from "../campaigns/campaign-columns.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import type { FilteredPage } from "../filters/filter-bar.ts";
import { filteredPage, type ShownCampaigns } from "../filters/filtered-campaigns.ts";
import { listQuery, parseChoice } from "../filters/filters.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { sampleLine } from "../import/sample-data.ts";
import { dismissSetUp, setUpChecklist } from "../set-up/set-up-checklist.ts";
import { shareAction } from "../share/share-link.ts";
import { silenceWarning } from "../sources/silence-warning.ts";
import { downloadAction, headActions } from "../ui/lists/menu.ts";
import { freshCampaigns } from "./fresh-campaigns.ts";
import { overviewChart } from "./overview-chart.ts";
import type { OverviewContext } from "./overview-context.ts";
import {
  commentsShown,
  type FoundDetails,
  findDetails,
  latestComments,
  topLinks,
} from "./overview-details.ts";
import { chooseField, groupsCard } from "./overview-groups.ts";
import { chartId, overviewMetrics } from "./overview-metrics.ts";
import { overviewSentence } from "./overview-sentence.ts";
import { rankedCards } from "./ranked-campaigns.ts";

const path = "/";
/** Those of the groups. */
const shownRates = ["openRate", "clickRate", "enpsIndex"] as const;

/** The parameters of the overview besides the filters: the metric of the chart. */
const ask = (locale: Locale, query: URLSearchParams): OverviewView => ({
  chart:
    parseChoice(
      locale,
      locale.t("overview.chart"),
      query.get("chart") ?? "",
      Object.keys(chartMetrics) as ChartMetric[],
    ) ?? "open_rate",
});

export function overviewPage(context: WebContext): Page {
  return filteredPage({
    path,
    actionRole: "admin",
    actions: dismissSetUp,
    hasComparison: true,
    ask,
    own: ({ chart }) => ({ ...(chart !== "open_rate" && { chart }) }),
    async read(scope, found) {
      const {
        asked,
        page: { filters, defaults },
        values,
        organization,
      } = found;
      const overview = await computeOverview(scope, filters, defaults, asked);
      const { filter, ranked, total } = overview;
      const by = chooseField(values);
      const fresh = await readFresh(scope, organization, filter, defaults.now);
      return {
        overview,
        fresh,
        groups: by && { by, groups: await findGroups(scope, filter, by, shownRates), fresh },
        sample: await sampleLine(scope, found),
        details: await findDetails(scope, organization, filter, [...ranked.best, ...ranked.worst]),
        soFar: soFarOf(total, fresh, filter.traffic),
        silence: await silenceWarning(scope, found),
      };
    },
    async show(found) {
      const { asked: view, page, values, content, organization, t, rich } = found;
      const { filters, defaults } = page;
      const { overview, details, groups, sample, silence, ...read } = content;
      const { campaigns: count } = overview.total;
      const title = t("pages.overview");
      const steps = await setUpChecklist(found, { isEmpty: defaults.isEmpty });
      const summary = t("overview.campaignCount", { count });
      if (count === 0) {
        const none = html`<p class="card">${rich("overview.noMatches", { href: "/?period=all" })}</p>`;
        return { title, summary, above: sample, results: none, empty: steps };
      }
      // Outside of the snapshot, because they may take a moment and are cached.
      const comments = await context.comments.read(organization, details.commented, {
        signal: context.shutdownSignal,
      });
      const shown = { ...found, filters, defaults, view };
      const card = groups && groupsCard(shown, overview, groups, values.tags);
      return {
        title,
        summary,
        headingLink: headingLinks(found, page),
        above: [sample, silence, steps],
        ...overviewBody(shown, overview, { ...read, ...details, comments, groups: card }),
      };
    },
  });
}

function headingLinks(session: WebSession, page: FilteredPage): Html {
  // The page has more numbers than the columns that the list shows by default.
  const fileQuery = new URLSearchParams([
    ...filterQuery(page.filters, page.defaults),
    ["columns", columnNames.join(",")],
  ]);
  return headActions(
    shareAction(session, urlWithQuery(path, page.queryOf({}))),
    downloadAction(session, urlWithQuery(webPaths.campaignsCsv, fileQuery)),
    { url: undefined, name: session.t("overview.print"), icon: "print" },
    { url: `${webPaths.help}/overview`, name: session.t("help.overview.title"), icon: "help" },
  );
}

function overviewBody(
  context: OverviewContext,
  overview: OverviewNumbers,
  details: FoundDetails & {
    comments: readonly CampaignComment[];
    fresh: readonly FreshCampaign[];
    soFar: SoFar | undefined;
    groups: Html | undefined;
  },
): Pick<ShownCampaigns, "results" | "below"> {
  const { filters, defaults } = context;
  const stored = (ids: readonly number[]) => ids.flatMap((id) => details.campaigns.get(id) ?? []);
  const { best, worst } = overview.ranked;
  const query = filterQuery(filters, defaults);
  const kept = { traffic: filters.traffic, list: listQuery(filters, defaults) };
  const urls = {
    list: urlWithQuery(webPaths.campaigns, kept.list),
    rate: `${urlWithQuery(path, overviewQuery(filters, { ...context.view, chart: "open_rate" }, defaults))}#${chartId}`,
    comments: urlWithQuery(webPaths.comments, query),
    campaign: (id: number) => campaignUrl(id, defaults, kept),
  };
  // Cards of similar length are beside each other.
  const ranked = { best: stored(best), worst: stored(worst) };
  const cards = [
    ...rankedCards(context, overview, ranked),
    details.groups,
    topLinks(context, details, overview.total, filters.traffic, query),
    latestComments(context, details.comments.slice(0, commentsShown), {
      allUrl: urls.comments,
      campaignUrlOf: urls.campaign,
    }),
  ];
  return {
    results: [
      overviewSentence(context, overview, details, urls),
      overviewMetrics(context, overview, details.soFar),
    ],
    below: html`
${overviewChart(context, overview, details.fresh)}${freshCampaigns(context, details.fresh, { counting: leftOutOf(overview.total), isPrinted: details.soFar?.isMost })}
<div class="cards">${cards}</div>`,
  };
}
