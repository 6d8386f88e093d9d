// The audit log at `/settings/audit`, for admins: who did what, newest first, and all of it as CSV.

import { type AuditAction, auditActions, commandLine, somebody } from "../../../../access/audit-actions.ts";
import { parseId } from "../../../../campaign/fields/parse-id.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { paths, urlWithQuery } from "../../../../paths.ts";
import {
  type AuditEntry,
  type AuditFilter,
  listActions,
} from "../../../../storage/organizations/audit-log.ts";
import { csvFile, csvTime, csvTitle } from "../../frame/csv-file.ts";
import type { Page, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { inputField, selectField } from "../../ui/forms/field.ts";
import { downloadAction } from "../../ui/lists/download-link.ts";
import { openEndedLinks } from "../../ui/lists/list-pagination.ts";
import { moreActions } from "../../ui/lists/menu.ts";
import { dataTable } from "../../ui/lists/table.ts";

const path = paths.web.audit;
const pageSize = 100;

/** Rows per query: writing their lines takes a few milliseconds. */
const batchSize = 1_000;

export function auditPages(context: WebContext): Page[] {
  return [auditPage(context), auditFile(context)];
}

function auditPage({ database }: WebContext): Page {
  return {
    path,
    role: "admin",
    async show(session, { query }) {
      const { locale, organization } = session;
      const { t } = locale;
      const filter = readFilter(query);
      const entries = await database.queryOf(organization.id, (scope) =>
        listActions(scope, filter, pageSize + 1),
      );
      const shown = entries.slice(0, pageSize);
      const before = entries.length > pageSize ? shown.at(-1)?.id : undefined;
      const table =
        shown.length === 0 ? html`<p class="empty">${t("audit.none")}</p>` : auditTable(session, shown);
      const first = { ...filter, before: undefined };
      const nav = openEndedLinks(locale, t("audit.pages"), {
        start: filter.before === undefined ? undefined : auditUrl(path, first),
        next: before === undefined ? undefined : auditUrl(path, { ...filter, before }),
      });
      const body = html`<section class="card">${filterForm(locale, filter)}
${table}${nav}</section>`;
      const lead = t("audit.lead", { days: organization.auditDays });
      const headingLink = moreActions(locale, [downloadAction(locale, auditUrl(paths.web.auditCsv, first))]);
      return { title: t("audit.title"), lead, headingLink, body };
    },
  };
}

function auditFile(context: WebContext): Page {
  return {
    path: paths.web.auditCsv,
    role: "admin",
    async show(session, { query }) {
      const { t } = session.locale;
      const header = [
        csvTitle(t("audit.time"), session.organization.timeZone),
        ...[t("audit.actor"), t("audit.action"), t("audit.target")],
      ];
      return csvFile("audit-log.csv", header, rowBatches(context, session, readFilter(query)));
    },
  };
}

async function* rowBatches(
  { database, shutdownSignal: signal }: WebContext,
  { organization: { id, timeZone }, locale }: WebSession,
  filter: AuditFilter,
): AsyncGenerator<unknown[][]> {
  for (let { before } = filter; ; ) {
    signal?.throwIfAborted();
    const from = { ...filter, before };
    const entries = await database.queryOf(id, (scope) => listActions(scope, from, batchSize));
    yield entries.map((each) => [csvTime(each.at, timeZone), ...wordsOf(locale, each), each.target]);
    if (entries.length < batchSize) return;
    before = entries.at(-1)?.id;
  }
}

/** The actor and the action as people read them. */
function wordsOf(locale: Locale, { actor, action }: AuditEntry): [string, string] {
  const names: Record<string, string> = {
    [commandLine]: locale.t("keys.commandLine"),
    [somebody]: locale.t("audit.somebody"),
  };
  return [names[actor] ?? actor, actionName(locale, action)];
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

function auditTable({ organization, locale }: WebSession, entries: readonly AuditEntry[]): Html {
  const { t, format } = locale;
  const titles = [t("audit.time"), t("audit.actor"), t("audit.action"), t("audit.target")];
  const classes = ["", "text", "", "text"];
  const rows = entries.map((entry) => {
    const [actor, action] = wordsOf(locale, entry);
    const time = format.dateTime(entry.at, organization.timeZone);
    return [time, html`<bdi>${actor}</bdi>`, action, html`<bdi>${entry.target}</bdi>`];
  });
  return dataTable(t("audit.caption"), titles, rows, { name: t("audit.title"), classes, isStacked: true });
}
