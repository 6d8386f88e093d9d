// The overview page at `/`: what changed, what worked, and what to do differently.

import {
  type FreshCampaign,
  readFresh,
  type SoFar,
  soFarOf,
} from "../../../listing/reports/fresh-campaigns.ts";
import { type CampaignComment, LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { findGroups } from "../../../listing/sums/breakdown-numbers.ts";
import { findFilterDefaults } from "../../../listing/sums/filter-defaults.ts";
import { findFilterOptions } from "../../../listing/sums/filter-options.ts";
import { filterQuery, overviewQuery } from "../../../listing/sums/filter-query.ts";
import type { OverviewView } from "../../../listing/sums/overview-choices.ts";
import { computeOverview, type OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import type { FilterDefaults, PageFilters } from "../../../listing/sums/page-filters.ts";
import { type Html, html } from "../../../locale/html.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import { columnNames } from "../campaigns/campaign-columns.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { gettingStarted } from "../campaigns/list/getting-started.ts";
import { type FilteredPage, filterBar } from "../filters/filter-bar.ts";
import { listQuery, readFilters } from "../filters/filters.ts";
import { printedScope } from "../filters/printed-scope.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { sampleLine } from "../import/sample-data.ts";
import { dismissSetUp, setUpChecklist } from "../set-up/set-up-checklist.ts";
import { shareAction } from "../share/share-link.ts";
import { silenceWarning } from "../sources/silence-warning.ts";
import { downloadAction } from "../ui/lists/download-link.ts";
import { headActions } from "../ui/lists/menu.ts";
import { results } from "../ui/lists/results.ts";
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
import { parseView } from "./overview-url.ts";
import { rankedCards } from "./ranked-campaigns.ts";

const path = "/";

export function overviewPage(context: WebContext): Page {
  const commentsReader = new LatestCommentsReader(context.database);
  return {
    path,
    role: "viewer",
    actionRole: "admin",
    actions: dismissSetUp,
    async show(session: WebSession, { query }: PageRequest): Promise<PageContent> {
      const { organization, user, locale } = session;
      const { id } = organization;
      const title = locale.t("overview.title");
      const read = await context.database.snapshotOf(id, async (scope) => {
        const defaults = await findFilterDefaults(scope, session, context.now());
        if (defaults.isEmpty) return undefined;
        const options = await findFilterOptions(scope);
        const { filters, rejected } = readFilters(locale, query, defaults);
        const view = parseView(locale, query);
        const computed = rejected ? undefined : await computeOverview(scope, filters, defaults, view);
        const by = chooseField(options);
        const grouped = computed && by && { by, groups: await findGroups(scope, computed.filter, by) };
        const read = { defaults, options, filters, rejected, view, found: grouped };
        const sample = computed && (await sampleLine(scope, session));
        if (!computed || computed.total.campaigns === 0)
          return { ...read, sample, overview: computed, more: undefined };
        const { filter, ranked } = computed;
        const details = await findDetails(scope, organization, filter, [...ranked.best, ...ranked.worst]);
        const fresh = await readFresh(scope, organization, filter, context.now());
        const soFar = soFarOf(computed.total, fresh, filter.traffic);
        const silence = await silenceWarning(scope, session);
        return { ...read, sample, overview: computed, more: { details, fresh, soFar, silence } };
      });
      if (!read) {
        const steps = await setUpChecklist(context, session, { isEmpty: true });
        return { title, body: steps || gettingStarted(locale, user.role) };
      }
      const { options, filters, rejected, view, overview } = read;
      const hasTraffic = read.defaults.hasTraffic && overview?.total.countedCampaigns !== 0;
      const defaults = { ...read.defaults, hasTraffic };
      const page = toFilteredPage(filters, view, defaults);
      const bar = filterBar(locale, { ...page, rejected }, options, { hasComparison: true });
      if (!overview) {
        const problem = html`<p class="problem" role="alert">${rejected?.problem}</p>`;
        return { title, body: html`${problem}${bar}`, status: 400 };
      }
      if (!read.more) {
        const none = html`<p class="card">${locale.rich("overview.noMatches", { href: "/?period=all" })}</p>`;
        return {
          title,
          hasResults: true,
          body: html`${read.sample}${bar}${results(locale.t("overview.campaignCount", { count: 0 }), none)}`,
        };
      }
      const { details, fresh, soFar, silence } = read.more;
      // Outside of the snapshot, because they may take a moment and are cached.
      const comments = await commentsReader.read(organization, details.commented, {
        signal: context.shutdownSignal,
      });
      const { sourcesAlert } = session;
      const shown = { locale, sourcesAlert, filters, defaults, view };
      const groups = read.found && groupsCard(shown, overview, { ...read.found, fresh }, options.tags);
      return {
        title,
        headingLink: headingLinks(session, page),
        printedScope: printedScope(locale, filters, options, defaults),
        hasResults: true,
        body: html`${read.sample}${silence}${await setUpChecklist(context, session)}${bar}${overviewBody(shown, overview, { ...details, comments, fresh, soFar, groups, now: context.now() })}`,
      };
    },
  };
}

function toFilteredPage(filters: PageFilters, view: OverviewView, defaults: FilterDefaults): FilteredPage {
  return {
    path,
    filters,
    defaults,
    queryOf: (change) => overviewQuery({ ...filters, ...change }, view, defaults),
  };
}

function headingLinks(session: WebSession, page: FilteredPage): Html {
  const { locale } = session;
  const query = filterQuery(page.filters, page.defaults);
  // The page has more numbers than the columns that the list shows by default.
  const fileQuery = new URLSearchParams([...query, ["columns", columnNames.join(",")]]);
  return headActions(
    shareAction(session, urlWithQuery(path, page.queryOf({}))),
    downloadAction(locale, urlWithQuery(paths.web.campaignsCsv, fileQuery)),
    { url: undefined, name: locale.t("overview.print"), icon: "print" },
    { url: `${paths.web.help}/overview`, name: locale.t("help.overview.title"), icon: "help" },
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
    now: number;
  },
): Html {
  const { locale, filters, defaults } = context;
  const { t } = locale;
  const stored = (ids: readonly number[]) => ids.flatMap((id) => details.campaigns.get(id) ?? []);
  const { best, worst } = overview.ranked;
  const counted = overview.total.countedCampaigns;
  const query = filterQuery(filters, defaults);
  const kept = { traffic: filters.traffic, list: listQuery(filters, defaults) };
  const urls = {
    list: urlWithQuery(paths.web.campaigns, kept.list),
    rate: `${urlWithQuery(path, overviewQuery(filters, { ...context.view, chart: "open_rate" }, defaults))}#${chartId}`,
    comments: urlWithQuery(paths.web.comments, query),
    campaign: (id: number) => campaignUrl(id, defaults, kept),
  };
  // Cards of similar length are beside each other.
  const ranked = { best: stored(best), worst: stored(worst) };
  const cards = [
    ...rankedCards(context, overview, ranked),
    details.groups,
    topLinks(locale, details, { counted, traffic: filters.traffic }, query),
    latestComments(locale, details.comments.slice(0, commentsShown), {
      allUrl: urls.comments,
      campaignUrlOf: urls.campaign,
    }),
  ];
  const count = t("overview.campaignCount", { count: overview.total.campaigns });
  return html`${results(count, overviewSentence(context, overview, details, urls), overviewMetrics(context, overview, details.soFar))}
${overviewChart(context, overview, details.fresh)}${freshCampaigns(context, details.fresh, details.now)}
<div class="cards">${cards}</div>`;
}
