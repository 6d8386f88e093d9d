// The recipients who did not open any of the campaigns, with their names: a page and a CSV file, for admins only. The audit log
// has each view and download.

import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import { findNonReaders, type NonReader } from "../../../storage/audience/reach.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { filteredFile, filteredPage } from "../filters/filtered-campaigns.ts";
import { nameColumn, numberColumn } from "../frame/columns.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { AuditedView, Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { openEndedLinks } from "../ui/lists/list-pagination.ts";
import { columnsTable, type PageColumn } from "../ui/lists/table.ts";
import { type ReachSelection, selectReached } from "./reach.ts";

const path = webPaths.nonReaders;
const perPage = 50;
/** Each batch reads all recipients after the last one again. */
const rowsPerBatch = 20_000;

/** The filters are left out: a search may be anything. */
const audited = (action: AuditedView["action"], campaigns: number): AuditedView => ({
  action,
  target: `non-readers of ${campaigns} campaigns`,
});

const afterOf = (query: URLSearchParams) => (query.get("after") ?? "").slice(0, 2_000).toWellFormed();

export const nonReadersPages = (context: WebContext): Page[] => [
  filteredPage({
    path,
    csv: webPaths.nonReadersCsv,
    role: "admin",
    async read(scope, found) {
      const selection = await selectReached(scope, found);
      const people = await findNonReaders(scope, selection, {
        after: afterOf(found.parameters),
        limit: perPage + 1,
      });
      return { campaigns: selection.ledgerIds.length, people };
    },
    show(found) {
      const { t } = found;
      const { campaigns, people } = found.content;
      const filters = found.page.queryOf({});
      const back = { url: urlWithQuery(webPaths.audience, filters), name: t("pages.audience") };
      return {
        title: t("nonReaders.title"),
        lead: t("nonReaders.lead", { campaigns }),
        breadcrumb: [back],
        hasFile: people.length > 0,
        audited: audited("recipients.view", campaigns),
        results: peopleList(found, people, { after: afterOf(found.parameters), query: filters }),
      };
    },
  }),
  filteredFile({
    path: webPaths.nonReadersCsv,
    role: "admin",
    read: selectReached,
    show(found) {
      const { page, content: selection } = found;
      const file = csvFile(
        csvFileName("non-readers", page.filters),
        columnsOf(found),
        nonReaders(context, found, selection),
      );
      return { ...file, audited: audited("recipients.export", selection.ledgerIds.length) };
    },
  }),
];

function peopleList(
  session: WebSession,
  people: readonly NonReader[],
  { after, query }: { after: string; query: URLSearchParams },
): Html {
  const { t } = session;
  if (people.length === 0 && after === "") {
    return emptyState({ icon: "people", title: t("nonReaders.none"), text: t("nonReaders.noneHint") });
  }
  const shown = people.slice(0, perPage);
  const next = people.length > perPage ? shown.at(-1)?.name : undefined;
  return html`<div class="list-table">${columnsTable(session, t("recipients.caption"), columnsOf(session), shown)}</div>${openEndedLinks(
    session,
    t("recipients.pages"),
    {
      start: after === "" ? undefined : urlWithQuery(path, query),
      next:
        next === undefined ? undefined : urlWithQuery(path, new URLSearchParams([...query, ["after", next]])),
    },
  )}
<p class="soft small section">${t("nonReaders.note")}</p>`;
}

function columnsOf(locale: Locale): PageColumn<NonReader>[] {
  return [
    nameColumn(locale.t("recipients.columns.recipient"), ({ name }) => name),
    numberColumn(locale, locale.t("nonReaders.campaigns"), "count", ({ campaigns }) => campaigns),
  ];
}

async function* nonReaders(
  { shutdownSignal: signal }: WebContext,
  { query }: WebSession,
  selection: ReachSelection,
): AsyncGenerator<NonReader[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    signal?.throwIfAborted();
    const page: { after: string; limit: number } = { after, limit: rowsPerBatch };
    const people = await query((scope) => findNonReaders(scope, selection, page));
    yield people;
    after = people.length < rowsPerBatch ? undefined : people.at(-1)?.name;
  }
}
