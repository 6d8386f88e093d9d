// What people see where a page cannot be shown.

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { AppError, type ErrorCode, errors } from "../../../errors.ts";
import { html } from "../../html.ts";
import type { Visitor } from "../page.ts";
import type { WebContext } from "../web-context.ts";
import { sendPage } from "./layout.ts";

/** For whoever was asked to come back, in seconds. */
const retryAfter = 5;

const titles: Partial<Record<ErrorCode, string>> = {
  forbidden: "This is not open to you",
  not_found: "There is nothing here",
  too_many_requests: "Too many tries",
};

const usualWords: Partial<Record<ErrorCode, string>> = {
  forbidden: "You may not do this. Ask an admin of your organization.",
  not_found: "The address is wrong, or what stood there is gone.",
  internal_error: "This should not have happened. Whoever runs the service finds the reason in its log.",
};

/** What cannot be told to anybody is logged. */
export function sendErrorPage(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  { door, visitor }: { door: WebContext; visitor: Visitor | undefined },
): FastifyReply {
  const code = codeOf(error);
  const status = errors[code].status;
  askToComeBack(reply, code);
  if (code === "unavailable") {
    const reason = (error as Error).message;
    door.log.warn({ request_id: request.id, reason }, "request refused for now");
  }
  if (status === 500) door.log.error({ err: error, request_id: request.id }, "request failed");
  // The words of the table are those for programs.
  const own = error instanceof AppError && error.message !== errors[code].message ? error.message : undefined;
  const words = own ?? usualWords[code] ?? errors[code].message;
  const isForm = request.method === "POST";
  const title = code === "forbidden" && isForm ? "This was not done" : (titles[code] ?? "This did not work");
  const body = html`<p>${words}</p>
${status >= 500 && html`<p class="soft">Request ${request.id}</p>`}
<p><a href="/">To the overview</a></p>`;
  return sendPage(reply, { title, body, status }, { visitor, path: request.url.split("?", 1)[0] ?? "" });
}

/** For an address that no door knows. `/settings` alone leads to those that everybody has. */
export function sendNothingHere(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split("?", 1)[0] ?? "";
  if (/^\/settings(\/integrations)?\/?$/.test(path)) {
    return reply.redirect(
      path.includes("integrations") ? "/settings/integrations/analytics-api" : "/settings/tags",
      303,
    );
  }
  const body = html`<p>${usualWords.not_found}</p>
<p><a href="/">To the overview</a></p>`;
  return sendPage(reply, { title: titles.not_found ?? "", body, status: 404 }, { path });
}

/** Programs hear when to try again; people read it. */
export function askToComeBack(reply: FastifyReply, code: ErrorCode): void {
  if (code !== "unavailable" && code !== "too_many_requests") return;
  if (!reply.hasHeader("retry-after")) reply.header("retry-after", String(retryAfter));
}

function codeOf(error: FastifyError | AppError): ErrorCode {
  if (error instanceof AppError) return error.code;
  const { statusCode = 500 } = error;
  const known = (Object.keys(errors) as ErrorCode[]).find((each) => errors[each].status === statusCode);
  return known && statusCode < 500 ? known : statusCode < 500 ? "bad_request" : "internal_error";
}
