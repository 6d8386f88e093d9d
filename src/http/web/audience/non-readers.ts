// The recipients who did not open any of the campaigns, with their names: a page and a CSV file, for admins only. The audit log
// has each view and download.

import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import { findNonReaders, type NonReader } from "../../../storage/audience/reach.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { filteredCampaigns, filteredPage } from "../filters/filtered-campaigns.ts";
import { nameColumn, numberColumn } from "../frame/columns.ts";
import { csvFile } from "../frame/csv-file.ts";
import { breadcrumb } from "../frame/layout.ts";
import type { AuditedView, Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { openEndedLinks } from "../ui/lists/list-pagination.ts";
import { columnsTable, type PageColumn } from "../ui/lists/table.ts";
import { type ReachSelection, selectReached } from "./reach.ts";

const path = paths.web.nonReaders;
const perPage = 50;
/** Each batch reads all recipients after the last one again. */
const rowsPerBatch = 20_000;

export function nonReadersPages(context: WebContext): Page[] {
  return [nonReadersPage(context), nonReadersFile(context)];
}

/** The filters are left out: a search may be anything. */
const audited = (action: AuditedView["action"], campaigns: number): AuditedView => ({
  action,
  target: `non-readers of ${campaigns} campaigns`,
});

function nonReadersPage(context: WebContext): Page {
  return {
    path,
    role: "admin",
    async show(session, request) {
      const { locale } = session;
      const { t } = locale;
      const after = (request.query.get("after") ?? "").slice(0, 2_000).toWellFormed();
      const { found, content } = await filteredCampaigns(context, session, request, {
        path,
        async read(scope, filtered) {
          const selection = await selectReached(scope, filtered);
          const people = await findNonReaders(scope, selection, { after, limit: perPage + 1 });
          return { campaigns: selection.ledgerIds.length, people };
        },
      });
      const { campaigns, people } = content;
      const query = found.page.queryOf({});
      const back = { url: urlWithQuery(paths.web.audience, query), name: t("pages.audience") };
      const about = {
        title: t("nonReaders.title"),
        lead: t("nonReaders.lead", { campaigns }),
        breadcrumb: breadcrumb(locale, [back]),
        csv: people.length > 0 && urlWithQuery(paths.web.nonReadersCsv, query),
        audited: audited("recipients.view", campaigns),
      };
      return filteredPage(session, found, about, peopleList(session, people, { after, query }));
    },
  };
}

function peopleList(
  { locale }: WebSession,
  people: readonly NonReader[],
  { after, query }: { after: string; query: URLSearchParams },
): Html {
  const { t } = locale;
  if (people.length === 0 && after === "") {
    return emptyState({ icon: "people", title: t("nonReaders.none"), text: t("nonReaders.noneHint") });
  }
  const shown = people.slice(0, perPage);
  const next = people.length > perPage ? shown.at(-1)?.name : undefined;
  return html`<div class="list-table">${columnsTable(locale, t("recipients.caption"), columnsOf(locale), shown)}</div>${openEndedLinks(
    locale,
    t("recipients.pages"),
    {
      start: after === "" ? undefined : urlWithQuery(path, query),
      next:
        next === undefined ? undefined : urlWithQuery(path, new URLSearchParams([...query, ["after", next]])),
    },
  )}
<p class="soft small section">${t("nonReaders.note")}</p>`;
}

function nonReadersFile(context: WebContext): Page {
  return {
    path: paths.web.nonReadersCsv,
    role: "admin",
    async show(session, request) {
      const { found, content: selection } = await filteredCampaigns(context, session, request, {
        path,
        isFile: true,
        read: selectReached,
      });
      const name = csvFileName("non-readers", found.page.filters);
      const file = csvFile(name, columnsOf(session.locale), nonReaders(context, session, selection));
      return { ...file, audited: audited("recipients.export", selection.ledgerIds.length) };
    },
  };
}

function columnsOf(locale: Locale): PageColumn<NonReader>[] {
  const { t } = locale;
  return [
    nameColumn(t("recipients.columns.recipient"), ({ name }) => name),
    numberColumn(locale, t("nonReaders.campaigns"), "count", ({ campaigns }) => campaigns),
  ];
}

async function* nonReaders(
  { database, shutdownSignal: signal }: WebContext,
  { organization }: WebSession,
  selection: ReachSelection,
): AsyncGenerator<NonReader[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    signal?.throwIfAborted();
    const page: { after: string; limit: number } = { after, limit: rowsPerBatch };
    const people = await database.queryOf(organization.id, (scope) => findNonReaders(scope, selection, page));
    yield people;
    after = people.length < rowsPerBatch ? undefined : people.at(-1)?.name;
  }
}
