// Opens the door for people: the pages of the web application, for those who have signed in.

import cookie from "@fastify/cookie";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { quote } from "../../campaign/quote.ts";
import { AppError, errors } from "../../errors.ts";
import { bodyLimits } from "../body-limits.ts";
import { acceptRawBodies } from "../request-body.ts";
import { addToLog } from "../request-log.ts";
import { campaignPage } from "./campaigns/campaign.ts";
import { campaignsPage } from "./campaigns/campaigns.ts";
import { overviewPage } from "./overview/overview.ts";
import type { ActionResult, Page, PageRequest, Visitor } from "./page.ts";
import { accountPage } from "./settings/account.ts";
import { keyPages } from "./settings/keys.ts";
import { organizationPage } from "./settings/organization.ts";
import { peoplePage } from "./settings/people.ts";
import { tagPages } from "./settings/tags.ts";
import { Cookies } from "./sign-in/cookies.ts";
import { addDemoSignIn } from "./sign-in/demo-sign-in.ts";
import { SignInRateLimit } from "./sign-in/rate-limit.ts";
import { addSignIn } from "./sign-in/sign-in.ts";
import { actingAs, findVisitor, refuseRole } from "./sign-in/visitor.ts";
import { sourcesPage } from "./sources/sources.ts";
import { askToComeBack, sendErrorPage } from "./ui/error-page.ts";
import { checkCsrf, readForm } from "./ui/form.ts";
import { addFiles, sendPage } from "./ui/layout.ts";
import type { WebContext } from "./web-context.ts";

/** The pages, in no particular order. */
const pagesOf = (door: WebContext, throttle: SignInRateLimit): Page[] => [
  overviewPage(door),
  campaignsPage(door),
  campaignPage(door),
  ...keyPages(door),
  ...tagPages(door),
  sourcesPage(door),
  peoplePage(door),
  organizationPage(door),
  accountPage(door, throttle),
];

export function addWebRoutes(app: FastifyInstance, door: WebContext): void {
  const cookies = new Cookies(door.publicUrl);
  void app.register(async (scope) => {
    acceptRawBodies(scope);
    await scope.register(cookie);
    const visitors = new WeakMap<FastifyRequest, Visitor>();
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      sendErrorPage(error, request, reply, { door, visitor: visitors.get(request) }),
    );
    addFiles(scope);
    addDemoSignIn(scope, door, cookies);
    const throttle = new SignInRateLimit(door.now);
    addSignIn(scope, { door, cookies, throttle });
    for (const page of pagesOf(door, throttle)) addPage(scope, page, { door, cookies, visitors });
  });
}

const signedOutMeanwhile = "You were signed out meanwhile. Nothing was changed: sign in, and send it again.";

interface PageFrame {
  door: WebContext;
  cookies: Cookies;
  visitors: WeakMap<FastifyRequest, Visitor>;
}

function addPage(scope: FastifyInstance, page: Page, { door, cookies, visitors }: PageFrame): void {
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await findVisitor(request, door, cookies);
    if (!visitor) {
      if (request.method === "POST") cookies.write(reply, "notice", signedOutMeanwhile);
      return reply.redirect(`/sign-in?to=${encodeURIComponent(request.url)}`, 303);
    }
    visitors.set(request, visitor);
    addToLog(request, { organization: visitor.organization.id, user: visitor.user.id });
    refuseRole(visitor, page.role);
    return undefined;
  };
  const show = async (request: FastifyRequest, reply: FastifyReply, asked: PageRequest, status?: number) => {
    const visitor = visitors.get(request) as Visitor;
    const shown = await page.show(visitor, asked);
    const framed = {
      ...shown,
      status: status ?? shown.status,
      notice: request.method === "GET" ? cookies.takeNotice(request, reply) : undefined,
      problem: asked.refused?.problem,
    };
    return sendPage(reply, framed, { visitor, path: pathOf(request) });
  };

  scope.get(page.path, { onRequest: admit }, async (request, reply) =>
    show(request, reply, askedOf(request)),
  );
  if (!page.actions) return;

  scope.post(page.path, { onRequest: admit, bodyLimit: bodyLimits.webForm }, async (request, reply) => {
    // The form may have taken its time, and who sends it may have been removed meanwhile.
    await admit(request, reply);
    if (reply.sent) return reply;
    const visitor = visitors.get(request) as Visitor;
    const asked = askedOf(request);
    const form = readForm(request);
    checkCsrf(request, form, {
      cookie: cookies.read(request, "session"),
      publicUrl: door.publicUrl,
    });
    const name = form.get("action") ?? "";
    const action = Object.hasOwn(page.actions ?? {}, name) ? page.actions?.[name] : undefined;
    if (!action) throw new AppError("bad_request", `action: ${quote(name)} is not possible here.`);
    const acting = actingAs(visitor, door, action.role);
    let outcome: ActionResult;
    try {
      outcome = await action.run(acting, form, asked);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "forbidden") throw error;
      askToComeBack(reply, error.code);
      const refused = { action: name, form, problem: error.message };
      return show(request, reply, { ...asked, refused }, errors[error.code].status);
    }
    if ("notice" in outcome) {
      cookies.write(reply, "notice", outcome.notice);
      if (outcome.session !== undefined) cookies.write(reply, "session", outcome.session);
      return reply.redirect(outcome.goTo ?? request.url, 303);
    }
    return sendPage(reply, outcome, { visitor, path: pathOf(request) });
  });
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "";
}

function askedOf(request: FastifyRequest): PageRequest {
  const start = request.url.indexOf("?");
  return {
    params: (request.params ?? {}) as Record<string, string>,
    query: new URLSearchParams(start < 0 ? "" : request.url.slice(start + 1)),
  };
}
