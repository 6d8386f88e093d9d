// The page of a share link: one view without navigation, for everyone who has the link. It reads and never writes.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { parseApiKey } from "../../../access/api-key.ts";
import { hourMs } from "../../../campaign/calendar/durations.ts";
import { AppError } from "../../../errors.ts";
import { TimeWindows } from "../../../limits/time-windows.ts";
import { findSourcesAlert, type SourcesAlert } from "../../../listing/reports/sources-alert.ts";
import { html } from "../../../locale/html.ts";
import { type Locale, localeOf } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import { webPaths } from "../../../paths.ts";
import { findScheduledIds } from "../../../storage/campaigns/campaigns.ts";
import { findOrganizationOfKey } from "../../../storage/keys/api-keys.ts";
import type { Organization } from "../../../storage/organizations/organizations.ts";
import { closeSignal } from "../../request/close-signal.ts";
import { addToLog } from "../../request/log.ts";
import { queryOf } from "../../request/url.ts";
import { sendPage } from "../frame/layout.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { localeIn, readsOf } from "../frame/web-session.ts";
import { parseSharedView, type SharedView } from "./shared-view.ts";

/** Views of one link per hour and process: each adds up campaigns. */
export const maxSharedViews = 300;
const maxWindows = 5_000;

/** @param pages all of the web application */
export function addSharedPage(scope: FastifyInstance, context: WebContext, pages: readonly Page[]): void {
  const { now } = context;
  const create = () => ({ count: 0, endsAt: now() + hourMs });
  const uses = new TimeWindows({ windowMs: hourMs, maxWindows, now, create });
  scope.get<{ Params: { key: string } }>(`${webPaths.shared}/:key`, async (request, reply) => {
    // Pages have `noindex` and `no-store` anyway.
    reply.header("referrer-policy", "no-referrer");
    const locale = localeOf(request);
    const { keyId, organization, view, expiresAt } = await findShare(context, locale, request);
    addToLog(request, { organization: organization.id });
    const [added] = queryOf(request.url).keys();
    if (added !== undefined) {
      throw new AppError("bad_request", locale.t("share.noParameters", { name: quoted(locale, added) }));
    }
    const window = uses.at(String(keyId));
    window.count += 1;
    if (window.count > maxSharedViews) {
      reply.header("retry-after", String(Math.ceil((window.endsAt - now()) / 1000)));
      throw new AppError("too_many_requests", locale.t("share.tooMany", { max: maxSharedViews }));
    }
    const page = pages.find(({ path }) => path === view.page);
    const sourcesAlert = await context.database.queryOf(organization.id, (scope) =>
      findSourcesAlert(scope, now()),
    );
    const session = visitorOf(context, organization, locale, sourcesAlert);
    const content = await page?.show(session, { ...view, signal: closeSignal(reply) });
    if (!content || "file" in content) throw new AppError("not_found");
    const { withoutControls } = await import("./without-controls.ts");
    const until = locale.format.dateTime(expiresAt, organization.timeZone);
    const { title, titleLanguage, lead, printedScope, hasResults } = content;
    return sendPage(
      reply,
      {
        title,
        titleLanguage,
        printedScope,
        hasResults,
        status: content.status,
        ...(content.heading !== undefined && { heading: content.heading }),
        lead: lead ? withoutControls(html`${lead}`) : printedScope,
        body: withoutControls(content.body, { comments: view.query.has("comments") }),
      },
      { context, session, path: view.url, visit: locale.t("share.shared", { time: until }) },
    );
  });
}

/**
 * Nothing is cached: a revoked link is refused by the very next request.
 *
 * @throws AppError `not_found`, whether the link never existed, expired, was revoked, links are not allowed, or its
 *   campaign is scheduled
 */
async function findShare(
  { database, region, now, keyUsage }: WebContext,
  { t }: Locale,
  { params, headers }: FastifyRequest<{ Params: { key: string } }>,
): Promise<{ keyId: number; organization: Organization; view: SharedView; expiresAt: number }> {
  const key = parseApiKey(params.key);
  const found =
    key?.region === region
      ? await database.query((queries) => findOrganizationOfKey(queries, key))
      : undefined;
  const view = found?.scope === "share-link" ? parseSharedView(found.selection ?? "") : undefined;
  const expiresAt = found?.expiresAt ?? 0;
  if (!view || found?.organization.shareLinks !== "allow" || expiresAt <= now()) {
    throw new AppError("not_found", t("share.invalid"));
  }
  const { keyId, organization } = found;
  const id = Number(view.params.id ?? 0);
  const scheduled = await database.queryOf(organization.id, (scope) => findScheduledIds(scope, [id]));
  // Moved to a time ahead, the campaign is in no feed either.
  if (scheduled.size > 0) throw new AppError("not_found", t("share.invalid"));
  keyUsage.note(organization.id, keyId, { at: now(), client: headers["user-agent"] ?? "" });
  return { keyId, organization, view, expiresAt };
}

/** A visitor sees what a viewer sees. There is no session: the form token and the hash fit none. */
function visitorOf(
  { database, now }: WebContext,
  organization: Organization,
  locale: Locale,
  sourcesAlert: SourcesAlert,
): WebSession {
  return {
    ...localeIn(organization, locale),
    organization,
    user: {
      organizationId: organization.id,
      id: 0,
      email: "",
      role: "viewer" as const,
      language: null,
      notifications: [],
      hasPassword: false,
      hasSecondFactor: false,
      inviteExpiresAt: undefined,
      createdAt: 0,
      lastVisitAt: undefined,
    },
    browserLocale: locale,
    sourcesAlert,
    now: now(),
    hash: "",
    csrfToken: "",
    lastEventAt: undefined,
    isAdmin: false,
    ...readsOf(database, organization),
  };
}
