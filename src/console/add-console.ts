// Opens the door for people: the pages of the web application, for those who have signed in.

import cookie from "@fastify/cookie";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { quote } from "../campaign/fields.ts";
import { errors, Refusal } from "../errors.ts";
import { takeBytes } from "../incoming.ts";
import { noteForLog } from "../request-log.ts";
import { accountPage } from "./account.ts";
import { actingAs, findVisitor, refuseRole } from "./admit.ts";
import { campaignPage } from "./campaign.ts";
import { campaignsPage } from "./campaigns.ts";
import type { Asked, ConsolePage, Outcome, Visitor } from "./console-page.ts";
import { Cookies } from "./cookies.ts";
import type { ConsoleDoor } from "./door.ts";
import { askToComeBack, sendErrorPage } from "./error-page.ts";
import { formBytesMax, readForm, refuseForeignForm } from "./form.ts";
import { addFiles, sendFramed } from "./frame.ts";
import { keyPages } from "./keys.ts";
import { organizationPage } from "./organization.ts";
import { overviewPage } from "./overview.ts";
import { peoplePage } from "./people.ts";
import { addSignIn } from "./sign-in.ts";
import { SignInThrottle } from "./sign-in-throttle.ts";
import { sourcesPage } from "./sources.ts";
import { tagPages } from "./tags.ts";
import { addWelcome } from "./welcome.ts";

/** The pages, in no particular order. */
const pagesOf = (door: ConsoleDoor, throttle: SignInThrottle): ConsolePage[] => [
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

export function addConsole(app: FastifyInstance, door: ConsoleDoor): void {
  const cookies = new Cookies(door.publicUrl);
  void app.register(async (scope) => {
    takeBytes(scope);
    await scope.register(cookie);
    const visitors = new WeakMap<FastifyRequest, Visitor>();
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      sendErrorPage(error, request, reply, { door, visitor: visitors.get(request) }),
    );
    addFiles(scope);
    addWelcome(scope, door, cookies);
    const throttle = new SignInThrottle(door.now);
    addSignIn(scope, { door, cookies, throttle });
    for (const page of pagesOf(door, throttle)) addPage(scope, page, { door, cookies, visitors });
  });
}

const signedOutMeanwhile = "You were signed out meanwhile. Nothing was changed: sign in, and send it again.";

interface Frame {
  door: ConsoleDoor;
  cookies: Cookies;
  visitors: WeakMap<FastifyRequest, Visitor>;
}

function addPage(scope: FastifyInstance, page: ConsolePage, { door, cookies, visitors }: Frame): void {
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await findVisitor(request, door, cookies);
    if (!visitor) {
      if (request.method === "POST") cookies.write(reply, "notice", signedOutMeanwhile);
      return reply.redirect(`/sign-in?to=${encodeURIComponent(request.url)}`, 303);
    }
    visitors.set(request, visitor);
    noteForLog(request, { organization: visitor.organization.id, user: visitor.user.id });
    refuseRole(visitor, page.role);
    return undefined;
  };
  const show = async (request: FastifyRequest, reply: FastifyReply, asked: Asked, status?: number) => {
    const visitor = visitors.get(request) as Visitor;
    const shown = await page.show(visitor, asked);
    const framed = {
      ...shown,
      status: status ?? shown.status,
      notice: request.method === "GET" ? cookies.takeNotice(request, reply) : undefined,
      problem: asked.refused?.problem,
    };
    return sendFramed(reply, framed, { visitor, path: pathOf(request) });
  };

  scope.get(page.path, { onRequest: admit }, async (request, reply) =>
    show(request, reply, askedOf(request)),
  );
  if (!page.actions) return;

  scope.post(page.path, { onRequest: admit, bodyLimit: formBytesMax }, async (request, reply) => {
    // The form may have taken its time, and who sends it may have been removed meanwhile.
    await admit(request, reply);
    if (reply.sent) return reply;
    const visitor = visitors.get(request) as Visitor;
    const asked = askedOf(request);
    const form = readForm(request);
    refuseForeignForm(request, form, {
      cookie: cookies.read(request, "session"),
      publicUrl: door.publicUrl,
    });
    const name = form.get("action") ?? "";
    const action = Object.hasOwn(page.actions ?? {}, name) ? page.actions?.[name] : undefined;
    if (!action) throw new Refusal("bad_request", `action: ${quote(name)} is not possible here.`);
    const acting = actingAs(visitor, door, action.role);
    let outcome: Outcome;
    try {
      outcome = await action.run(acting, form, asked);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === "forbidden") throw error;
      askToComeBack(reply, error.code);
      const refused = { action: name, form, problem: error.message };
      return show(request, reply, { ...asked, refused }, errors[error.code].status);
    }
    if ("notice" in outcome) {
      cookies.write(reply, "notice", outcome.notice);
      if (outcome.session !== undefined) cookies.write(reply, "session", outcome.session);
      return reply.redirect(outcome.goTo ?? request.url, 303);
    }
    return sendFramed(reply, outcome, { visitor, path: pathOf(request) });
  });
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "";
}

function askedOf(request: FastifyRequest): Asked {
  const start = request.url.indexOf("?");
  return {
    params: (request.params ?? {}) as Record<string, string>,
    query: new URLSearchParams(start < 0 ? "" : request.url.slice(start + 1)),
  };
}
