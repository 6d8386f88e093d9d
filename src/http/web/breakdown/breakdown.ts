// The breakdown page at `/breakdown`: the results of campaigns by team and tag, and when to send.

import { filterQuery } from "../../../listing/sums/filter-query.ts";
import { type BreakdownField, breakdownFields } from "../../../listing/sums/overview-choices.ts";
import { todayOf } from "../../../listing/sums/page-filters.ts";
import { findSendingTimes, type SendingTimes } from "../../../listing/sums/sending-times.ts";
import { html } from "../../../locale/html.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import { gettingStarted } from "../campaigns/list/getting-started.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { type FilteredCampaigns, filteredCampaigns, filteredPage } from "../filters/filtered-campaigns.ts";
import { parseChoice } from "../filters/filters.ts";
import { spanTitles } from "../filters/period-title.ts";
import type { FileContent, Page, PageContent, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { paginate } from "../ui/lists/list-pagination.ts";
import { tabs } from "../ui/lists/tabs.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";
import { importedText, leftOutText } from "../ui/numbers/left-out.ts";
import { groupFile } from "./group-file.ts";
import { type GroupOrder, groupColumns, orderParameters, parseOrder, sortRows } from "./group-order.ts";
import { groupTable } from "./group-table.ts";
import { type BrokenDown, readGroups } from "./read-groups.ts";
import { type ShownResults, sendingTimesFile, sendingTimesTable } from "./sending-times.ts";

const path = paths.web.breakdown;
const pageSize = 50;

/** Names the tabs as the URL does. */
const views = [...breakdownFields, "hour"] as const;
type BreakdownTab = (typeof views)[number];

/** A tab leads back to the tabs, not to the start of the page. */
const currentTabId = "results-by";

/** The page, and its table as CSV. */
export function breakdownPages(context: WebContext): Page[] {
  return [
    {
      path,
      role: "viewer",
      show: async (session, request) => showPage(await read(context, session, request)),
    },
    {
      path: paths.web.breakdownCsv,
      role: "viewer",
      show: async (session, request) => showFile(await read(context, session, request, true)),
    },
  ];
}

interface BreakdownRead {
  session: WebSession;
  request: PageRequest;
  found: FilteredCampaigns;
  order: GroupOrder;
  content: { by: "hour"; times: SendingTimes } | ({ by: BreakdownField } & BrokenDown);
}

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
async function read(
  context: WebContext,
  session: WebSession,
  request: PageRequest,
  isFile = false,
): Promise<BreakdownRead> {
  const { locale } = session;
  const label = locale.t("overview.breakDownBy");
  const by = parseChoice(locale, label, request.query.get("by") ?? "", views) ?? "team";
  const order = parseOrder(locale, request.query, groupColumns);
  const own = ownParameters(by, order);
  const filtered = await filteredCampaigns(context, session, request, {
    path,
    own,
    isFile,
    read: async (scope, found) =>
      by === "hour"
        ? { by, times: await findSendingTimes(scope, found.filter) }
        : { by, ...(await readGroups(scope, session, found, by)) },
  });
  return { session, request, order, ...filtered };
}

const ownParameters = (by: BreakdownTab, order?: GroupOrder) => ({
  ...(by !== "team" && { by }),
  ...(order && by !== "hour" && orderParameters(order)),
});

/** The page with its filters, and with another tab or order. */
function urlOf(
  { page: { filters, defaults } }: FilteredCampaigns,
  by: BreakdownTab,
  order?: GroupOrder,
): string {
  const own = Object.entries(ownParameters(by, order));
  return urlWithQuery(path, new URLSearchParams([...filterQuery(filters, defaults), ...own]));
}

function showPage({ content: groups, ...view }: BreakdownRead): PageContent {
  const { session, found } = view;
  const { locale, user } = session;
  const { t } = locale;
  const title = t("pages.breakdown");
  if (found.isEmpty) return { title, body: gettingStarted(locale, user.role) };
  const { page } = found;
  const items = views.map((each) => ({
    url: `${urlOf(found, each)}#${currentTabId}`,
    name: t(`overview.breakdowns.${each}.tab`),
    isCurrent: each === groups.by,
  }));
  const { summary, content } =
    groups.by === "hour" ? sendingTimesTable(locale, groups.times) : showGroups(view, groups);
  const csv = urlWithQuery(paths.web.breakdownCsv, page.queryOf({ traffic: page.filters.traffic }));
  const choice = tabs(t("overview.breakDownBy"), items, currentTabId);
  const shown = { ...found, toolbar: html`${found.toolbar}${choice}` };
  return filteredPage(session, shown, { title, csv, summary }, content);
}

function showFile({ session: { locale }, found, order, content }: BreakdownRead): FileContent {
  const { filters } = found.page;
  if (content.by === "hour")
    return sendingTimesFile(locale, content.times, csvFileName("sending-times", filters));
  const { by, rows } = content;
  const name = locale.t(`overview.breakdowns.${by}.column`);
  return groupFile(locale, sortRows(rows, order), {
    file: csvFileName(`breakdown-by-${by}`, filters),
    name,
    columns: groupColumns,
  });
}

function showGroups(
  { session, request, found, order }: Omit<BreakdownRead, "content">,
  { by, breakdown, rows }: { by: BreakdownField } & BrokenDown,
): ShownResults {
  const { locale } = session;
  const { t } = locale;
  const sorted = sortRows(rows, order);
  const query = found.page.queryOf({});
  const what = t(`overview.breakdowns.${by}.tab`);
  const { shown, links } = paginate(locale, sorted, {
    page: request.query.get("page"),
    pageSize,
    what,
    query,
  });
  const count = t("breakdown.groups", { count: rows.length });
  const title = t(`overview.breakdowns.${by}.title`);
  const hasChanges = rows.some(({ before }) => before);
  const table = groupTable(locale, shown, {
    caption: title,
    columns: groupColumns.filter((column) => column !== "change" || hasChanges),
    order,
    name: t(`overview.breakdowns.${by}.column`),
    urlOf: (next) => urlOf(found, by, next),
  });
  const leftOut = leftOutText(locale, breakdown.total);
  const notes = [
    ...(leftOut === undefined ? [] : [leftOut]),
    ...importedText(locale, breakdown.total),
    ...(by === "tag" ? [t("breakdown.tagsNote")] : []),
    t("overview.scope", { timeZone: session.organization.timeZone }),
  ];
  const compared =
    hasChanges &&
    breakdown.compared &&
    spanTitles(locale, [breakdown.compared], todayOf(found.page.defaults))[0];
  const head = html`<div class="list-head"><h2>${title}</h2><div class="about-row"><span class="soft small">${compared && t("breakdown.comparedWith", { dates: compared })}</span>${aboutNumbers(locale, notes)}</div></div>`;
  const none = html`<p class="card">${t("overview.noneSet")}</p>`;
  return { summary: count, content: rows.length === 0 ? none : html`${head}${table}${links}` };
}
