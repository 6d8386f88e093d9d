// The page of a series at `/series`: does it get better? Its issues as dots, against the year before, with the best subjects,
// links, comments and reach.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { customPeriod } from "../../../campaign/calendar/period.ts";
import { AppError } from "../../../errors.ts";
import { readFresh } from "../../../listing/reports/fresh-campaigns.ts";
import { readSeries } from "../../../listing/reports/series.ts";
import { findFilterDefaults } from "../../../listing/sums/filter-defaults.ts";
import { defaultFilters, sumsFilterOf, todayOf } from "../../../listing/sums/page-filters.ts";
import { quoted } from "../../../locale/quoted.ts";
import { webPaths } from "../../../paths.ts";
import { listTags } from "../../../storage/organizations/tags.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findNewestIds } from "../../../storage/sums/sum-queries.ts";
import { readReach } from "../audience/reach.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { commentsShown, findDetails } from "../overview/overview-details.ts";
import { seriesKinds } from "../ui/texts/series-link.ts";
import { type FoundSeries, type NamedSeries, showSeries } from "./series-view.ts";

export function seriesPage({ comments: reader, shutdownSignal: signal }: WebContext): Page {
  return {
    path: webPaths.series,
    role: "viewer",
    async show(session, { query }) {
      const found = await session.snapshot((scope) => readPage(scope, session, query));
      // Outside of the snapshot, because they may take a moment and are cached.
      const options = { limit: commentsShown, signal };
      const comments = await reader.read(session.organization, found.details.commented, options);
      return showSeries(session, found, comments);
    },
  };
}

/** @throws AppError `not_found` if there is no such tag, or no campaign of the team or sender */
async function readPage(scope: Scope, session: WebSession, query: URLSearchParams): Promise<FoundSeries> {
  const { organization } = session;
  const named = await findNamed(scope, session, query);
  const defaults = await findFilterDefaults(scope, session, session.now);
  const filters = { ...defaultFilters(defaults), ...named.filter, period: { name: "all", span: undefined } };
  const all = await sumsFilterOf(scope, filters, defaults);
  if (named.by !== "tag" && (await findNewestIds(scope, all, 1)).length === 0) {
    throw notFound(session, named.name);
  }
  const series = await readSeries(scope, organization, all);
  const [first] = series.issues;
  const from = first && dateAt(first.stored.campaign.sentAt, organization.timeZone);
  const shown = { traffic: filters.traffic, ids: series.issues.map(({ stored }) => stored.campaign.id) };
  return {
    ...named,
    filters: { ...filters, ...(from && { period: customPeriod({ from }, todayOf(defaults)) }) },
    defaults,
    series,
    fresh: await readFresh(scope, organization, all, session.now),
    details: await findDetails(scope, organization, shown, []),
    reach: await readReach(scope, { filter: shown }),
  };
}

async function findNamed(scope: Scope, session: WebSession, query: URLSearchParams): Promise<NamedSeries> {
  const by = seriesKinds.find((each) => query.has(each)) ?? "tag";
  const value = (query.get(by) ?? "").toWellFormed();
  if (by !== "tag") return { by, value, name: value, filter: { [by]: value } };
  const tag = (await listTags(scope)).find(({ id }) => String(id) === value);
  if (!tag) throw notFound(session, value);
  return { by, value, name: tag.name, filter: { tagIds: [tag.id] } };
}

const notFound = (session: WebSession, name: string): AppError =>
  new AppError("not_found", session.t("series.notFound", { name: quoted(session, name) }));
