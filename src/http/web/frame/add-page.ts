// Adds the routes of a page: shows it to signed-in users with its role, and runs its actions.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, errors } from "../../../errors.ts";
import { localeOf } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import { bodyLimits, maxWorkMs } from "../../request/body-limits.ts";
import { closeSignal } from "../../request/close-signal.ts";
import { requireChunks } from "../../request/head.ts";
import { addToLog } from "../../request/log.ts";
import { pathOf, queryOf } from "../../request/url.ts";
import { signInUrl } from "./begin-session.ts";
import { carriedQuery } from "./carried-query.ts";
import type { Cookies } from "./cookies.ts";
import { checkCsrf } from "./csrf.ts";
import { messageOf, setRetryAfter } from "./error-page.ts";
import { sendPage } from "./layout.ts";
import type { ActionResult, AuditedView, FileContent, Page, PageRequest, WebSession } from "./page.ts";
import { readForm, readFormWithFile } from "./read-form.ts";
import type { WebContext } from "./web-context.ts";
import { asActor, checkPermission, findWebSession } from "./web-session.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The session of the signed-in user that a page is for; undefined before it is found. */
    webSession: WebSession | undefined;
  }
}

export function addPage(scope: FastifyInstance, page: Page, frame: PageFrame): void {
  const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
    requireSession(request, reply, page, frame);
  scope.get(page.path, { onRequest }, async (request, reply) =>
    showPage(request, reply, { page, frame, pageRequest: readRequest(request, reply) }),
  );
  if (!page.actions) return;
  const bodyLimit = page.hasUpload ? bodyLimits.recipients : bodyLimits.webForm;
  scope.post(page.path, { onRequest, bodyLimit }, async (request, reply) => {
    // The body may have arrived slowly: check again that the user is still signed in.
    await requireSession(request, reply, page, frame);
    // A large file takes longer to import than connections may be silent otherwise.
    request.raw.setTimeout(maxWorkMs);
    return reply.sent ? reply : runAction(request, reply, page, frame);
  });
}

interface PageFrame {
  context: WebContext;
  cookies: Cookies;
}

/** Redirects to the sign-in page unless a user is signed in. @throws AppError `forbidden` without the page's role */
async function requireSession(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  { context, cookies }: PageFrame,
): Promise<FastifyReply | undefined> {
  const session = await findWebSession(request, context, cookies);
  if (!session) {
    const { t } = localeOf(request);
    if (request.method === "POST") cookies.write(reply, "notice", t("ui.sessionEndedSignIn"));
    return reply.redirect(signInUrl(request.url), 303);
  }
  request.webSession = session;
  addToLog(request, { organization: session.organization.id, user: session.user.id });
  checkPermission(session, page.role);
  return undefined;
}

async function showPage(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    page,
    frame,
    pageRequest,
    status,
  }: { page: Page; frame: PageFrame; pageRequest: PageRequest; status?: number },
): Promise<FastifyReply> {
  const session = request.webSession as WebSession;
  const content = await page.show(session, pageRequest);
  const { audited } = content;
  if ("file" in content) {
    requireChunks(request);
    await recordView(session, page, frame, audited ?? { action: "data.export", target: content.file });
    return sendFile(reply, content);
  }
  if (audited) await recordView(session, page, frame, audited);
  const options = {
    ...content,
    status: status ?? content.status,
    notice: request.method === "GET" ? frame.cookies.takeNotice(request, reply) : undefined,
    problem: pageRequest.rejected?.problem,
  };
  const isShown = (options.status ?? 200) === 200;
  const carried = isShown ? carriedQuery(pageRequest.query) : undefined;
  return sendPage(reply, options, { context: frame.context, session, path: pathOf(request.url), carried });
}

/** Nothing is sent that the audit log could not record. */
function recordView(
  session: WebSession,
  page: Page,
  { context }: PageFrame,
  { action, target }: AuditedView,
): Promise<void> {
  const { transaction, record } = asActor(session, context, page.role);
  return transaction((scope) => record(scope, action, target));
}

function sendFile(reply: FastifyReply, { file, type, body }: FileContent): FastifyReply {
  return reply
    .headers({
      "content-type": type,
      "content-disposition": `attachment; filename="${file}"`,
      "cache-control": "no-store",
    })
    .send(body);
}

async function runAction(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  frame: PageFrame,
): Promise<FastifyReply> {
  const { context, cookies } = frame;
  const session = request.webSession as WebSession;
  const { form, ...file } = page.hasUpload
    ? await readFormWithFile(session, request)
    : { form: readForm(session, request) };
  const pageRequest = { ...readRequest(request, reply), ...file };
  checkCsrf(request, form, {
    cookie: cookies.read(request, "session"),
    publicUrl: context.publicUrl,
    locale: session,
  });
  const name = form.get("action") ?? "";
  const action = Object.hasOwn(page.actions ?? {}, name) ? page.actions?.[name] : undefined;
  if (!action)
    throw new AppError("bad_request", session.t("ui.unknownAction", { name: quoted(session, name) }));
  const actor = asActor(session, context, page.actionRole ?? page.role);
  let result: ActionResult;
  try {
    result = await action(actor, form, pageRequest);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "forbidden") throw error;
    setRetryAfter(reply, error.code);
    const rejected = { action: name, form, problem: messageOf(error, session) };
    const { status } = errors[error.code];
    return showPage(request, reply, { page, frame, pageRequest: { ...pageRequest, rejected }, status });
  }
  if (!("notice" in result)) return sendPage(reply, result, { context, session, path: pathOf(request.url) });
  cookies.write(reply, "notice", result.notice);
  if (result.sessionSecret !== undefined) cookies.write(reply, "session", result.sessionSecret);
  return reply.redirect(result.redirectTo ?? request.url, 303);
}

function readRequest({ params, url }: FastifyRequest, reply: FastifyReply): PageRequest {
  return {
    params: (params ?? {}) as Record<string, string>,
    query: queryOf(url),
    signal: closeSignal(reply),
  };
}
