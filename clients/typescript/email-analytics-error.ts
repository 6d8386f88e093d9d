// The error that every request of the client may end with.

import type { ErrorCode } from "./records.ts";

/** The codes of errors that are not from the service. */
export type ClientErrorCode =
  | "connection_failed"
  | "cut"
  | "list_changed"
  | "redirected"
  | "unexpected_response";

interface Details {
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

export class EmailAnalyticsError extends Error {
  override readonly name = "EmailAnalyticsError";
  /** For programs. A newer service may have others. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** When the service accepts requests again. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: EmailAnalyticsError["code"],
    message: string,
    { status, requestId, retryAfterMs, cause }: Details = {},
  ) {
    super(requestId === undefined ? message : `${message} (request ${requestId})`, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}
