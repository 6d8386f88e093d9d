// The audit log at `/settings/audit`, for admins: who did what, newest first, and all of it as CSV.

import { type AuditAction, auditActions, commandLine, somebody } from "../../../../access/audit-actions.ts";
import { parseId } from "../../../../campaign/fields/parse-id.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { urlWithQuery, webPaths } from "../../../../paths.ts";
import {
  type AuditEntry,
  type AuditFilter,
  listActions,
} from "../../../../storage/organizations/audit-log.ts";
import { nameColumn, timeColumn } from "../../frame/columns.ts";
import { csvFile } from "../../frame/csv-file.ts";
import type { Page, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { inputField, selectField } from "../../ui/forms/field.ts";
import { openEndedLinks } from "../../ui/lists/list-pagination.ts";
import { downloadAction, headActions } from "../../ui/lists/menu.ts";
import { columnsTable, type PageColumn } from "../../ui/lists/table.ts";

const path = webPaths.audit;
const pageSize = 100;

/** Rows per query: writing their lines takes a few milliseconds. */
const batchSize = 1_000;

export function auditPages(context: WebContext): Page[] {
  return [auditPage, auditFile(context)];
}

const auditPage: Page = {
  path,
  role: "admin",
  async show(session, { query }) {
    const { organization, t } = session;
    const filter = readFilter(query);
    const entries = await session.query((scope) => listActions(scope, filter, pageSize + 1));
    const shown = entries.slice(0, pageSize);
    const before = entries.length > pageSize ? shown.at(-1)?.id : undefined;
    const table =
      shown.length === 0
        ? html`<p class="empty">${t("audit.none")}</p>`
        : columnsTable(session, t("audit.caption"), columnsOf(session), shown, {
            name: t("pages.audit"),
            isStacked: true,
          });
    const first = { ...filter, before: undefined };
    const nav = openEndedLinks(session, t("audit.pages"), {
      start: filter.before === undefined ? undefined : auditUrl(path, first),
      next: before === undefined ? undefined : auditUrl(path, { ...filter, before }),
    });
    const body = html`<section class="card">${filterForm(session, filter)}
${table}${nav}</section>`;
    const lead = t("audit.lead", { days: organization.auditDays });
    const headingLink = headActions(downloadAction(session, auditUrl(webPaths.auditCsv, first)));
    return { title: t("pages.audit"), lead, headingLink, body };
  },
};

function auditFile(context: WebContext): Page {
  return {
    path: webPaths.auditCsv,
    role: "admin",
    async show(session, { query }) {
      const entries = entryBatches(context, session, readFilter(query));
      return csvFile("audit-log.csv", columnsOf(session), entries);
    },
  };
}

async function* entryBatches(
  { shutdownSignal: signal }: WebContext,
  { query }: WebSession,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry[]> {
  for (let { before } = filter; ; ) {
    signal?.throwIfAborted();
    const from = { ...filter, before };
    const entries = await query((scope) => listActions(scope, from, batchSize));
    yield entries;
    if (entries.length < batchSize) return;
    before = entries.at(-1)?.id;
  }
}

/** The entries as people read them. */
function columnsOf(session: WebSession): PageColumn<AuditEntry>[] {
  const { t } = session;
  const names: Record<string, string> = {
    [commandLine]: t("keys.commandLine"),
    [somebody]: t("audit.somebody"),
  };
  return [
    timeColumn(session, t("audit.time"), ({ at }) => at),
    nameColumn(t("audit.actor"), ({ actor }) => names[actor] ?? actor),
    { title: t("audit.action"), csv: ({ action }) => actionName(session, action) },
    nameColumn(t("audit.target"), ({ target }) => target),
  ];
}

const actionName = ({ translate }: Locale, action: AuditAction) =>
  translate(`auditActions.${action}`, auditActions[action]);

/** An unknown action counts as none. */
function readFilter(query: URLSearchParams): AuditFilter {
  const action = query.get("action") ?? "";
  return {
    action: Object.hasOwn(auditActions, action) ? (action as AuditAction) : undefined,
    actor: (query.get("actor") ?? "").slice(0, 300).toWellFormed().replaceAll("\0", "").trim(),
    before: parseId(query.get("before") ?? ""),
  };
}

function auditUrl(to: string, { action, actor, before }: AuditFilter): string {
  const given = Object.entries({ action, actor, before }).filter(([, value]) => value);
  return urlWithQuery(to, new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
}

function filterForm(locale: Locale, { action, actor = "" }: AuditFilter): Html {
  const { t } = locale;
  const names = (Object.keys(auditActions) as AuditAction[]).map((each) => [each, actionName(locale, each)]);
  const titles = { "": t("audit.allActions"), ...Object.fromEntries(names) };
  return html`<form class="fields" action="${path}">
${selectField({}, { name: "action", label: t("audit.action"), value: action ?? "" }, titles)}
${inputField({}, { name: "actor", label: t("audit.actor"), value: actor }, html` type="search" maxlength="300" autocomplete="off"`)}
<button class="second">${t("filters.apply")}</button></form>`;
}
