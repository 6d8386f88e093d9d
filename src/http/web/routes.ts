// The routes of the web application. Every page needs a signed-in user with the page's role.

import cookie from "@fastify/cookie";
import type { FastifyError, FastifyInstance } from "fastify";
import { AppError } from "../../errors.ts";
import { webPaths } from "../../paths.ts";
import { acceptRawBodies } from "../request/body.ts";
import { answerError } from "../request/error-handler.ts";
import { pathOf } from "../request/url.ts";
import { addAssistants } from "./assistants/assistants.ts";
import { audiencePages } from "./audience/audience.ts";
import { audienceSettingsPage } from "./audience/audience-settings.ts";
import { breakdownPages } from "./breakdown/breakdown.ts";
import { comparisonPage } from "./campaigns/compare/compare.ts";
import { campaignsPages } from "./campaigns/list/campaigns.ts";
import { campaignPages } from "./campaigns/page/campaign.ts";
import { commentsPages } from "./comments/comments.ts";
import { addApiReference } from "./connect/api-reference.ts";
import { connectPages } from "./connect/connect.ts";
import { addConnectorFiles } from "./connect/connector-files.ts";
import { addPage } from "./frame/add-page.ts";
import { AttemptLimit } from "./frame/attempt-limit.ts";
import { Cookies } from "./frame/cookies.ts";
import { sendErrorPage } from "./frame/error-page.ts";
import type { Page } from "./frame/page.ts";
import { addSecurityHeaders } from "./frame/security-headers.ts";
import type { WebContext } from "./frame/web-context.ts";
import { findWebSession } from "./frame/web-session.ts";
import { helpPages } from "./help/help.ts";
import { importPages } from "./import/import-page.ts";
import { linksPages } from "./links/links.ts";
import { overviewPage } from "./overview/overview.ts";
import { searchPage } from "./search/search.ts";
import { seriesPage } from "./series/series.ts";
import { addSetUp } from "./set-up/set-up.ts";
import { accountPage } from "./settings/account/account.ts";
import { secondFactorPage } from "./settings/account/second-factor.ts";
import { addUnsubscribe } from "./settings/account/unsubscribe.ts";
import { keyPages } from "./settings/keys/keys.ts";
import { shareLinksPage } from "./settings/keys/share-links.ts";
import { auditPages } from "./settings/organization/audit.ts";
import { chatPage } from "./settings/organization/chat.ts";
import { organizationPage } from "./settings/organization/organization.ts";
import { peoplePage } from "./settings/people/people.ts";
import { privacyPage } from "./settings/privacy/privacy.ts";
import { addSettingsIndex } from "./settings/settings-index.ts";
import { tagPages } from "./settings/tags/tags.ts";
import { addSharedPage } from "./share/shared-page.ts";
import { addDemoSignIn } from "./sign-in/demo-sign-in.ts";
import { addSignIn } from "./sign-in/sign-in.ts";
import { sourcePage } from "./sources/source.ts";
import { sourcesPage } from "./sources/sources.ts";
import { trafficPage } from "./sources/traffic.ts";
import { surveysPage } from "./surveys/surveys.ts";
import { addAssets } from "./ui/assets.ts";

export function addWebRoutes(app: FastifyInstance, context: WebContext): void {
  const cookies = new Cookies(context.publicUrl);
  void app.register(async (scope) => {
    acceptRawBodies(scope);
    await scope.register(cookie);
    await addSecurityHeaders(scope, context.publicUrl);
    scope.decorateRequest("webSession");
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      // An invalid request head is rejected before the security headers are set, and pages need them.
      reply.hasHeader("content-security-policy")
        ? sendErrorPage(error, request, reply, { context, session: request.webSession })
        : answerError(error, request, reply, context.log),
    );
    addAssets(scope);
    addApiReference(scope, context);
    addConnectorFiles(scope, context.publicUrl);
    addDemoSignIn(scope, context, cookies);
    addSettingsIndex(scope, context, cookies);
    const attemptLimit = new AttemptLimit();
    addSignIn(scope, { ...context, cookies, attemptLimit });
    addUnsubscribe(scope, context);
    addSetUp(scope, { ...context, cookies, attemptLimit });
    const pages = [...allPages(context, attemptLimit), ...addAssistants(scope, context, cookies)];
    addSharedPage(scope, context, pages);
    for (const page of pages) addPage(scope, page, { context, cookies });
  });
  // A scope of its own: other errors of unmatched routes stay JSON.
  void app.register(async (scope) => {
    await scope.register(cookie);
    await addSecurityHeaders(scope, context.publicUrl);
    scope.setNotFoundHandler(async (request, reply) => {
      // The group of settings has one page.
      if (/^\/settings\/integrations\/?$/.test(pathOf(request.url)))
        return reply.redirect(webPaths.analyticsApi, 303);
      const session = await findWebSession(request, context, cookies);
      return sendErrorPage(new AppError("not_found"), request, reply, { context, session });
    });
  });
}

/** Every page that needs a signed-in user. */
export function allPages(context: WebContext, attemptLimit: AttemptLimit): Page[] {
  return [
    overviewPage(context),
    ...campaignsPages(context),
    comparisonPage,
    ...importPages(context),
    ...campaignPages(context),
    ...breakdownPages,
    seriesPage(context),
    ...linksPages,
    ...audiencePages(context),
    surveysPage(context),
    ...commentsPages(context),
    searchPage,
    ...connectPages(context),
    ...helpPages,
    ...keyPages(context),
    ...tagPages,
    sourcesPage(context),
    trafficPage(context),
    sourcePage(context),
    peoplePage(context, attemptLimit),
    organizationPage,
    audienceSettingsPage(context),
    privacyPage,
    shareLinksPage(context),
    chatPage(context),
    ...auditPages(context),
    accountPage(context, attemptLimit),
    secondFactorPage(attemptLimit),
  ];
}
