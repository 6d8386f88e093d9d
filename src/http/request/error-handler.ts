// Turns every error into a JSON response with a status, a code and a message (specification 7).

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { AppError, type ErrorCode, errorBody, errors, odataErrorBody } from "../../errors.ts";
import { isForODataClients } from "../../paths.ts";
import { invalidUrl } from "./head.ts";
import { serverLimits } from "./limits.ts";
import { hasBody, setCommonHeaders } from "./response-headers.ts";

const challenges = 'Bearer realm="email-analytics", Basic realm="email-analytics"';
/** Alone, because some tools know only the first one. */
const odataChallenge = 'Basic realm="email-analytics", charset="UTF-8"';

export function answerError(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  if (isAborted(error, reply)) return reply.hijack();
  const { code, message, cause } = error instanceof AppError ? error : toAppError(error, request);
  if (code === "internal_error") log.error({ err: error, request_id: request.id }, "request failed");
  const isOData = isForODataClients(request.url);
  setCommonHeaders(request, reply);
  if (hasBody(request) && !request.raw.complete) reply.header("connection", "close");
  if (code === "unavailable" || code === "too_many_requests") {
    log.warn(
      { request_id: request.id, reason: message, ...(cause !== undefined && { cause: String(cause) }) },
      "request refused for now",
    );
    if (!reply.hasHeader("retry-after")) {
      reply.header("retry-after", String(serverLimits.retryAfterMs / 1000));
    }
  }
  if (code === "unauthorized" && !reply.hasHeader("www-authenticate")) {
    reply.header("www-authenticate", isOData ? odataChallenge : challenges);
  }
  return reply
    .code(errors[code].status)
    .type("application/json; charset=utf-8")
    .send(isOData ? odataErrorBody(code, message) : errorBody(code, message));
}

/** Whether the client left before its response began: the work was canceled, or Fastify closed a stream. */
export function isAborted({ code, name }: FastifyError | AppError, { raw }: FastifyReply): boolean {
  return (code === "ERR_STREAM_PREMATURE_CLOSE" || name === "AbortError") && raw.destroyed;
}

/** Returns the code of an error; one that Fastify made has a status, and anything else is an internal error. */
export function errorCodeOf(error: FastifyError | AppError): ErrorCode {
  if (error instanceof AppError) return error.code;
  const { statusCode: status = 500 } = error;
  if (status >= 500) return "internal_error";
  return (Object.keys(errors) as ErrorCode[]).find((code) => errors[code].status === status) ?? "bad_request";
}

export function payloadTooLarge({ routeOptions }: FastifyRequest): AppError {
  return new AppError(
    "payload_too_large",
    `The request body is larger than ${routeOptions.bodyLimit} bytes.`,
  );
}

function toAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error.code === "FST_ERR_BAD_URL") return invalidUrl(request.url);
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return payloadTooLarge(request);
  return new AppError(errorCodeOf(error));
}
