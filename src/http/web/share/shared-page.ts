// The page of a share link: one view without navigation, for everyone who has the link. It reads and never writes.

import type { FastifyInstance } from "fastify";
import { AppError } from "../../../errors.ts";
import { findSourcesAlert, type SourcesAlert } from "../../../listing/reports/sources-alert.ts";
import { html } from "../../../locale/html.ts";
import { type Locale, localeOf } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import { webPaths } from "../../../paths.ts";
import { findScheduledIds } from "../../../storage/campaigns/campaigns.ts";
import type { FoundKey } from "../../../storage/keys/api-keys.ts";
import type { Organization } from "../../../storage/organizations/organizations.ts";
import { closeSignal } from "../../request/close-signal.ts";
import { findLink, type LinkRequest, limitLinkUses, noteLinkUse } from "../../request/links.ts";
import { queryOf } from "../../request/url.ts";
import { sendPage } from "../frame/layout.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { localeIn, readsOf } from "../frame/web-session.ts";
import { parseSharedView, type SharedView } from "./shared-view.ts";

/** Views of one link per hour and process: each adds up campaigns. */
export const maxSharedViews = 300;

/** @param pages all of the web application */
export function addSharedPage(scope: FastifyInstance, context: WebContext, pages: readonly Page[]): void {
  const { now } = context;
  const countView = limitLinkUses(maxSharedViews, now);
  scope.get(`${webPaths.shared}/:key`, async (request: LinkRequest, reply) => {
    // Pages have `noindex` and `no-store` anyway.
    reply.header("referrer-policy", "no-referrer");
    const locale = localeOf(request);
    const { link, view } = await findShare(context, locale, request);
    noteLinkUse(context, request, link);
    const [added] = queryOf(request.url).keys();
    if (added !== undefined) {
      throw new AppError("bad_request", locale.t("share.noParameters", { name: quoted(locale, added) }));
    }
    countView(link, reply, locale.t("share.tooMany", { max: maxSharedViews }));
    const { organization, expiresAt } = link;
    const page = pages.find(({ path }) => path === view.page);
    const sourcesAlert = await context.database.queryOf(organization.id, (scope) =>
      findSourcesAlert(scope, now()),
    );
    const session = visitorOf(context, organization, locale, sourcesAlert);
    const content = await page?.show(session, { ...view, signal: closeSignal(reply) });
    if (!content || "file" in content) throw new AppError("not_found");
    const { withoutControls } = await import("./without-controls.ts");
    const until = locale.format.dateTime(expiresAt ?? 0, organization.timeZone);
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

/** @throws AppError `not_found` if the link does not work, or its campaign is scheduled */
async function findShare(
  context: WebContext,
  { t }: Locale,
  request: LinkRequest,
): Promise<{ link: FoundKey; view: SharedView }> {
  const link = await findLink(context, request, "shareLinks");
  const view = parseSharedView(link?.selection ?? "");
  if (!link || !view) throw new AppError("not_found", t("share.invalid"));
  const id = Number(view.params.id ?? 0);
  const scheduled = await context.database.queryOf(link.organization.id, (scope) =>
    findScheduledIds(scope, [id]),
  );
  // Moved to a time ahead, the campaign is in no feed either.
  if (scheduled.size > 0) throw new AppError("not_found", t("share.invalid"));
  return { link, view };
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
