// The breakdown page at `/breakdown`: the results of campaigns by team and tag, and when to send.

import { type BreakdownField, breakdownFields } from "../../../listing/sums/overview-choices.ts";
import { todayOf } from "../../../listing/sums/page-filters.ts";
import { findSendingTimes, type SendingTimes } from "../../../listing/sums/sending-times.ts";
import { html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { type FilteredCampaigns, filteredFile, filteredPage } from "../filters/filtered-campaigns.ts";
import { parseChoice } from "../filters/filters.ts";
import { spanTitles } from "../filters/period-title.ts";
import type { Page } from "../frame/page.ts";
import { paginate } from "../ui/lists/list-pagination.ts";
import { tabs } from "../ui/lists/tabs.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";
import { importedText, leftOutText } from "../ui/numbers/left-out.ts";
import { groupFile } from "./group-file.ts";
import {
  type GroupOrder,
  groupColumns,
  orderParameters,
  parseOrder,
  sortRows,
  usualOrder,
} from "./group-order.ts";
import { groupTable } from "./group-table.ts";
import { type BrokenDown, readGroups } from "./read-groups.ts";
import { type ShownResults, sendingTimesFile, sendingTimesTable } from "./sending-times.ts";

const path = webPaths.breakdown;
const pageSize = 50;

/** Names the tabs as the URL does. */
const views = [...breakdownFields, "hour"] as const;
type BreakdownTab = (typeof views)[number];

/** A tab leads back to the tabs, not to the start of the page. */
const currentTabId = "results-by";

interface AskedBreakdown {
  by: BreakdownTab;
  order: GroupOrder;
}

type FoundBreakdown = FilteredCampaigns<AskedBreakdown>;

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
const ask = (locale: Locale, query: URLSearchParams): AskedBreakdown => ({
  by: parseChoice(locale, locale.t("overview.breakDownBy"), query.get("by") ?? "", views) ?? "team",
  order: parseOrder(locale, query, groupColumns),
});

const own = ({ by, order }: AskedBreakdown) => ({
  ...(by !== "team" && { by }),
  ...(by !== "hour" && orderParameters(order)),
});

type BreakdownContent = { by: "hour"; times: SendingTimes } | ({ by: BreakdownField } & BrokenDown);

async function read(scope: Scope, found: FoundBreakdown): Promise<BreakdownContent> {
  const { by } = found.asked;
  return by === "hour"
    ? { by, times: await findSendingTimes(scope, found.filter) }
    : { by, ...(await readGroups(scope, found, by)) };
}

/** The page, and its table as CSV. */
export const breakdownPages: Page[] = [
  filteredPage({
    path,
    csv: webPaths.breakdownCsv,
    ask,
    own,
    read,
    show({ content, ...found }) {
      const { t } = found;
      const items = views.map((by) => ({
        url: `${urlWithQuery(path, found.page.queryOf({}, { by, order: usualOrder }))}#${currentTabId}`,
        name: t(`overview.breakdowns.${by}.tab`),
        isCurrent: by === content.by,
      }));
      const shown =
        content.by === "hour" ? sendingTimesTable(found, content.times) : showGroups(found, content);
      return {
        title: t("pages.breakdown"),
        toolbar: tabs(t("overview.breakDownBy"), items, currentTabId),
        ...shown,
      };
    },
  }),
  filteredFile({
    path: webPaths.breakdownCsv,
    ask,
    own,
    read,
    show(found) {
      const {
        asked,
        page: { filters },
        content,
      } = found;
      if (content.by === "hour")
        return sendingTimesFile(found, content.times, csvFileName("sending-times", filters));
      const { by, rows } = content;
      return groupFile(found, sortRows(rows, asked.order), {
        file: csvFileName(`breakdown-by-${by}`, filters),
        name: found.t(`overview.breakdowns.${by}.column`),
        columns: groupColumns,
      });
    },
  }),
];

function showGroups(
  found: FoundBreakdown,
  { by, breakdown, rows }: { by: BreakdownField } & BrokenDown,
): ShownResults {
  const { page, t } = found;
  const { order } = found.asked;
  const { shown, links } = paginate(found, sortRows(rows, order), {
    page: found.parameters.get("page"),
    pageSize,
    what: t(`overview.breakdowns.${by}.tab`),
    query: page.queryOf({}),
  });
  const count = t("breakdown.groups", { count: rows.length });
  const title = t(`overview.breakdowns.${by}.title`);
  const hasChanges = rows.some(({ before }) => before);
  const table = groupTable(found, shown, {
    caption: title,
    columns: groupColumns.filter((column) => column !== "change" || hasChanges),
    name: t(`overview.breakdowns.${by}.column`),
    sorting: { order, urlOf: (next) => urlWithQuery(path, page.queryOf({}, { by, order: next })) },
  });
  const leftOut = leftOutText(found, breakdown.total);
  const notes = [
    ...(leftOut === undefined ? [] : [leftOut]),
    ...importedText(found, breakdown.total),
    ...(by === "tag" ? [t("breakdown.tagsNote")] : []),
    t("overview.scope", { timeZone: found.organization.timeZone }),
  ];
  const compared =
    hasChanges && breakdown.compared && spanTitles(found, [breakdown.compared], todayOf(page.defaults))[0];
  const head = html`<div class="list-head"><h2>${title}</h2><div class="about-row"><span class="soft small">${compared && t("breakdown.comparedWith", { dates: compared })}</span>${aboutNumbers(found, notes)}</div></div>`;
  return {
    summary: count,
    results:
      rows.length === 0
        ? html`<p class="card">${t("overview.noneSet")}</p>`
        : html`${head}<div class="list-table">${table}</div>${links}`,
  };
}
