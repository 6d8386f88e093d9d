// Error pages of the web application.

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { AppError, type ErrorCode, errors } from "../../../errors.ts";
import { html } from "../../../locale/html.ts";
import { type Locale, localeOf } from "../../../locale/locale.ts";
import { errorCodeOf, isAborted } from "../../request/error-handler.ts";
import { pathOf } from "../../request/url.ts";
import { sendPage } from "./layout.ts";
import type { WebSession } from "./page.ts";
import type { WebContext } from "./web-context.ts";

/** Seconds for the Retry-After header, unless the error sets its own. */
const retryAfter = 5;

/** Sends the page of an error, and logs errors of the server. */
export function sendErrorPage(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  { context, session }: { context: WebContext; session: WebSession | undefined },
): FastifyReply {
  if (isAborted(error, reply)) return reply.hijack();
  const code = errorCodeOf(error);
  const locale = session ?? localeOf(request);
  const { t } = locale;
  const titles: Partial<Record<ErrorCode, string>> = locale.texts("errors.titles");
  const status = errors[code].status;
  setRetryAfter(reply, code);
  if (code === "unavailable") {
    const reason = (error as Error).message;
    context.log.warn({ request_id: request.id, reason }, "request refused for now");
  }
  if (status === 500) context.log.error({ err: error, request_id: request.id }, "request failed");
  const isForm = request.method === "POST";
  const title = code === "forbidden" && isForm ? t("errors.forbiddenForm") : titles[code];
  const body = html`<div class="card"><p>${messageOf(error, locale)}</p>
${status >= 500 && html`<p class="soft">${t("errors.requestId", { id: request.id })}</p>`}
${(session || request.is404) && html`<p><a class="button second" href="/">${t("errors.goToOverview")}</a></p>`}</div>`;
  return sendPage(
    reply,
    { title: title ?? t("errors.title"), body, status },
    { context, session, path: pathOf(request.url) },
  );
}

/** Sets the Retry-After header if retrying can help. */
export function setRetryAfter(reply: FastifyReply, code: ErrorCode): void {
  if (code !== "unavailable" && code !== "too_many_requests") return;
  if (!reply.hasHeader("retry-after")) reply.header("retry-after", String(retryAfter));
}

/**
 * The message of the error itself, or of its code. Those of the error table address API clients. The parts that are busy
 * or stop have no language, so `unavailable` has one message.
 */
export function messageOf(error: FastifyError | AppError, { texts }: Locale): string {
  const code = errorCodeOf(error);
  const { message } = errors[code];
  const messages: Partial<Record<ErrorCode, string>> = texts("errors.messages");
  const isOwn = error instanceof AppError && code !== "unavailable" && error.message !== message;
  return isOwn ? error.message : (messages[code] ?? message);
}
